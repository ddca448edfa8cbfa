//! The frame of a mode that runs the world.

use super::error_screen::{ErrorHost, push_error_if_needed};
use super::id::ModeId;
use super::leave::{LeaveHost, LeaveReason, leave};
use super::mode::Stay;
use super::stack::elapsed_since_last;
use crate::clock::time;

/// How a mode's frame advances game time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The fixed step is switched on at the start of each frame: modes 8 and 0xb.
    Fixed,
    /// The clock stays as it is. Our choice: mode 1 runs the same steps as the other two on real time.
    AsIs,
}

/// "Cameras set up this frame": set by the first viewport's camera set-up, cleared when the frame is presented.
///
/// Source: seed 003, The rest of main's unit (0x0050b6f8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CamerasSetUp(bool);

impl CamerasSetUp {
    /// Marks the cameras as set up; true when they were not, so that the caller sets them up once a frame.
    // Covers: seed 003, Frame_MarkCamerasSetUp (0x001448c8) test=presenting_clears_the_cameras_set_up_flag
    pub const fn mark(&mut self) -> bool {
        !core::mem::replace(&mut self.0, true)
    }

    /// The frame is presented.
    // Covers: seed 003, Frame_ClearCamerasSetUp (0x001448f0) test=presenting_clears_the_cameras_set_up_flag
    pub const fn clear(&mut self) {
        self.0 = false;
    }
}

/// What a frame does, step by step. The order is [`run_frame`]'s.
pub trait FrameHost: ErrorHost + LeaveHost {
    /// Switches game time to fixed steps.
    fn use_fixed_step(&mut self);
    /// Moves the mode's clock on by one frame.
    fn update_clock(&mut self);
    /// The task engine's pairs of 60 Hz ticks: characters and pads, the wheel, physics; then game state and spawns.
    fn run_tick_pairs(&mut self);
    /// Hands player 1's view to the renderer.
    fn hand_over_cameras(&mut self);
    /// Objects, cars, lights, particles and scenes.
    fn update_managers(&mut self);
    /// Streams the world's resources.
    fn stream_resources(&mut self);
    /// Flushes the render queue.
    fn flush_render_queue(&mut self);
    /// The world's own update.
    fn update_world(&mut self);
    /// The resource manager's update.
    fn update_resources(&mut self);
    /// Viewports on the screen, 1 or 2.
    fn viewports(&self) -> usize;
    /// Draws one viewport.
    fn render_viewport(&mut self, viewport: usize);
    /// HUD, subtitles, front-end layers and screen effects; `seconds` have passed since the mode's last frame.
    fn draw_overlays(&mut self, seconds: f32);
    /// What scripts do each frame; `seconds` have passed since the mode's last frame.
    fn run_scripts(&mut self, seconds: f32);
    /// Queues the picture for showing.
    fn present(&mut self);
    /// The flag that [`present`](Self::present) clears.
    fn cameras_set_up(&mut self) -> &mut CamerasSetUp;
    /// Collects a finished read and starts the next.
    fn service_files(&mut self);
    /// Counts the frame for the debug text.
    fn count_frame(&mut self);
}

