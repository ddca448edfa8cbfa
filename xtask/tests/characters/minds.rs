//! Brains: followers, walkers, and what their motion records hear of the body.

use super::{FLOOR, REST, START, pad, stage};
use boardwalk::ai::{Goal, Temper, Walk};
use boardwalk::human::Spawn;
use boardwalk::human::numbers::{RUN, SNEAK, WALK};
use boardwalk::human::person::Asked;
use boardwalk::human::speeds::turn_between;
use boardwalk::human::stage::Stage;
use boardwalk::maths::{Vec3, from_heading};
use boardwalk::motion::interp::MotionNode;
use boardwalk::motion::{
    AskedGait, MotionId, MotionTable, MoveToNode, Position, degrees_of_heading, heading_of_degrees,
};

#[test]
fn a_gang_follows_its_leader_and_helps() {
    let mut stage = stage();
    for place in 0..3 {
        let position = START + Vec3::new(place as f32 * 1.5 - 2.0, -2.0, 0.0);
        let n = stage.spawn(Spawn { position, ..Spawn::default() }).unwrap();
        stage.brains.enable(n, Temper::Fighter, Goal::Follow { leader: 0, place: place as u8 });
    }
    (0..150).for_each(|_| stage.step(pad(1.0, 0.0, 0)));
    let leader = stage.humans.people[0].position;
    for n in 1..4 {
        let away = (stage.humans.people[n].position - leader).length();
        println!("follower {n}: {away} m");
        assert!(away < 8.0, "{n} is {away} m behind");
    }
    (0..120).for_each(|_| stage.step(REST));
    for n in 1..4 {
        let human = &stage.humans.people[n];
        let away = (human.position - stage.humans.people[0].position).length();
        assert!(away < 4.5 && human.playing == 388, "{n} stands {away} m off, playing {}", human.playing);
    }
}

#[test]
fn followers_walk_in_a_formation_that_ends_with_its_last() {
    let mut stage = stage();
    let mut who = Vec::new();
    for place in 0..2u8 {
        let position = START + Vec3::new(f32::from(place) * 1.5 - 2.0, -2.0, 0.0);
        let n = stage.spawn(Spawn { position, ..Spawn::default() }).unwrap();
        stage.brains.enable(n, Temper::Fighter, Goal::Follow { leader: 0, place });
        who.push(n);
    }
    stage.step(REST);
    let brains = &mut stage.brains;
    assert_eq!((brains.formations.count(), brains.goals.count(), brains.formations.refusals()), (1, 2, 0));
    let places = who.iter().map(|n| brains.formations.place_of(*n as u8).unwrap()).collect::<Vec<_>>();
    let leader = stage.humans.people[0].position;
    assert!(places.iter().all(|place| (1.5..3.0).contains(&(*place - leader).length())) && places[0] != places[1]);
    for n in who {
        brains.enable(n, Temper::Fighter, Goal::Idle);
    }
    assert_eq!((brains.formations.count(), brains.goals.count()), (0, 2));
}

#[test]
fn a_walker_goes_from_point_to_point_and_has_no_goal_left_at_the_end_of_its_path() {
    let mut stage = stage();
    let points = [START + Vec3::new(4.0, 0.0, 0.0), START + Vec3::new(4.0, 4.0, 0.0)];
    let path = stage.brains.paths.add(1, false, points).unwrap() as u8;
    let position = START + Vec3::new(2.0, 0.0, 0.0);
    let n = stage.spawn(Spawn { position, ..Spawn::default() }).unwrap();
    stage.brains.enable(n, Temper::Civilian, Goal::Path { path, point: 0 });
    let mut passed = Vec::new();
    let mut steps = 0;
    while stage.brains.goals.top(n).is_some() && steps < 600 {
        stage.step(REST);
        steps += 1;
        passed.extend(stage.brains.goals.top(n));
        passed.dedup();
    }
    println!("{steps} steps, {passed:?}");
    assert_eq!(passed, [Goal::Path { path, point: 0 }, Goal::Path { path, point: 1 }]);
    assert!((stage.humans.people[n].position - points[1]).length() < 0.6 && steps < 600);
    assert_eq!((stage.brains.goals.count(), stage.brains.goal(n)), (0, Goal::Idle));
}

