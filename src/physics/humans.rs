//! Humans meeting humans: who blocks whom, links, pushes, and what a pushed human makes of it.
//!
//! Source: seed 002, Human contacts.

use super::PhysicsWorld;
use super::constants::{IMMOVABLE, PLAYER_BODY_SCALE};
use super::contact::Contact;
use super::flags::{Answer, BodyFlags, ContactFlags, TypeMask};
use super::ids::{BodyId, OwnerId};
use super::owner::{Attribute, Owners};
use crate::maths::Vec3;

/// What a human's contact handler knows of the mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoverState {
    /// In the air.
    pub airborne: bool,
    /// Its capsule strikes: a charge.
    pub charging: bool,
    /// Above gait 3.
    pub running: bool,
    /// It is climbing and passes this triangle's material.
    pub climbs_through: bool,
}

impl MoverState {
    /// Whether its body strikes a thing of such layers: what charges, jumps and runs aim at is each a layer of its own.
    ///
    /// Source: seed 002, Collision layers (CHARGETARGET, JUMPTARGET, RUNTARGET).
    const fn strikes_thing(self, layers: BodyFlags) -> bool {
        self.charging && layers.has(BodyFlags::CHARGE_TARGET)
            || self.airborne && layers.has(BodyFlags::JUMP_TARGET)
            || self.running && layers.has(BodyFlags::RUN_TARGET)
    }
}

/// How a human answers a contact, and whether the contact is a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HumanAnswer {
    /// The answer.
    pub answer: Answer,
    /// The other is struck and ignored from now on.
    pub strikes: bool,
    /// The human lands.
    pub lands: bool,
}

/// What a human's contact is with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// The other owner's kind.
    pub kinds: TypeMask,
    /// The flags of its body.
    pub layers: BodyFlags,
    /// The mover ignores it already.
    pub ignored: bool,
}

/// A human's answer to a contact. `other` is what it meets, nothing for the level.
///
/// A landing is no obstacle: it is reported and the walk goes on.
///
/// Source: seed 002, Human contacts (Human_OnContact 0x00219d50).
// Covers: seed 002, Human_OnContact (0x00219d50) test=a_human_answers_the_level_objects_and_humans_by_its_state default=HumanAnswer { answer: Answer::PASS, strikes: false, lands: false }
pub fn human_answer(contact: &Contact, other: Option<Met>, mover: MoverState) -> HumanAnswer {
    let plain = |answer| HumanAnswer { answer, strikes: false, lands: false };
    match other {
        None if contact.flags.has(ContactFlags::LANDING) => {
            HumanAnswer { answer: Answer::SCALED, strikes: false, lands: true }
        }
        None if mover.climbs_through => plain(Answer::PASS),
        None => plain(Answer::SLIDE | Answer::SCALED),
        Some(met) if met.kinds.has(TypeMask::ANY_HEIGHT) => plain(Answer::SLIDE),
        Some(met) if met.kinds.has(TypeMask::HUMAN) => {
            if (mover.charging || mover.airborne) && !met.ignored {
                return HumanAnswer { answer: Answer::SLIDE, strikes: true, lands: false };
            }
            plain(Answer::PUSH.set(Answer::SCALED, mover.airborne))
        }
        Some(met) => {
            let strikes = !met.ignored && mover.strikes_thing(met.layers);
            HumanAnswer { answer: Answer::SLIDE | Answer::SCALED, strikes, lands: false }
        }
    }
}

/// What a human's body is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyWishes {
    /// A player's: larger across the ground, and slides brake it.
    pub player: bool,
    /// Contacts may push it.
    pub pushable: bool,
}

impl PhysicsWorld {
    /// Makes a human's body anew: the old one goes, and with it every link; the new one blocks walkers again.
    ///
    /// Source: seed 002, Human contacts (Human_CreatePhysicsBody 0x0021ce08) and Sweeping a body.
    // Covers: seed 002, Human_CreatePhysicsBody (0x0021ce08) test=a_human_blocks_again_only_after_a_heal_or_an_unarrest
    pub fn remake_human_body(
        &mut self,
        old: Option<BodyId>,
        owner: OwnerId,
        wishes: BodyWishes,
        owners: &dyn Owners,
    ) -> Option<BodyId> {
        if let Some(old) = old {
            self.free_human_body(old);
        }
        let id = self.create_human_body(owner, owners)?;
        self.set_pushable(id, wishes.pushable);
        self.set_player_body(id, wishes.player);
        Some(id)
    }

