//! Bodies: triangles as the budget says, closed, and moved by the bones that they lie on.

use super::person::Sleeves;
use super::{Detail, Person, make, mesh};
use boardwalk::animation::skeleton::JOINTS;
use boardwalk::graphics::mesh::Mesh;
use boardwalk::maths::Vec3;
use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso/models/people")
}

#[test]
fn the_three_details_keep_their_budgets() {
    for (detail, most) in [(Detail::Near, 1000), (Detail::Middle, 360), (Detail::Far, 120)] {
        let triangles = mesh(&Person::default(), detail).triangles();
        println!("{detail:?}: {triangles} triangles");
        assert!(triangles <= most && triangles >= most / 2, "{detail:?}: {triangles}");
    }
}

#[test]
fn every_person_of_the_disc_is_a_sound_mesh() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for detail in [Detail::Near, Detail::Middle, Detail::Far] {
            let person = Person::read(&text).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
            let quads = mesh(&person, detail).build().unwrap();
            let mesh = Mesh::read(&quads).unwrap();
            mesh.check().unwrap();
            assert!(mesh.sphere().radius < 1.2);
            assert!(!make(&text, detail).unwrap().is_empty());
        }
        count += 1;
    }
    assert!(count >= 5, "{count} people");
}

#[test]
fn what_lies_near_a_bone_is_moved_by_it() {
    let quads = mesh(&Person::default(), Detail::Near).build().unwrap();
    let mesh = Mesh::read(&quads).unwrap();
    let mut worst = 0.0f32;
    for batch in mesh.batches() {
        let mut n = 0;
        for run in batch.runs() {
            for vertex in &batch.vertices[n..n + usize::from(run.count)] {
                let at = Vec3::new(vertex.position[0], vertex.position[1], vertex.position[2]);
                let joint = Vec3::from_array(JOINTS[usize::from(run.bones[0])]);
                worst = worst.max((at - joint).length());
            }
            n += usize::from(run.count);
        }
    }
    assert!(worst < 0.5, "{worst} m from its joint");
}

#[test]
fn a_colour_is_where_the_text_says() {
    let person = Person::read("signal 250 10 20\nhead cap\nsleeves short # and cool\nbulk 1.2").unwrap();
    assert!(person.signal == [250, 10, 20] && person.sleeves == Sleeves::Short && person.bulk == 1.2);
    for (text, words) in
        [("skin 1 2", "line 1"), ("\nhat cap", "line 2"), ("head horn", "line 1"), ("bulk big", "line 1")]
    {
        let error = format!("{:#}", Person::read(text).unwrap_err());
        assert!(error.contains(words), "{text}: {error}");
    }
}
