//! The clips by what they are for, looked up once.

use super::numbers::GAITS;
use super::speeds::Speeds;
use crate::animation::library::{ClipIndex, ClipLibrary};

/// A clip that the cast needs is not in the library; its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingClip(pub u16);

macro_rules! cast {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// What everybody can play. Source: humans and combat, Data (slots) and A minimal authored cast.
        #[derive(Clone, Copy, Debug)]
        pub struct Cast {
            $($(#[$doc])* pub $name: ClipIndex,)*
        }

        impl Cast {
            /// Looks every clip up.
            ///
            /// # Errors
            /// The first that is missing.
            pub fn find(library: &ClipLibrary) -> Result<Self, MissingClip> {
                let find = |id| library.find(id).ok_or(MissingClip(id));
                Ok(Self { $($name: find($id)?,)* })
            }

            /// The numbers of all of them.
            pub const IDS: &[u16] = &[$($id,)*];
        }
    };
}

cast! {
    /// Standing.
    idle = 388,
    /// Sneaking.
    sneak = 407,
    /// Walking.
    walk = 408,
    /// Jogging.
    jog = 409,
    /// Running.
    run = 410,
    /// Sprinting.
    sprint = 411,
    /// From standing to a walk.
    walk_start = 413,
    /// From standing to a run.
    run_start = 414,
    /// Out of a run.
    run_stop = 417,
    /// A turn on the spot to the right, up to a quarter.
    turn_right = 395,
    /// The same to the left.
    turn_left = 396,
    /// A turn on the spot to the right, more than a quarter.
    turn_far_right = 397,
    /// The same to the left.
    turn_far_left = 398,
    /// A step ahead.
    step_ahead = 401,
    /// A step back.
    step_back = 402,
    /// A step to the right.
    step_right = 400,
    /// A step to the left.
    step_left = 399,
    /// A quick step ahead.
    dash_ahead = 403,
    /// A quick step back.
    dash_back = 404,
    /// A quick step to the right.
    dash_right = 405,
    /// A quick step to the left.
    dash_left = 406,
    /// Standing in the stance.
    fight_idle = 358,
    /// Ahead in the stance.
    stance_ahead = 380,
    /// Back in the stance.
    stance_back = 366,
    /// To the right in the stance.
    stance_right = 368,
    /// To the left in the stance.
    stance_left = 360,
    /// Out of the stance.
    fight_to_ease = 389,
    /// Blocking.
    block = 606,
    /// A blocked hit. Our choice of number.
    block_hit = 607,
    /// In a jump.
    jump = 434,
    /// Landing from a standing jump.
    land = 435,
    /// Landing on the move.
    land_running = 436,
    /// The ground is gone.
    drop_start = 427,
    /// Falling.
    drop = 428,
    /// Landing from a fall.
    drop_land = 429,
    /// Lying on the back.
    lie_on_back = 196,
    /// Lying on the face. Our choice of number.
    lie_on_face = 198,
    /// Rising from the back.
    rise_from_back = 199,
    /// Rising from the face. Our choice of number.
    rise_from_face = 200,
    /// Taking a thing from the ground. Our choice of number.
    pick_up = 317,
    /// Throwing. Our choice of number.
    throw = 653,
    /// Up to an edge at the hips or the chest. Our choice of number.
    climb_low = 440,
    /// Over an edge. Our choice of number.
    climb_over = 441,
    /// Down from an edge. Our choice of number.
    climb_down = 442,
    /// Up to an edge over the head. Our choice of number.
    climb_high = 446,
    /// Onto what has been climbed. Our choice of number; a wall's clips are twelve after a fence's.
    climb_onto = 453,
    /// Rising on what has been climbed. Our choice of number.
    climb_rise = 454,
    /// Grabbing. Our choice of number.
    grab = 212,
    /// Holding somebody. Our choice of number.
    hold = 213,
    /// Being held. Our choice of number.
    grabbed = 193,
    /// Being taken hold of, in step with the grab. Our choice of number.
    seized = 194,
    /// The arm that holds something.
    carry = 668,
}

impl Cast {
    /// The speeds that the clips have.
    pub fn speeds(&self, library: &ClipLibrary) -> Speeds {
        let of = |clip: ClipIndex| library.clip(clip).speed();
        let mut gaits = [0.0; GAITS];
        for (gait, clip) in gaits[1..].iter_mut().zip([self.sneak, self.walk, self.jog, self.run, self.sprint]) {
            *gait = of(clip);
        }
        Speeds { base: of(self.stance_ahead), gaits }
    }

    /// Whether a clip leaves the arm to what the hand holds: who stands, goes or jumps at ease carries it.
    pub fn frees_the_arm(&self, clip: ClipIndex) -> bool {
        let clips =
            [self.idle, self.sneak, self.walk, self.jog, self.run, self.sprint, self.walk_start, self.run_start];
        let turns = [self.turn_right, self.turn_left, self.turn_far_right, self.turn_far_left, self.run_stop];
        let air = [self.jump, self.drop_start, self.drop, self.land, self.land_running, self.drop_land];
        clips.contains(&clip) || turns.contains(&clip) || air.contains(&clip)
    }

    /// The step to a side: radians clockwise from ahead, quick or not.
    ///
    /// Source: humans and combat, AI locomotion (Step control).
    pub fn step(&self, side: f32, quick: bool) -> ClipIndex {
        let [ahead, back, right, left] = if quick {
            [self.dash_ahead, self.dash_back, self.dash_right, self.dash_left]
        } else {
            [self.step_ahead, self.step_back, self.step_right, self.step_left]
        };
        match side.abs().to_degrees() {
            off if off <= 22.5 => ahead,
            off if off >= 112.5 => back,
            _ if side > 0.0 => right,
            _ => left,
        }
    }

    /// The clips of the gait blend.
    pub fn gaits(&self) -> [ClipIndex; crate::animation::task::GAITS] {
        [self.walk, self.jog, self.run, self.sprint]
    }
}