    /// Makes a body a player's or an AI's: the walking sphere's scale and the write-back of slid velocities.
    ///
    /// Source: seed 002, Sweeping a body (Human_MakePlayer, Human_ReleasePlayer).
    pub fn set_player_body(&mut self, id: BodyId, player: bool) {
        let body = self.body_mut(id);
        body.flags = body.flags.set(BodyFlags::WRITES_VELOCITY, player);
        let scale = if player { PLAYER_BODY_SCALE } else { 1.0 };
        body.scale = Vec3::new(scale, scale, 1.0);
    }

    /// Whether contacts may push a body. One that they may not is slid along.
    ///
    /// Source: seed 002, Human contacts (Human_SetPushable 0x0021d848).
    // Covers: seed 002, Human_SetPushable (0x0021d848) test=a_human_blocks_again_only_after_a_heal_or_an_unarrest
    pub fn set_pushable(&mut self, id: BodyId, pushable: bool) {
        let body = self.body_mut(id);
        body.flags = body.flags.set(BodyFlags::NOT_PUSHABLE, !pushable);
    }

    /// A human no longer blocks walkers: knocked out, wounded, out of health or cuffed.
    ///
    /// Source: seed 002, Human contacts (Human_StartWounded, Human_OnHealthOut, Human_Arrest).
    pub fn stop_blocking_humans(&mut self, id: BodyId) {
        let body = self.body_mut(id);
        body.flags = body.flags.without(BodyFlags::BLOCK_HUMANS).with(BodyFlags::DIRTY);
    }

    /// A human is knocked out: it no longer blocks walkers.
    ///
    /// Our choice: it becomes pushable again, as was seen at runtime; what clears the bit is not traced.
    ///
    /// Source: seed 002, Human contacts (Human_KnockOut 0x00230328).
    // Covers: seed 002, Human_KnockOut (0x00230328) test=a_human_blocks_again_only_after_a_heal_or_an_unarrest
    pub fn knock_out(&mut self, id: BodyId) {
        self.stop_blocking_humans(id);
        self.set_pushable(id, true);
    }

    /// A cuffed human is freed: it blocks walkers again. Besides this only a new body gives the flag back; waking up and
    /// the end of a wound do not.
    ///
    /// Source: seed 002, Human contacts (Human_Unarrest 0x0022ef58).
    // Covers: seed 002, Human_Unarrest (0x0022ef58) test=a_human_blocks_again_only_after_a_heal_or_an_unarrest
    pub fn unarrest(&mut self, id: BodyId) {
        self.body_mut(id).flags |= BodyFlags::BLOCK_HUMANS | BodyFlags::DIRTY;
    }

    /// Links humans so that they pass through each other and nobody moves them: a grab, mount, tackle or revive.
    ///
    /// Source: seed 002, Human contacts (Groups).
    pub fn link_humans(&mut self, bodies: &[BodyId], owners: &mut dyn Owners) -> u16 {
        let group = self.next_group();
        for &id in bodies {
            self.set_group(id, group, IMMOVABLE, owners);
        }
        group
    }

    /// Ends a link.
    ///
    /// Source: seed 002, Human contacts (Groups).
    pub fn unlink_humans(&mut self, bodies: &[BodyId], owners: &mut dyn Owners) {
        for &id in bodies {
            self.set_group(id, 0, 1.0, owners);
        }
    }

    /// Puts a human's body into a group that leaves its weight alone: a scene's. 0 is none.
    ///
    /// Source: seed 002, Human contacts (Groups).
    pub fn join_group(&mut self, id: BodyId, group: u16) {
        self.body_mut(id).group = group;
    }

    fn set_group(&mut self, id: BodyId, group: u16, push_weight: f32, owners: &mut dyn Owners) {
        self.body_mut(id).group = group;
        if let Some(owner) = self.body(id).owner {
            owners.set_attribute(owner, Attribute::PushWeight, push_weight);
        }
    }
}

/// How the one who is pushed stands to the pusher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A cop or a civilian.
    Stranger,
    /// Of the pusher's side, with the pusher at a jog or faster.
    Friend,
    /// Nobody who minds: of the pusher's side while it walks slowly, an enemy, a bum.
    Other,
}