/// One frame of a mode, in the settled order.
///
/// `reason` is what the mode is leaving for, if it was asked to. It stays on the stack until then; what leaving pops is done
/// inside, so the answer is always to stay.
///
/// Source: seed 003, One in-game frame; settled questions 2 and 3.
// Covers: seed 003, Gm_InGame::Update (0x0015d160) test=the_steps_run_in_the_settled_order
pub fn run_frame<G: FrameHost>(game: &mut G, mode: ModeId, pace: Pace, reason: fn(&G) -> Option<LeaveReason>) -> Stay {
    // 1. The fixed step.
    if pace == Pace::Fixed {
        game.use_fixed_step();
    }
    // 2. The clock, and how much of it this frame has.
    game.update_clock();
    let seconds = time::seconds(elapsed_since_last(game, mode));
    // 3. The tick pairs.
    game.run_tick_pairs();
    // 4. The cameras.
    game.hand_over_cameras();
    // 5. The managers.
    game.update_managers();
    // 6. Streaming and the world. The characters have had their steps in the tick pairs.
    game.stream_resources();
    game.flush_render_queue();
    game.update_world();
    game.update_resources();
    // 7. The viewports.
    for viewport in 0..game.viewports() {
        game.render_viewport(viewport);
    }
    // 8. Overlays.
    game.draw_overlays(seconds);
    // 9. Scripts.
    game.run_scripts(seconds);
    // 10. The picture.
    game.present();
    game.cameras_set_up().clear();
    // 11. Files.
    game.service_files();
    // 12. Errors.
    push_error_if_needed(game);
    // 13. The debug text.
    game.count_frame();
    // 14. Leaving. Our choice: not in a frame that has pushed the error mode, which the original would pop instead.
    if game.stack().top() == Some(mode)
        && let Some(reason) = reason(game)
    {
        leave(game, reason);
    }
    // 15. Stay.
    Stay::Stay
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::*;
    use crate::clock::time::STEP;

    const NO_REASON: fn(&FakeGame) -> Option<LeaveReason> = |_| None;

    #[test]
    fn the_steps_run_in_the_settled_order() {
        let mut game = FakeGame { viewports: 2, ..FakeGame::default() };
        enter_mode(&mut game, ModeId::LevelFlow);
        game.log.clear();
        assert_eq!(run_frame(&mut game, ModeId::LevelFlow, Pace::Fixed, NO_REASON), Stay::Stay);
        let expected = [
            "fixed step",
            "clock",
            "tick pairs",
            "cameras",
            "managers",
            "streaming",
            "flush",
            "world",
            "resources",
            "viewport 0",
            "viewport 1",
            "overlays 0.0333",
            "scripts 0.0333",
            "present",
            "files",
            "count",
        ];
        assert_eq!(game.log, expected);
    }

    #[test]
    fn a_frame_at_its_own_pace_leaves_the_clock_as_it_is() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::Gameplay);
        run_frame(&mut game, ModeId::Gameplay, Pace::AsIs, NO_REASON);
        assert!(!game.log.contains(&"fixed step".into()) && !game.timer.is_fixed());
    }

    #[test]
    fn the_first_frame_has_one_step_on_the_fixed_step_and_later_ones_too() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::LevelFlow);
        for _ in 0..3 {
            run_frame(&mut game, ModeId::LevelFlow, Pace::Fixed, NO_REASON);
        }
        assert_eq!(game.timer.ticks(), 3 * STEP);
        assert_eq!(game.log.iter().filter(|line| *line == "scripts 0.0333").count(), 3);
    }

    #[test]
    fn presenting_clears_the_cameras_set_up_flag() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::LevelFlow);
        assert!(game.cameras.mark());
        assert!(!game.cameras.mark(), "once a frame");
        run_frame(&mut game, ModeId::LevelFlow, Pace::Fixed, NO_REASON);
        assert!(game.cameras.mark());
    }

    #[test]
    fn a_fault_pushes_the_error_mode_after_the_files_are_served() {
        let mut game = FakeGame { faulty: true, ..FakeGame::default() };
        enter_mode(&mut game, ModeId::LevelFlow);
        run_frame(&mut game, ModeId::LevelFlow, Pace::Fixed, NO_REASON);
        assert_eq!(game.top(), Some(ModeId::Error));
    }

    #[test]
    fn a_fault_puts_leaving_off() {
        let mut game = FakeGame { faulty: true, ..FakeGame::default() };
        enter_mode(&mut game, ModeId::LevelFlow);
        enter_mode(&mut game, ModeId::MissionComplete);
        run_frame(&mut game, ModeId::MissionComplete, Pace::Fixed, |_| Some(LeaveReason::NextLevel));
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::MissionComplete, ModeId::Error]);
        assert!(!game.log.contains(&"next level".into()));
    }

    #[test]
    fn a_reason_to_leave_is_followed_last() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::LevelFlow);
        enter_mode(&mut game, ModeId::Gameplay);
        run_frame(&mut game, ModeId::Gameplay, Pace::AsIs, |_| Some(LeaveReason::NextLevel));
        let leaving: std::vec::Vec<_> = game.log.iter().skip_while(|line| *line != "count").skip(1).collect();
        assert_eq!(leaving, ["unload", "fixed step", "next level", "fourth difficulty", "bank"]);
        assert_eq!(game.top(), Some(ModeId::LevelFlow));
    }
}
