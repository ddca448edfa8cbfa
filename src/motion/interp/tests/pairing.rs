//! The promise that both queues hold the same motions.

use super::*;
use crate::motion::table::build::sample;

#[derive(Clone, Copy, Debug)]
enum Step {
    Do(MotionId),
    DoInterpreted(MotionId),
    Stop(MotionId),
    StopCompletely,
    Key(bool),
    Jump,
    Land,
    Done,
    Check,
    Default,
    Stick,
    Cell(bool),
    Leave,
    Frames,
}

fn step() -> impl Strategy<Value = Step> {
    let motion = prop::sample::select(alloc::vec![
        MotionId::READY,
        MotionId::WALK_FORWARD,
        MotionId::WALK_BACKWARDS,
        MotionId::RUN_FORWARD,
        MotionId::CROUCH,
        MotionId::TURN_LEFT,
        MotionId::SIDE_STEP_LEFT,
        MotionId::DEAD,
        COMBAT,
        MotionId::NON_COMBAT,
        ACTION,
        CHEER,
    ]);
    prop_oneof![
        4 => motion.clone().prop_map(Step::Do),
        2 => motion.clone().prop_map(Step::DoInterpreted),
        2 => motion.prop_map(Step::Stop),
        1 => Just(Step::StopCompletely),
        1 => any::<bool>().prop_map(Step::Key),
        1 => Just(Step::Jump),
        1 => Just(Step::Land),
        3 => Just(Step::Done),
        2 => Just(Step::Check),
        1 => Just(Step::Default),
        1 => Just(Step::Stick),
        1 => any::<bool>().prop_map(Step::Cell),
        1 => Just(Step::Leave),
        3 => Just(Step::Frames),
    ]
}

proptest! {
    // The promise that completions can be matched by position alone.
    #[test]
    fn both_queues_hold_the_same_motions_whatever_happens(
        steps in prop::collection::vec(step(), 0..80), waits in prop::option::of(0u32..3), autonomous: bool,
    ) {
        let mut bench = with_weenie(grounded(), creature(1.5));
        let table = waits.map_or_else(|| BenchTable::Table(sample().build().unwrap()), BenchTable::Accept);
        bench.parts = Some(TablePartArray::new(Some(table)));
        bench.body.as_mut().unwrap().autonomous = autonomous;
        bench.mover().enter_default_state();
        for step in steps {
            let mut mover = bench.mover();
            match step {
                Step::Do(motion) => drop(mover.do_motion(motion, &p())),
                Step::DoInterpreted(motion) => drop(mover.do_interpreted_motion(motion, &p())),
                Step::Stop(motion) => drop(mover.stop_motion(motion, &p())),
                Step::StopCompletely => mover.stop_completely(),
                Step::Key(run) => mover.set_hold_run(run, true),
                Step::Jump => drop(mover.jump(0.5)),
                Step::Land => {
                    if let Some(body) = bench.body.as_mut() {
                        (body.contact, body.walkable) = (true, true);
                    }
                    bench.mover().hit_ground();
                }
                Step::Done => mover.animation_done(true),
                Step::Check => mover.check_for_completed_motions(),
                Step::Default => mover.enter_default_state(),
                Step::Stick => mover.stick_to(9, 0.5, 2.0),
                Step::Cell(cell) => bench.body.as_mut().unwrap().cell = cell,
                Step::Leave => mover.parts_handle_exit_world(),
                Step::Frames => (0..4).for_each(|_| bench.frame(1.0 / 30.0, true)),
            }
            let nodes: Vec<AnimationNode> =
                bench.parts.as_ref().unwrap().manager.pending_animations.iter().copied().collect();
            prop_assert!(bench.mover().queues_are_paired(), "{:?} against {:?}", pending(&bench), nodes);
        }
        bench.mover().parts_handle_exit_world();
        prop_assert!(!bench.movement.motions_pending());
    }
}