/// What a push leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushReaction {
    /// Nothing.
    Nothing,
    /// The timer has started.
    Waits,
    /// It takes the push as an attack by the player.
    TakesOffence,
    /// It asks to change places with the pusher; [`may_change_places`] decides.
    AsksToChangePlaces,
}

/// The timer of a human that a player keeps pushing.
///
/// Source: seed 002, Human contacts (Human_OnPushContact 0x00219b08).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PushTimer {
    /// When the first push came, and until when a second one counts, in seconds of game time.
    running: Option<(f32, f32)>,
}

impl PushTimer {
    /// Seconds after the first push before a second one counts.
    const PATIENCE: f32 = 2.0;
    /// Seconds for which a stranger remembers the first push.
    const STRANGER: f32 = 10.0;
    /// Seconds for which a friend does.
    const FRIEND: f32 = 2.1;
    /// The move must go nearly straight in.
    const HEAD_ON: f32 = -0.8;

    /// A push by a player at `now` seconds, moving along the unit `direction` into the unit `normal`.
    // Covers: seed 002, Human_OnPushContact (0x00219b08) test=a_stranger_takes_offence_at_a_second_push_after_two_seconds_and_before_ten default=PushReaction::Nothing
    pub fn pushed(&mut self, now: f32, standing: Standing, direction: Vec3, normal: Vec3) -> PushReaction {
        self.tick(now);
        if direction.dot(normal) >= Self::HEAD_ON || standing == Standing::Other {
            return PushReaction::Nothing;
        }
        match self.running {
            None => {
                let memory = if standing == Standing::Friend { Self::FRIEND } else { Self::STRANGER };
                self.running = Some((now, now + memory));
                PushReaction::Waits
            }
            Some((first, _)) if now - first < Self::PATIENCE => PushReaction::Waits,
            Some(_) => {
                self.running = None;
                match standing {
                    Standing::Friend => PushReaction::AsksToChangePlaces,
                    _ => PushReaction::TakesOffence,
                }
            }
        }
    }

    /// Forgets a first push that is too long ago; once a step of the human's states.
    pub fn tick(&mut self, now: f32) {
        if self.running.is_some_and(|(_, deadline)| now > deadline) {
            self.running = None;
        }
    }
}

/// What decides whether two humans may change places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readiness {
    /// In a fight stance.
    pub fights: bool,
    /// Held flags.
    pub held: u32,
    /// State bits.
    pub states: u64,
}

impl Readiness {
    /// Held flags of which none may be set.
    const HELD: u32 = 0x2fef_efff;
    /// States of which none may be set.
    const STATES: u64 = 0x7bf_9e9f_7ff0;

    fn is_free(self) -> bool {
        !self.fights && self.held & Self::HELD == 0 && self.states & Self::STATES == 0
    }
}

/// Whether a pushed friend lets the player through.
///
/// Source: seed 002, Human contacts (Human_CanPush 0x002320a0).
// Covers: seed 002, Human_CanPush (0x002320a0) test=busy_humans_do_not_change_places
pub fn may_change_places(a: Readiness, b: Readiness) -> bool {
    a.is_free() && b.is_free()
}