#[test]
fn brains_walk_their_ways_by_the_motion_system() {
    use boardwalk::ai::Destination;
    let mut stage = stage();
    let place = Vec3::new(55.0, 40.0, 0.0);
    let n = stage.spawn(Spawn { position: Vec3::new(30.0, 30.0, 0.0), ..Spawn::default() }).unwrap();
    stage.brains.enable(n, Temper::Civilian, Goal::MoveTo { place, gait: 4 });
    let mut ran = false;
    for step in 0..400 {
        stage.step(REST);
        ran |= stage.humans.people[n].gait >= 4;
        if step == 5 {
            let way = stage.brains.walks.as_ref().unwrap()[n].way();
            assert_eq!(way.map(|way| way.to), Some(Destination::Place(place)));
        }
    }
    let left = (stage.humans.people[n].position - place).length();
    println!("{left} m left");
    assert!(left < 0.5 && ran && stage.humans.people[n].playing == 388);
}

fn somebody(stage: &mut Stage, place: [f32; 2], gang: u8) -> usize {
    stage.spawn(Spawn { position: Vec3::new(place[0], place[1], FLOOR), gang, ..Spawn::default() }).unwrap()
}

/// What a way's last step asked for, held against what move-to wants where its human stood, else what its grip wants.
fn is_answered(walk: &Walk<MotionTable<'static>>, stood: Position, asked: Asked) -> bool {
    let object = &walk.mover.object;
    let along = |heading: f32| turn_between(asked.heading, heading).abs() < 1e-3;
    if let Some(request) = object.movement.as_ref().and_then(|movement| movement.locomotion_request(stood)) {
        let nodes = &object.movement.as_ref().unwrap().move_to.pending_actions;
        // Who turns to set off does so in a curve; who runs may sprint.
        let sets_off = matches!(nodes.front(), Some(MoveToNode::Turn(_))) && nodes.len() > 1;
        let pace = match request.gait {
            AskedGait::Stand if sets_off => asked.gait >= WALK,
            AskedGait::Run => asked.gait >= RUN,
            gait => asked.gait == gait as u8,
        };
        return along(request.heading) && pace;
    }
    let held = object.sticky.target_id().is_some();
    match object.sticky.step(stood, walk.mover.body().rim(), 0.0, 10.0).filter(|_| held) {
        Some(step) => {
            let heading = heading_of_degrees(stood.heading + step.turn);
            let gap = step.offset.dot(from_heading(heading));
            let wanted = if gap > 0.15 {
                (WALK, false)
            } else if gap < -0.75 {
                (SNEAK, true)
            } else {
                (0, false)
            };
            along(heading) && (asked.gait, asked.backwards) == wanted
        }
        None => asked.gait == 0 && along(heading_of_degrees(stood.heading)),
    }
}

