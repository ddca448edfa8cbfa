//! Everybody: the places, what they share, and who comes and goes.

use super::cast::{Cast, MissingClip};
use super::climb::Ahead;
use super::numbers::AnimState;
use super::owners::{human_of_owner, owner_of_human};
use super::person::{Human, Spawn};
use crate::animation::library::ClipLibrary;
use crate::animation::pool::AnimPool;
use crate::animation::skeleton::Skeleton;
use crate::collision::CollisionMesh;
use crate::combat::FightTable;
use crate::combat::commands::command;
use crate::combat::deeds::{DEEDS, Deed};
use crate::maths::{Pose, Vec3};
use crate::physics::PhysicsWorld;
use crate::physics::humans::BodyWishes;
use crate::physics::ids::OwnerId;
use crate::tasks::engine::TaskEngine;
use crate::tasks::humans::HUMANS;
use crate::tasks::humans::gates::state as gate_state;
use crate::tasks::humans::records::PlayerRecords;
use crate::tasks::owners::TaskOwners;
use crate::tasks::world::PLAYERS;
use alloc::boxed::Box;
use alloc::vec;

/// Something that happened to a human and that others show or sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notice {
    /// A foot came down.
    Step {
        /// Whose.
        human: u8,
        /// Where.
        at: Vec3,
        /// On what.
        material: u8,
        /// How fast.
        gait: u8,
    },
    /// Somebody landed.
    Landed {
        /// Who.
        human: u8,
        /// Where.
        at: Vec3,
        /// Metres a second down.
        speed: f32,
    },
    /// A hit.
    Hit {
        /// Who struck; `None` for a fall.
        by: Option<u8>,
        /// Who was struck.
        human: u8,
        /// Where.
        at: Vec3,
        /// 0 light to 3 crushing.
        strength: u8,
        /// It was blocked.
        blocked: bool,
    },
    /// Somebody went down for good or for a while.
    Down {
        /// Who.
        human: u8,
        /// Dead.
        dead: bool,
    },
    /// Somebody puts everything into it.
    Effort {
        /// Who.
        human: u8,
        /// Where.
        at: Vec3,
    },
    /// The thing in the hand flies off.
    Release {
        /// Whose.
        human: u8,
        /// From where.
        at: Vec3,
    },
    /// The hand takes what is before it.
    Take {
        /// Whose.
        human: u8,
        /// Where.
        at: Vec3,
    },
}

/// Notices of one step; more are lost and counted.
const NOTICES: usize = 64;
/// Blows that one human can deal or take in its turn of a step.
const BLOWS: usize = 16;

/// Somebody struck somebody: whoever carries events hands it on before the next human's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blow {
    /// Who struck.
    pub by: u8,
    /// Who was struck.
    pub victim: u8,
}

/// All humans and what they share.
#[derive(Debug)]
pub struct Humans {
    /// The places.
    pub people: Box<[Human]>,
    /// The clips.
    pub library: ClipLibrary,
    /// What blows cost and what people bear.
    pub table: FightTable,
    /// The clips by what they are for.
    pub cast: Cast,
    /// The bones.
    pub skeleton: Skeleton,
    /// The animation tasks.
    pub pool: AnimPool,
    /// Where the players' cameras look, radians clockwise from +y: sticks are turned by it.
    pub camera_heading: [f32; PLAYERS as usize],
    /// What has happened; whoever shows it takes it.
    pub notices: heapless::Vec<Notice, NOTICES>,
    /// Notices that found no room.
    pub notices_lost: u32,
    /// Blows that nobody has heard of yet.
    pub blows: heapless::Vec<Blow, BLOWS>,
    /// What was done to things and nobody has carried out yet.
    pub deeds: heapless::Vec<Deed, DEEDS>,
    /// Gangs whose people are strangers to everybody, a bit each.
    pub strangers: u32,
    /// Gangs whose people are only wounded when their health is out, a bit each. A player is dead all the same.
    pub spared: u32,
    /// Who has asked whom to change places.
    pub swap: Option<(u8, u8)>,
    /// Steps since the level began.
    pub now: u32,
    /// Where the players are, as of the step's beginning.
    pub(super) eyes: [Option<Vec3>; PLAYERS as usize],
}