/// Puts each human where the other is, each with its own rotation.
///
/// Source: seed 002, Human contacts (Human_CanPush 0x002320a0).
pub fn change_places(world: &mut PhysicsWorld, a: BodyId, b: BodyId, owners: &mut dyn Owners) {
    let (Some(first), Some(second)) = (world.body(a).owner, world.body(b).owner) else { return };
    let (here, there) = (owners.pose(first).position, owners.pose(second).position);
    owners.set_position(first, there);
    owners.set_position(second, here);
    world.body_moved(a, owners);
    world.body_moved(b, owners);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::bench::{Things, human};
    use crate::physics::contact::Half;

    const LEVEL: Contact = Contact {
        normal: Vec3::Z,
        point: Vec3::ZERO,
        slide: Vec3::ZERO,
        fraction: 0.0,
        flags: ContactFlags::NONE,
        mover: Half { owner: None, body: None, shape: None },
        other: Half { owner: None, body: None, shape: None },
        triangle: None,
    };

    fn answer(other: Option<TypeMask>, mover: MoverState, ignored: bool) -> (u32, bool) {
        let met = other.map(|kinds| Met { kinds, layers: BodyFlags::NONE, ignored });
        let answer = human_answer(&LEVEL, met, mover);
        (answer.answer.0, answer.strikes)
    }

    #[test]
    fn a_human_answers_the_level_objects_and_humans_by_its_state() {
        let walks = MoverState::default();
        let flies = MoverState { airborne: true, ..walks };
        let charges = MoverState { charging: true, ..walks };
        let man = Some(TypeMask::HUMAN);
        assert_eq!(answer(None, walks, false), (0x20001, false));
        assert_eq!(answer(None, MoverState { climbs_through: true, ..walks }, false), (0, false));
        assert_eq!(answer(Some(TypeMask(8)), walks, false), (0x20001, false));
        assert_eq!(answer(Some(TypeMask::ANY_HEIGHT), walks, false), (1, false));
        assert_eq!(answer(man, walks, false), (4, false));
        assert_eq!(answer(man, flies, true), (0x20004, false));
        assert_eq!(answer(man, flies, false), (1, true));
        assert_eq!(answer(man, charges, false), (1, true));
        assert_eq!(answer(man, charges, true), (4, false));
    }

    #[test]
    fn a_thing_is_struck_once_by_the_mover_that_its_layers_name() {
        let still = MoverState::default();
        let movers = [
            MoverState { charging: true, ..still },
            MoverState { airborne: true, ..still },
            MoverState { running: true, ..still },
            still,
        ];
        let layers = [BodyFlags::CHARGE_TARGET, BodyFlags::JUMP_TARGET, BodyFlags::RUN_TARGET];
        for (n, mover) in movers.into_iter().enumerate() {
            for (layer, flags) in layers.into_iter().enumerate() {
                let met = Met { kinds: TypeMask(8), layers: flags | BodyFlags::BLOCK_HUMANS, ignored: false };
                let found = human_answer(&LEVEL, Some(met), mover);
                assert_eq!((found.answer.0, found.strikes), (0x20001, n == layer), "mover {n}, layer {layer}");
                assert!(!human_answer(&LEVEL, Some(Met { ignored: true, ..met }), mover).strikes);
            }
            let blocks = Met { kinds: TypeMask(8), layers: BodyFlags::BLOCK_HUMANS, ignored: false };
            assert!(!human_answer(&LEVEL, Some(blocks), mover).strikes, "it only stops mover {n}");
        }
    }

    #[test]
    fn a_landing_is_reported_and_stops_nothing() {
        let landing = Contact { flags: ContactFlags::LANDING, ..LEVEL };
        let found = human_answer(&landing, None, MoverState { airborne: true, ..MoverState::default() });
        assert!(found.lands && found.answer.code() == 0);
    }

    #[test]
    fn a_human_blocks_again_only_after_a_heal_or_an_unarrest() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let man = things.add(human(Vec3::ZERO));
        let wishes = BodyWishes { player: false, pushable: false };
        let mut body = world.remake_human_body(None, man, wishes, &things).unwrap();
        let mut seen = alloc::vec::Vec::new();
        let mut note = |world: &mut PhysicsWorld, things: &mut Things, body| {
            world.update_body(body, things);
            seen.push(world.body(body).flags.0);
        };
        note(&mut world, &mut things, body);
        world.knock_out(body);
        note(&mut world, &mut things, body);
        // Waking up writes no body flag.
        note(&mut world, &mut things, body);
        let healed = BodyWishes { pushable: true, ..wishes };
        body = world.remake_human_body(Some(body), man, healed, &things).unwrap();
        note(&mut world, &mut things, body);
        world.stop_blocking_humans(body);
        note(&mut world, &mut things, body);
        // The end of a wound writes none either.
        note(&mut world, &mut things, body);
        body = world.remake_human_body(Some(body), man, healed, &things).unwrap();
        note(&mut world, &mut things, body);
        world.stop_blocking_humans(body);
        world.unarrest(body);
        note(&mut world, &mut things, body);
        assert_eq!(seen, [0x2223f, 0x2203b, 0x2203b, 0x2203f, 0x2203b, 0x2203b, 0x2203f, 0x2203f]);
    }

    #[test]
    fn a_players_body_is_larger_and_written_back_until_it_is_released() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let man = things.add(human(Vec3::ZERO));
        let wishes = BodyWishes { player: true, pushable: true };
        let body = world.remake_human_body(None, man, wishes, &things).unwrap();
        assert!((world.body(body).scale.x - 1.4286).abs() < 1e-4 && world.body(body).scale.z == 1.0);
        assert!(world.body(body).flags.has(BodyFlags::WRITES_VELOCITY));
        world.set_player_body(body, false);
        assert_eq!(world.body(body).scale, Vec3::splat(1.0));
        assert!(!world.body(body).flags.has(BodyFlags::WRITES_VELOCITY));
    }

    #[test]
    fn a_link_gives_one_group_and_immovable_weights_and_its_end_takes_both() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let (a, b) = (things.add(human(Vec3::ZERO)), things.add(human(Vec3::X)));
        let bodies = [a, b].map(|owner| world.create_human_body(owner, &things).unwrap());
        let group = world.link_humans(&bodies, &mut things);
        assert_eq!((world.body(bodies[0]).group, world.body(bodies[1]).group), (group, group));
        assert_eq!(things.attribute(b, Attribute::PushWeight), 1e9);
        world.unlink_humans(&bodies, &mut things);
        assert_eq!((world.body(bodies[0]).group, things.attribute(a, Attribute::PushWeight)), (0, 1.0));
    }

    const IN: (Vec3, Vec3) = (Vec3::X, Vec3::new(-1.0, 0.0, 0.0));

    #[test]
    fn a_stranger_takes_offence_at_a_second_push_after_two_seconds_and_before_ten() {
        let push = |timer: &mut PushTimer, now| timer.pushed(now, Standing::Stranger, IN.0, IN.1);
        let mut timer = PushTimer::default();
        assert_eq!(push(&mut timer, 0.0), PushReaction::Waits);
        assert_eq!(push(&mut timer, 1.9), PushReaction::Waits);
        assert_eq!(push(&mut timer, 2.0), PushReaction::TakesOffence);
        assert_eq!(push(&mut timer, 5.0), PushReaction::Waits);
        timer.tick(15.5);
        assert_eq!(push(&mut timer, 15.5), PushReaction::Waits);
        assert_eq!(push(&mut timer, 17.0), PushReaction::Waits);
        assert_eq!(push(&mut timer, 25.5), PushReaction::TakesOffence);
    }

    #[test]
    fn a_friend_is_asked_to_change_places_only_just_after_two_seconds() {
        let push = |timer: &mut PushTimer, now| timer.pushed(now, Standing::Friend, IN.0, IN.1);
        let mut timer = PushTimer::default();
        push(&mut timer, 0.0);
        assert_eq!(push(&mut timer, 2.05), PushReaction::AsksToChangePlaces);
        push(&mut timer, 10.0);
        assert_eq!(push(&mut timer, 12.2), PushReaction::Waits);
    }

    #[test]
    fn a_glancing_push_and_one_of_somebody_else_start_nothing() {
        let mut timer = PushTimer::default();
        let glancing = Vec3::new(0.7, 0.714, 0.0);
        assert_eq!(timer.pushed(0.0, Standing::Stranger, glancing, IN.1), PushReaction::Nothing);
        assert_eq!(timer.pushed(0.0, Standing::Other, IN.0, IN.1), PushReaction::Nothing);
        assert_eq!(timer, PushTimer::default());
    }

    #[test]
    fn busy_humans_do_not_change_places() {
        let free = Readiness::default();
        assert!(may_change_places(free, Readiness { held: 0x1000, states: 0xf, ..free }));
        assert!(!may_change_places(free, Readiness { fights: true, ..free }));
        assert!(!may_change_places(Readiness { held: 0x800, ..free }, free));
        assert!(!may_change_places(free, Readiness { states: 0x10, ..free }));
    }

    #[test]
    fn humans_that_change_places_keep_their_rotations() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let (a, b) = (things.add(human(Vec3::ZERO)), things.add(human(Vec3::X)));
        things.get_mut(a).pose.rotation = crate::maths::Quat::from_heading(1.0);
        let bodies = [a, b].map(|owner| world.create_human_body(owner, &things).unwrap());
        change_places(&mut world, bodies[0], bodies[1], &mut things);
        assert_eq!((things.get(a).pose.position, things.get(b).pose.position), (Vec3::X, Vec3::ZERO));
        assert_eq!(things.get(a).pose.rotation, crate::maths::Quat::from_heading(1.0));
        assert!(world.body(bodies[0]).flags.has(BodyFlags::DIRTY));
    }
}
