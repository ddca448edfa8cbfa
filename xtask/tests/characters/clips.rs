//! What flags of clips mean while they play.

use super::*;
use boardwalk::human::Notice;
use boardwalk::human::numbers::{SNEAK, WALK};
use boardwalk::human::person::Asked;

#[test]
fn who_sneaks_is_not_heard_and_who_walks_is() {
    let steps = |gait: u8| {
        let mut stage = stage();
        let n = stage.spawn(Spawn { position: START + Vec3::X * 3.0, ..Spawn::default() }).unwrap();
        let mut heard = 0;
        for step in 0..120 {
            stage.humans.people[n].asked = Asked { gait, ..Asked::default() };
            stage.humans.notices.clear();
            stage.step(REST);
            let notices = stage.humans.notices.iter();
            let own = notices.filter(|notice| matches!(notice, Notice::Step { human, .. } if usize::from(*human) == n));
            // The start clip is a walk's.
            heard += if step > 40 { own.count() } else { 0 };
        }
        println!("gait {gait}: {heard} steps, playing {}", stage.humans.people[n].playing);
        heard
    };
    assert_eq!(steps(SNEAK), 0);
    assert!((3..12).contains(&steps(WALK)));
}

#[test]
fn the_feet_keep_their_step_from_one_stance_walk_to_another_and_not_from_the_idle() {
    let mut stage = stage();
    let cast = stage.humans.cast;
    stage.humans.play_loop(0, cast.stance_ahead, 0.1, 0);
    (0..8).for_each(|_| stage.humans.animate_human(0));
    let before = stage.humans.played(0);
    stage.humans.play_loop(0, cast.stance_right, 0.1, 0);
    let after = stage.humans.played(0);
    println!("{before} and then {after}");
    assert!(before > 0.2 && (after - before).abs() < 1e-3);
    stage.humans.play_loop(0, cast.idle, 0.1, 0);
    assert_eq!(stage.humans.played(0), 0.0);
}