impl Humans {
    /// Nobody yet. Memory is taken here only.
    ///
    /// # Errors
    /// A clip that the cast needs is not in the library.
    pub fn new(library: ClipLibrary, table: FightTable) -> Result<Self, MissingClip> {
        let cast = Cast::find(&library)?;
        Ok(Self {
            people: vec![Human::nobody(); HUMANS].into_boxed_slice(),
            library,
            table,
            cast,
            skeleton: Skeleton::new(),
            pool: AnimPool::new(),
            camera_heading: [0.0; PLAYERS as usize],
            notices: heapless::Vec::new(),
            notices_lost: 0,
            blows: heapless::Vec::new(),
            deeds: heapless::Vec::new(),
            strangers: 0,
            spared: 0,
            swap: None,
            now: 0,
            eyes: [None; PLAYERS as usize],
        })
    }

    /// Somebody comes, in the place of a corpse when there is no other; `None` when every place is taken or no body is left.
    pub fn spawn(&mut self, spawn: Spawn, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) -> Option<usize> {
        let (place, _) = tasks.create_human(|| self.cull_corpse(physics)).ok()?;
        let n = usize::from(place);
        self.people[n] = Human::new(spawn, self.cast.speeds(&self.library));
        let wishes = BodyWishes { player: spawn.player.is_some(), pushable: true };
        let owner = owner_of_human(n);
        self.place_bones(n);
        let body = physics.remake_human_body(None, owner, wishes, &TaskOwners::with_humans(tasks, self));
        let Some(body) = body else {
            self.people[n] = Human::nobody();
            tasks.release_human(place);
            return None;
        };
        self.people[n].body = Some(body);
        let idle = self.cast.idle;
        self.play_loop(n, idle, 0.0, 0);
        tasks.move_human(place, self.people[n].pose(), Vec3::ZERO);
        physics.body_moved(body, &TaskOwners::with_humans(tasks, self));
        if let (Some(player), Some(record)) = (spawn.player, tasks.humans.records.get_mut(n)) {
            (record.pad, record.pad_controlled) = (Some(player), true);
        }
        Some(n)
    }

    /// Somebody goes: the character, and with it head, handle and record.
    pub fn remove(&mut self, n: usize, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        self.leave(n, physics);
        tasks.release_human(n as u16);
    }

