//! The program answers the worked numbers, agrees with plain geometry, and survives whatever it is given.

mod truth;

use super::*;
use boardwalk::collision::scenes::Random;
use serde_json::{Value, json};
use truth::{P, Solid, first_touch};

/// How far a fraction may be from the truth.
const AGREEMENT: f64 = 1e-4;

fn answers(lines: &[String]) -> Vec<Value> {
    let mut output = Vec::new();
    let text = lines.join("\n");
    serve(BufReader::new(text.as_bytes()), &mut output).expect("memory can be written");
    let text = String::from_utf8(output).expect("answers are text");
    text.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

fn fraction(answer: &Value) -> Option<f64> {
    assert!(answer["error"].is_null(), "{answer}");
    let hit = answer["hit"].as_bool().expect("an answer tells whether it hits");
    assert!(hit || answer.as_object().is_some_and(|fields| fields.len() == 1), "a miss says no more: {answer}");
    hit.then(|| answer["fraction"].as_f64().expect("a hit has a fraction"))
}

fn triangle() -> Value {
    json!([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
}

fn upright_box(centre: [f64; 3], half: [f64; 3]) -> Value {
    json!({"kind": "box", "centre": centre, "axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "half": half})
}

fn sphere(c: [f64; 3], r: f64) -> Value {
    json!({"kind": "sphere", "c": c, "r": r})
}

fn capsule(base: [f64; 3], r: f64, height: f64) -> Value {
    json!({"kind": "capsule", "base": base, "r": r, "height": height})
}

#[test]
fn the_worked_numbers_come_out() {
    let drop = |x: f64, y: f64| json!({"op": "sphere_triangle", "c": [x, y, 2], "r": 0.5, "move": [0, 0, -2], "tri": triangle()});
    let ball = |y: f64| {
        let (a, b) = (sphere([0.0, y, 0.0], 0.5), sphere([5.0, 0.0, 0.0], 0.5));
        json!({"op": "sphere_sphere", "a": a, "b": b, "move": [10, 0, 0]})
    };
    let men = |y: f64| {
        let (a, b) = (capsule([0.0, y, 0.0], 0.35, 2.0), capsule([1.0, 0.0, 0.0], 0.3395, 1.94));
        json!({"op": "capsule_capsule", "a": a, "b": b, "move": [1, 0, 0]})
    };
    let ray = |z: f64| {
        let b = capsule([0.0; 3], 0.5, 2.0);
        json!({"op": "ray_capsule", "origin": [5, 0, z], "dir": [-1, 0, 0], "length": 10, "b": b})
    };
    let cube = upright_box([0.0; 3], [1.0; 3]);
    let brick = upright_box([0.25, 0.25, 0.5], [0.035, 0.105, 0.05]);
    let spine = json!({"kind": "segment", "a": [0.25, -0.2, 1], "b": [0.25, 0.2, 1], "r": 0.18});
    let far_spine = json!({"kind": "segment", "a": [0.3, -0.2, 1], "b": [0.3, 0.2, 1], "r": 0.18});
    let fist = sphere([0.0, 0.0, 1.0], 0.09);
    let cases = [
        (drop(0.25, 0.25), Some(0.75)),
        (drop(0.5, -0.3), Some(0.8)),
        (drop(-0.3, -0.3), Some(0.867_712_4)),
        (drop(0.5, -0.6), None),
        (
            json!({"op": "sphere_triangle", "c": [0.25, 0.25, 0.3], "r": 0.5, "move": [0, 0, -1], "tri": triangle()}),
            Some(0.0),
        ),
        (json!({"op": "sphere_triangle", "c": [0.25, 0.25, -2], "r": 0.5, "move": [0, 0, 2], "tri": triangle()}), None),
        (
            json!({"op": "sphere_triangle", "c": [0.25, 0.25, -2], "r": 0.5, "move": [0, 0, 2], "tri": triangle(), "two_sided": true}),
            Some(0.75),
        ),
        (ball(0.0), Some(0.4)),
        (ball(1.0), Some(0.5)),
        (ball(1.5), None),
        (men(0.0), Some(0.3105)),
        (men(0.4), Some(0.438_386)),
        (ray(1.0), Some(0.45)),
        (ray(2.3), Some(0.46)),
        (ray(2.6), None),
        (json!({"op": "ray_box", "origin": [5, 0, 0], "dir": [-1, 0, 0], "length": 10, "b": cube}), Some(0.4)),
        (json!({"op": "ray_box", "origin": [0.5, 0, 0], "dir": [-1, 0, 0], "length": 10, "b": cube}), Some(0.0)),
        (json!({"op": "sphere_box", "a": sphere([5.0, 0.0, 0.0], 0.5), "b": cube, "move": [-10, 0, 0]}), Some(0.35)),
        (
            json!({"op": "capsule_box", "a": capsule([2.0, 0.0, 0.0], 0.35, 2.0), "b": upright_box([0.0; 3], [0.5; 3]), "move": [-2, 0, 0]}),
            Some(0.575),
        ),
        (
            json!({"op": "box_box", "a": upright_box([5.0, 0.0, 0.0], [1.0; 3]), "b": cube, "move": [-4, 0, 0]}),
            Some(0.0),
        ),
        (json!({"op": "box_box", "a": upright_box([5.0, 0.0, 0.0], [1.0; 3]), "b": cube, "move": [-2, 0, 0]}), None),
        (json!({"op": "box_triangle", "a": brick, "move": [0, 0, -1], "tri": triangle()}), Some(0.45)),
        (json!({"op": "overlap", "a": fist, "b": spine}), Some(0.0)),
        (json!({"op": "overlap", "a": fist, "b": far_spine}), None),
        // The box against the capsule reads no height, a box meets no segment.
        (json!({"op": "overlap", "a": capsule([0.0, 0.0, 90.0], 0.35, 2.0), "b": cube}), Some(0.0)),
        (json!({"op": "overlap", "a": cube, "b": spine}), None),
    ];
    let lines: Vec<String> = cases.iter().map(|(line, _)| line.to_string()).collect();
    for ((line, expected), found) in cases.into_iter().zip(answers(&lines)) {
        let found = fraction(&found);
        let alike = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-5,
            (found, expected) => found == expected,
        };
        assert!(alike, "{line} answers {found:?}, not {expected:?}");
    }
}

/// A wall at y 40 that faces -y, from z 0 to `height`.
fn wall(height: f64) -> String {
    let vertices = [[0.0, 40.0, 0.0], [80.0, 40.0, 0.0], [80.0, 40.0, height], [0.0, 40.0, height]];
    json!({"op": "mesh", "vertices": vertices, "triangles": [[0, 1, 2], [0, 2, 3]]}).to_string()
}

#[test]
fn a_mesh_is_met_by_spheres_walkers_and_rays() {
    let cast = |line: Value| answers(&[wall(3.0), line.to_string()]).remove(1);
    let found = cast(json!({"op": "sphere_mesh", "c": [40, 39, 1], "r": 0.4, "move": [0, 1, 0]}));
    assert!((fraction(&found).unwrap() - 0.6).abs() < 1e-5 && found["normal"] == json!([0.0, -1.0, 0.0]), "{found}");
    let found = cast(json!({"op": "capsule_mesh", "base": [40, 39, 0], "r": 0.47, "height": 1.94, "move": [0, 1, 0]}));
    assert!((fraction(&found).unwrap() - 0.53).abs() < 1e-5, "{found}");
    let found = cast(json!({"op": "ray_mesh", "origin": [40, 30, 1], "dir": [0, 1, 0], "length": 40}));
    assert!((fraction(&found).unwrap() - 0.25).abs() < 1e-6, "{found}");
    let behind = cast(json!({"op": "ray_mesh", "origin": [40, 50, 1], "dir": [0, -1, 0], "length": 40}));
    assert_eq!(fraction(&behind), None);
}

#[test]
fn a_walker_stops_a_hundredth_short_and_slides_and_a_low_step_is_passed() {
    let walk = |height: f64, velocity: [f64; 3]| {
        let line =
            json!({"op": "move", "base": [40, 39.4, 0], "r": 0.47, "height": 1.94, "velocity": velocity, "dt": 0.1});
        answers(&[wall(height), line.to_string()]).remove(1)
    };
    let near = |found: &Value, expected: [f64; 3]| {
        let off = (0..3).map(|i| (found[i].as_f64().unwrap() - expected[i]).abs()).fold(0.0, f64::max);
        assert!(off < 1e-4, "{found}, not {expected:?}");
    };
    let found = walk(3.0, [1.0, 3.0, 0.0]);
    near(&found["position"], [40.1, 39.52, 0.0]);
    near(&found["velocity"], [1.0, 0.0, 0.0]);
    near(&walk(0.2, [1.0, 3.0, 0.0])["position"], [40.1, 39.7, 0.0]);
}

#[test]
fn a_walker_stays_in_a_closed_room_at_any_speed() {
    const CORNERS: usize = 8;
    const FAR: f64 = 4.0;
    const RADIUS: f64 = 0.35;
    let at = |i: usize, z: f64| {
        let angle = i as f64 * std::f64::consts::TAU / CORNERS as f64;
        [FAR * angle.cos(), FAR * angle.sin(), z]
    };
    let vertices: Vec<P> = (0..CORNERS).flat_map(|i| [at(i, 0.0), at(i, 2.0)]).collect();
    let walls = (0..CORNERS).flat_map(|i| {
        let (own, next) = (2 * i, 2 * ((i + 1) % CORNERS));
        [[own, next, next + 1], [own, next + 1, own + 1]]
    });
    let triangles: Vec<[usize; 3]> = walls.collect();
    let mut program = Program { mesh: None, world: PhysicsWorld::new() };
    let mut ask = |line: Value| serde_json::to_value(program.answer(line.to_string().as_bytes())).unwrap();
    ask(json!({"op": "mesh", "vertices": vertices, "triangles": triangles, "two_sided": true}));
    // The middle of a wall is this far out.
    let middle = FAR * (std::f64::consts::PI / CORNERS as f64).cos();
    let mut random = Random::new(83);
    let mut base = [0.0, 0.0, 0.0];
    let mut velocity = [0.0; 3];
    for step in 0..3000 {
        if step % 6 == 0 {
            let way = random.direction().horizontal() * random.range(0.5, if step < 1500 { 10.0 } else { 90.0 });
            velocity = way.to_array().map(f64::from);
        }
        let moved = ask(
            json!({"op": "move", "base": base, "r": RADIUS, "height": 1.8, "velocity": velocity, "dt": 1.0 / 30.0}),
        );
        base = [0, 1, 2].map(|axis| moved["position"][axis].as_f64().expect("a move answers with a position"));
        for i in 0..CORNERS {
            let angle = (i as f64 + 0.5) * std::f64::consts::TAU / CORNERS as f64;
            let free = middle - base[0] * angle.cos() - base[1] * angle.sin();
            assert!(free >= RADIUS - 0.02, "step {step} with {velocity:?} ends {free} from wall {i}");
        }
    }
}

#[test]
fn whatever_a_line_says_it_is_answered_by_one_line_and_the_program_goes_on() {
    let good = json!({"op": "ray_mesh", "origin": [40, 30, 1], "dir": [0, 1, 0], "length": 40}).to_string();
    let bad: Vec<String> = [
        "",
        "   ",
        "null",
        "[]",
        "{",
        "{}",
        "nonsense",
        "\u{0}\u{1}",
        r#"{"op":"fly"}"#,
        r#"{"op":"sphere_mesh"}"#,
        r#"{"op":"sphere_mesh","c":[0,0],"r":1,"move":[0,0,1]}"#,
        r#"{"op":"sphere_mesh","c":[0,0,0],"r":-1,"move":[0,0,1]}"#,
        r#"{"op":"sphere_mesh","c":[0,0,0],"r":"wide","move":[0,0,1]}"#,
        r#"{"op":"sphere_mesh","c":[1e400,0,0],"r":1,"move":[0,0,1]}"#,
        r#"{"op":"sphere_mesh","c":[1e30,0,0],"r":1,"move":[0,0,1]}"#,
        r#"{"op":"sphere_mesh","c":[NaN,0,0],"r":1,"move":[0,0,1]}"#,
        r#"{"op":"ray_mesh","origin":[0,0,0],"dir":[0,0,0],"length":1}"#,
        r#"{"op":"ray_mesh","origin":[0,0,0],"dir":[0,0,1],"length":-1}"#,
        r#"{"op":"overlap","a":{"kind":"cone"},"b":{"kind":"sphere","c":[0,0,0],"r":1}}"#,
        r#"{"op":"sphere_box","a":{"kind":"sphere","c":[0,0,0],"r":1},"b":{"kind":"sphere","c":[0,0,0],"r":1},"move":[0,0,0]}"#,
        r#"{"op":"overlap","a":{"kind":"box","centre":[0,0,0],"axes":[[1,0,0],[1,0,0],[0,0,1]],"half":[1,1,1]},"b":{"kind":"sphere","c":[0,0,0],"r":1}}"#,
        r#"{"op":"move","base":[0,0,0],"r":0.3,"height":2,"velocity":[0,0,0],"dt":0}"#,
        r#"{"op":"mesh","vertices":[[0,0,0]],"triangles":[[0,1,2]]}"#,
        r#"{"op":"mesh","vertices":[[0,0,0]],"triangles":[[0,-1,2]]}"#,
        r#"{"op":"mesh","vertices":[[1e30,0,0],[0,1e30,0],[0,0,0]],"triangles":[[0,1,2]]}"#,
    ]
    .map(String::from)
    .into();
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let mut lines = vec![wall(3.0)];
    for line in bad.iter().chain([&deep]) {
        lines.extend([line.clone(), good.clone()]);
    }
    let said = answers(&lines);
    assert_eq!(said.len(), lines.len());
    for (line, said) in lines.iter().zip(&said).skip(1) {
        if *line == good {
            assert!((fraction(said).unwrap() - 0.25).abs() < 1e-6, "after a bad line: {said}");
        } else {
            assert!(said["error"].is_string(), "{line:.60} is answered {said}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_a_bad_line_and_queries_without_a_mesh_too() {
    let mut output = Vec::new();
    let input = [&[0xff, 0xfe, b'\n'][..], br#"{"op":"ray_mesh","origin":[0,0,0],"dir":[0,0,1],"length":1}"#].concat();
    serve(BufReader::new(&input[..]), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert!(text.lines().count() == 2 && text.lines().all(|line| line.starts_with(r#"{"error":"#)), "{text}");
}

#[test]
fn shapes_without_size_and_moves_without_length_are_answered() {
    let dot = sphere([0.0; 3], 0.0);
    let flat = upright_box([0.0; 3], [0.0; 3]);
    let none = capsule([0.0; 3], 0.0, 0.0);
    let nothing = json!({"kind": "segment", "a": [0, 0, 0], "b": [0, 0, 0], "r": 0});
    let mut lines = Vec::new();
    for a in [&dot, &flat, &none, &nothing] {
        for b in [&dot, &flat, &none, &nothing] {
            lines.push(json!({"op": "overlap", "a": a, "b": b}));
        }
    }
    for (op, a, b) in [
        ("sphere_sphere", &dot, &dot),
        ("sphere_box", &dot, &flat),
        ("capsule_capsule", &none, &none),
        ("capsule_box", &none, &flat),
        ("box_box", &flat, &flat),
    ] {
        for by in [[0.0, 0.0, 0.0], [1e-30, 0.0, 0.0], [1e9, -1e9, 1e9]] {
            lines.push(json!({"op": op, "a": a, "b": b, "move": by}));
        }
    }
    let point = json!([[1, 1, 1], [1, 1, 1], [1, 1, 1]]);
    for by in [[0.0, 0.0, 0.0], [0.0, 0.0, -1e9]] {
        lines.push(json!({"op": "sphere_triangle", "c": [1, 1, 2], "r": 0.5, "move": by, "tri": point}));
        lines.push(json!({"op": "box_triangle", "a": flat, "move": by, "tri": point}));
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    answers(&lines).iter().for_each(|answer| {
        fraction(answer);
    });
}

fn point(random: &mut Random, half: f32) -> P {
    random.vec3(half).to_array().map(f64::from)
}

fn axes(random: &mut Random) -> [P; 3] {
    let spin = boardwalk::maths::Quat::from_axis_angle(random.direction(), random.range(0.0, 6.0));
    [spin.axis_x(), spin.axis_y(), spin.axis_z()].map(|axis| axis.to_array().map(f64::from))
}

/// Asks every line and compares with when a ball first touches what each is about.
fn agree(what: &str, scenes: Vec<(Value, Vec<Solid>, P, P, f64)>, before: Option<String>) {
    let mut lines: Vec<String> = before.into_iter().collect();
    let skipped = lines.len();
    lines.extend(scenes.iter().map(|(line, ..)| line.to_string()));
    let mut hits = 0;
    for ((line, solids, c, d, r), found) in scenes.iter().zip(&answers(&lines)[skipped..]) {
        let found = fraction(found);
        let (early, late) = first_touch(solids, *c, *d, *r);
        let fine = match found {
            None => late.is_none(),
            Some(found) => {
                early.is_some_and(|early| found >= early - AGREEMENT)
                    && late.is_none_or(|late| found <= late + AGREEMENT)
            }
        };
        assert!(fine, "{line} answers {found:?}, and is between {early:?} and {late:?}");
        hits += usize::from(found.is_some());
    }
    assert!(hits * 10 > scenes.len(), "{what}: only {hits} of {} hit", scenes.len());
}

#[test]
fn balls_and_rays_agree_with_plain_geometry() {
    let mut random = Random::new(71);
    let mut scenes: [Vec<_>; 5] = Default::default();
    for _ in 0..400 {
        let (c, d, r) = (point(&mut random, 3.0), point(&mut random, 6.0), f64::from(random.range(0.05, 1.0)));
        let tri = [point(&mut random, 2.0), point(&mut random, 2.0), point(&mut random, 2.0)];
        let line = json!({"op": "sphere_triangle", "c": c, "r": r, "move": d, "tri": tri, "two_sided": true});
        scenes[0].push((line, vec![Solid::Triangle(tri)], c, d, r));

        // Somewhere near the way, so that many are met.
        let (share, beside, other) =
            (f64::from(random.unit()), point(&mut random, 1.2), f64::from(random.range(0.05, 1.0)));
        let centre = [0, 1, 2].map(|axis| c[axis] + d[axis] * share + beside[axis]);
        let (a, b) = (sphere(c, r), sphere(centre, other));
        let line = json!({"op": "sphere_sphere", "a": a, "b": b, "move": d});
        scenes[1].push((line, vec![Solid::Segment([centre, centre], other)], c, d, r));

        let (axes, half) = (axes(&mut random), [0, 1, 2].map(|_| f64::from(random.range(0.1, 1.5))));
        let b = json!({"kind": "box", "centre": centre, "axes": axes, "half": half});
        let line = json!({"op": "sphere_box", "a": sphere(c, r), "b": b, "move": d});
        scenes[2].push((line, vec![Solid::Box { centre, axes, half }], c, d, r));

        let length = f64::from(random.range(0.5, 9.0));
        let dir = d.map(|part| part / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt());
        let way = dir.map(|part| part * length);
        let line = json!({"op": "ray_box", "origin": c, "dir": dir, "length": length, "b": b});
        scenes[3].push((line, vec![Solid::Box { centre, axes, half }], c, way, 0.0));

        let height = f64::from(random.range(0.0, 2.0));
        let top = [centre[0], centre[1], centre[2] + height];
        let b = capsule(centre, other, height);
        let line = json!({"op": "ray_capsule", "origin": c, "dir": dir, "length": length, "b": b});
        scenes[4].push((line, vec![Solid::Segment([centre, top], other)], c, way, 0.0));
    }
    for (what, scenes) in
        ["sphere_triangle", "sphere_sphere", "sphere_box", "ray_box", "ray_capsule"].into_iter().zip(scenes)
    {
        agree(what, scenes, None);
    }
}

#[test]
fn a_mesh_agrees_with_plain_geometry_for_balls_and_rays() {
    let mut random = Random::new(73);
    let triangles: Vec<[P; 3]> = (0..60)
        .map(|_| {
            let at = random.vec3(4.0);
            [at, at + random.vec3(3.0), at + random.vec3(3.0)].map(|corner| corner.to_array().map(f64::from))
        })
        .collect();
    let vertices: Vec<P> = triangles.iter().flatten().copied().collect();
    let numbers: Vec<[usize; 3]> = (0..60).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = json!({"op": "mesh", "vertices": vertices, "triangles": numbers, "two_sided": true}).to_string();
    let solids: Vec<Solid> = triangles.iter().map(|&corners| Solid::Triangle(corners)).collect();
    let (mut balls, mut rays) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let (c, d, r) = (point(&mut random, 5.0), point(&mut random, 4.0), f64::from(random.range(0.05, 0.5)));
        balls.push((json!({"op": "sphere_mesh", "c": c, "r": r, "move": d}), solids.clone(), c, d, r));
        let length = f64::from(random.range(0.5, 9.0));
        let dir = random.direction().to_array().map(f64::from);
        let line = json!({"op": "ray_mesh", "origin": c, "dir": dir, "length": length});
        rays.push((line, solids.clone(), c, dir.map(|part| part * length), 0.0));
    }
    agree("sphere_mesh", balls, Some(mesh.clone()));
    agree("ray_mesh", rays, Some(mesh));
}

#[test]
fn overlaps_of_round_things_agree_with_plain_geometry() {
    let mut random = Random::new(79);
    let (mut lines, mut truths) = (Vec::new(), Vec::new());
    for i in 0..1500 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|_| point(&mut random, 2.0));
        let [r, s] = [0, 1].map(|_| f64::from(random.range(0.05, 1.0)));
        let segment = |a: P, b: P, r: f64| json!({"kind": "segment", "a": a, "b": b, "r": r});
        let (own, other, ends) = match i % 3 {
            0 => (sphere(a, r), segment(c, d, s), [[a, a], [c, d]]),
            1 => (segment(a, b, r), segment(c, d, s), [[a, b], [c, d]]),
            _ => (sphere(a, r), sphere(c, s), [[a, a], [c, c]]),
        };
        lines.push(json!({"op": "overlap", "a": own, "b": other}).to_string());
        truths.push(truth::segments_apart(ends[0], ends[1]) - r - s);
    }
    let (mut hits, mut close) = (0, 0);
    for ((line, apart), found) in lines.iter().zip(truths).zip(answers(&lines)) {
        let found = fraction(&found).is_some();
        if apart.abs() < AGREEMENT {
            close += 1;
            continue;
        }
        assert_eq!(found, apart < 0.0, "{line}: {apart} apart");
        hits += u32::from(found);
    }
    assert!(hits > 300 && close < 10, "{hits} hits, {close} too close to tell");
}