#[test]
fn every_goal_moves_and_turns_its_human_by_the_motion_system() {
    let place = Vec3::new(53.0, 50.0, FLOOR);
    let goals = [
        Goal::MoveTo { place, gait: 4 },
        Goal::Wander { home: place, radius: 2.0 },
        Goal::Follow { leader: 2, place: 0 },
        Goal::Attack { target: 2 },
        Goal::Flee { from: 2 },
        Goal::Help { friend: 3 },
        Goal::Path { path: 0, point: 0 },
    ];
    for goal in goals {
        let mut stage = stage();
        let n = somebody(&mut stage, [50.0, 50.0], 0);
        let other = somebody(&mut stage, [51.5, 53.5], 1);
        let friend = somebody(&mut stage, [47.0, 50.0], 0);
        assert_eq!([n, other, friend], [1, 2, 3]);
        let points = [place, place + Vec3::new(0.0, 3.0, 0.0), place - Vec3::new(3.0, 0.0, 0.0)];
        assert_eq!(stage.brains.paths.add(1, true, points), Some(0));
        if matches!(goal, Goal::Help { .. }) {
            stage.humans.people[friend].fight.struck_by = Some(other as u8);
        }
        stage.brains.enable(n, Temper::Fighter, goal);
        stage.humans.people[other].heading = 2.0;
        let (mut moved, mut turned, mut at) = (0.0, 0.0, stage.humans.people[n].position);
        for step in 0..90 {
            let heading = degrees_of_heading(stage.humans.people[n].heading);
            let stood = Position { point: stage.humans.people[n].position, heading };
            stage.step(REST);
            let human = &stage.humans.people[n];
            let walk = &stage.brains.walks.as_ref().unwrap()[n];
            let object = &walk.mover.object;
            assert!(is_answered(walk, stood, human.asked), "{goal:?} in step {step}: {:?}", human.asked);
            assert_eq!(object.parts.as_ref().unwrap().manager.lost(), 0);
            moved += (human.position - at).length();
            at = human.position;
            turned += human.turned.abs();
        }
        println!("{goal:?}: {moved} m, {turned} rad");
        assert!(moved > 1.0 && turned > 0.1, "{goal:?}: {moved} m, {turned} rad");
        let same = std::mem::discriminant(&stage.brains.goal(n)) == std::mem::discriminant(&goal);
        assert!(same, "{goal:?} became {:?}", stage.brains.goal(n));
    }
}

#[test]
fn the_exhaustion_of_a_brains_human_reaches_the_motion_system() {
    let mut stage = stage();
    let n = somebody(&mut stage, [70.0, 5.0], 0);
    let far = somebody(&mut stage, [70.0, 75.0], 1);
    stage.brains.gangs.get_mut(0).unwrap().enemies = 1 << 1;
    stage.brains.gangs.get_mut(0).unwrap().target = Some(far as u8);
    stage.brains.enable(n, Temper::Fighter, Goal::Attack { target: far as u8 });
    let told = |stage: &Stage| stage.brains.walks.as_ref().unwrap()[n].mover.reports[2];
    (0..40).for_each(|_| stage.step(REST));
    let human = &stage.humans.people[n];
    let (gait, stamina) = (human.gait, human.stamina);
    println!("gait {gait}, {stamina} stamina, {} m/s", human.speed);
    assert!(gait == 5 && stamina < 130.0 && told(&stage) == 0);
    stage.humans.people[n].stamina = 2.0;
    (0..30).for_each(|_| stage.step(REST));
    let human = &stage.humans.people[n];
    println!("gait {}, {} stamina, {} m/s, {} reports", human.gait, human.stamina, human.speed, told(&stage));
    assert_eq!((human.gait, human.stamina, told(&stage)), (4, 0.0, 1));
}

#[test]
fn what_the_physics_does_to_a_brains_human_reaches_the_motion_system() {
    let mut stage = stage();
    let n = somebody(&mut stage, [50.0, 50.0], 0);
    stage.brains.enable(n, Temper::Civilian, Goal::Idle);
    let told = |stage: &Stage| stage.brains.walks.as_ref().unwrap()[n].mover.reports;
    (0..5).for_each(|_| stage.step(REST));
    assert_eq!(told(&stage), [0, 0, 0]);
    stage.humans.people[n].position.z += 2.5;
    (0..4).for_each(|_| stage.step(REST));
    assert_eq!(told(&stage), [0, 1, 0]);
    (0..60).for_each(|_| stage.step(REST));
    assert_eq!(told(&stage), [1, 1, 0]);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "pending")]
fn a_frame_that_ends_with_unpaired_queues_is_noticed() {
    let mut stage = stage();
    let n = somebody(&mut stage, [50.0, 50.0], 0);
    let mover = &mut stage.brains.walks.as_mut().unwrap()[n].mover;
    for _ in 0..60 {
        mover.pass_time();
    }
    let node = MotionNode { context_id: 0, motion: MotionId::WALK_FORWARD, jump_error_code: None };
    mover.object.movement.as_mut().unwrap().interpreter.pending_motions.push(node);
    mover.pass_time();
}