    /// The corpse that is furthest from the first player makes room; answers its place, whose handle is the caller's to free.
    ///
    /// Source: seed 000, Handles (Humans_CullCorpses, 0x00232230). Our choice of the corpse, and that a player's stays.
    fn cull_corpse(&mut self, physics: &mut PhysicsWorld) -> Option<u16> {
        let eye = self.player(0).map_or(Vec3::ZERO, |player| self.people[player].position);
        let away = |human: &Human| (human.position - eye).length_squared();
        let corpses = self.present().filter(|(_, human)| human.is_dead() && human.spawn.player.is_none());
        let (n, _) = corpses.max_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))?;
        self.leave(n, physics);
        Some(n as u16)
    }

    /// The character of a place goes, and nobody has anything to do with it any more.
    fn leave(&mut self, n: usize, physics: &mut PhysicsWorld) {
        self.break_hold(n);
        let Self { people, pool, .. } = self;
        people.iter_mut().for_each(|other| other.fight.forget(n as u8));
        let human = &mut people[n];
        human.stack.clear(pool, &mut human.held);
        if let Some(body) = human.body.take() {
            physics.free_human_body(body);
        }
        *human = Human::nobody();
    }

    /// The standing pose where a human is, until its first animation step.
    fn place_bones(&mut self, n: usize) {
        let Self { people, skeleton, .. } = self;
        let human = &mut people[n];
        let place: Pose = human.pose();
        let pose = crate::animation::pose::LocalPose::reference(skeleton);
        skeleton.place(&pose, &place, human.spawn.scale, &mut human.bones);
    }

    /// The human of an owner's number.
    pub fn of_owner(&self, owner: OwnerId) -> Option<&Human> {
        self.people.get(human_of_owner(owner)?).filter(|human| human.present)
    }

    /// The human of an owner's number.
    pub fn of_owner_mut(&mut self, owner: OwnerId) -> Option<&mut Human> {
        self.people.get_mut(human_of_owner(owner)?).filter(|human| human.present)
    }

    /// The human of a player.
    pub fn player(&self, player: u8) -> Option<usize> {
        self.people.iter().position(|human| human.present && human.spawn.player == Some(player))
    }

    /// Those who are there.
    pub fn present(&self) -> impl Iterator<Item = (usize, &Human)> {
        self.people.iter().enumerate().filter(|(_, human)| human.present)
    }

    /// Says that something happened.
    pub fn notify(&mut self, notice: Notice) {
        if self.notices.push(notice).is_err() {
            self.notices_lost += 1;
        }
    }

    /// A level begins: nothing has happened, nobody is anywhere, and the cameras look along y.
    pub fn begin_anew(&mut self) {
        self.notices.clear();
        self.blows.clear();
        self.deeds.clear();
        (self.swap, self.eyes) = (None, [None; PLAYERS as usize]);
        (self.now, self.camera_heading) = (0, [0.0; PLAYERS as usize]);
    }

    /// Somebody struck somebody. Of more blows than there is room for, only the noise is lost.
    pub fn strikes(&mut self, by: u8, victim: u8) {
        let _room = self.blows.push(Blow { by, victim });
    }

    /// Step 6 after all humans: a new step begins. Where nobody carries events, as on a stage, its blows are forgotten.
    pub fn begin_step(&mut self) {
        self.keep_pairs();
        self.eyes = core::array::from_fn(|player| self.player(player as u8).map(|n| self.people[n].position));
        self.now = self.now.wrapping_add(1);
        self.blows.clear();
        self.deeds.clear();
    }

    /// Step 8 of one human: control, then the move, then what its strikes meet.
    pub fn update_state(
        &mut self,
        n: usize,
        tasks: &mut TaskEngine,
        physics: &mut PhysicsWorld,
        mut mesh: Option<&mut CollisionMesh>,
    ) {
        let record = tasks.humans.records.get(n).copied().unwrap_or_default();
        let human = &mut self.people[n];
        if !human.present {
            return;
        }
        human.skip_actions = record.skip_actions;
        human.stagger_on();
        self.look_around(n);
        let human = &mut self.people[n];
        if human.is_dead() || human.is(super::numbers::state::DOWN) {
            human.rest();
        } else if let Some(driven) = human.driven {
            human.driven_locomotion(&driven);
            if let Some(velocity) = driven.leap.filter(|_| !human.is_airborne()) {
                human.velocity = velocity;
                self.leave_ground(n, gate_state::JUMPING, AnimState::Jump);
            }
        } else if human.stillness == 0 {
            match human.spawn.player.filter(|_| record.pad_controlled) {
                Some(player) => {
                    let camera = self.camera_heading.get(usize::from(player)).copied().unwrap_or_default();
                    human.player_locomotion(&record.input, camera);
                }
                None => human.ai_locomotion(),
            }
        }
        let human = &mut self.people[n];
        human.ahead = match mesh.as_deref_mut() {
            Some(mesh) if record.command == command::TRIANGLE => Ahead::of(human, mesh),
            _ => Ahead::default(),
        };
        self.steer(n);
        self.fit_body(n, tasks, physics);
        self.move_human(n, tasks, physics, mesh.as_deref_mut());
        self.make_room(n, tasks, physics, mesh);
        tasks.move_human(n as u16, self.people[n].pose(), self.people[n].velocity);
        self.strike(n, tasks, physics);
    }

    /// Step 9 of one human: what its command starts.
    pub fn act(&mut self, n: usize, command: u8, records: &mut PlayerRecords) {
        self.dispatch(n, command);
        if let Some(record) = records.get_mut(n) {
            record.pending = self.people[n].fight.buffered;
        }
    }

    /// Whether a human fights or reacts.
    pub fn is_fighting(&self, n: usize) -> bool {
        matches!(self.people[n].anim, AnimState::Stance | AnimState::StanceMove | AnimState::Block | AnimState::Hurt)
    }
}
