//! The characters in the game: who is there, and what each part of their step does.
//!
//! [`People`] owns everybody: the humans, their brains, their meshes and the players' cameras. The TaskEngine calls the
//! steps of [`Characters`] in the seed's order; each is one line here, as the work is done by `human`, `combat` and `ai`.
//! [`load`](super::characters_load) brings clips and meshes from the disc and lets people come, and
//! [`draw`](super::characters_draw) shows them. Without a disc nobody lives in a level, and a pair of eyes walks through it.

use super::characters_draw::Models;
use super::characters_sound;
use super::characters_story::{Story, gang};
use super::machine::Machine;
use super::rumble::Rumbler;
use super::state::Statistics;
use super::things::air;
use super::walker::Walker;
use super::world::GameWorld;
use crate::ai::Brains;
use crate::animation::skeleton::bone;
use crate::audio::Audio;
use crate::camera::follow::{FollowCamera, Subject};
use crate::combat::attacks::Strength;
use crate::combat::commands::{command, command_of};
use crate::human::numbers::RUN;
use crate::human::{Humans, Notice, Spawn};
use crate::maths::{Pose, Vec3, from_heading};
use crate::pads::Stick;
use crate::physics::PhysicsWorld;
use crate::tasks::clock::Phase;
use crate::tasks::engine::TaskEngine;
use crate::tasks::head::flag;
use crate::tasks::humans::gates::Gate;
use crate::tasks::humans::records::PadInput;
use crate::tasks::humans::step::{Characters, Condition};
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::names::name_hash;
use crate::tasks::world::{Gift, PLAYERS, Person};

/// The breath of somebody in the cold, metres before the head, and steps from one to the next at rest and at a run.
const BREATH: u32 = name_hash("breath");
const BREATH_AHEAD: f32 = 0.16;
const BREATHS: [u32; 2] = [96, 36];
/// By how many steps the breaths of neighbours are apart.
const BREATHS_APART: u32 = 37;

/// Everybody.
#[derive(Debug)]
pub struct People {
    /// The humans.
    pub humans: Humans,
    /// Who decides for those without a pad.
    pub brains: Brains,
    /// The players' cameras.
    pub cameras: [FollowCamera; PLAYERS as usize],
    /// What they look like.
    pub models: Models,
    /// What happens in the level.
    pub story: Story,
}

impl People {
    /// Nobody yet.
    pub fn new(mut humans: Humans, brains: Brains, models: Models) -> Self {
        humans.strangers = 1 << gang::WALKERS;
        humans.spared = 1 << gang::PLAYER;
        Self { humans, brains, cameras: [FollowCamera::default(); PLAYERS as usize], models, story: Story::default() }
    }

    /// Somebody comes; a player's camera stands behind. `None` when there is no room.
    pub fn spawn(&mut self, spawn: Spawn, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) -> Option<usize> {
        let n = self.humans.spawn(spawn, tasks, physics)?;
        // The place may have been a corpse's.
        self.forget(n as u8);
        if let Some(player) = spawn.player
            && let Some(camera) = self.cameras.get_mut(usize::from(player))
        {
            *camera = FollowCamera::behind(spawn.position, spawn.heading);
            tasks.add_camera(player);
        }
        Some(n)
    }

    /// Somebody goes, and nothing names the place any more.
    pub fn dismiss(&mut self, n: usize, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        if let Some(player) = self.humans.people[n].spawn.player {
            tasks.remove_camera(player);
        }
        self.humans.remove(n, tasks, physics);
        self.forget(n as u8);
    }

    fn forget(&mut self, place: u8) {
        self.brains.forget(place);
        self.story.forget(place);
    }

    /// Everybody goes.
    pub fn clear(&mut self, tasks: &mut TaskEngine, physics: &mut PhysicsWorld) {
        for n in 0..self.humans.people.len() {
            if self.humans.people[n].present {
                self.dismiss(n, tasks, physics);
            }
        }
        self.brains.forget_all();
        self.humans.begin_anew();
        self.story = Story::default();
    }

    /// Feet and heading of a player's human.
    pub fn player_place(&self, player: u8) -> Option<(Vec3, f32)> {
        let human = &self.humans.people[self.humans.player(player)?];
        Some((human.position, human.heading))
    }

    /// Health and stamina of a player's human, of 1, and while a jump is charged its charge.
    pub fn vigour(&self, player: u8) -> Option<([f32; 2], Option<f32>)> {
        let human = &self.humans.people[self.humans.player(player)?];
        let [health, stamina, _] = human.vigour();
        Some(([health, stamina], human.driven.and_then(|driven| driven.charge)))
    }

    /// A player's camera, when a human of that player is there.
    pub fn camera(&self, player: u8) -> Option<&FollowCamera> {
        self.humans.player(player)?;
        self.cameras.get(usize::from(player))
    }

    /// Whether a player's human is out for good.
    pub fn is_player_out(&self, player: u8) -> bool {
        self.humans.player(player).is_some_and(|n| self.humans.people[n].is_dead())
    }

    /// Puts a player's human somewhere else.
    pub fn teleport(&mut self, player: u8, feet: Vec3, heading: f32) {
        let Some(n) = self.humans.player(player) else { return };
        let human = &mut self.humans.people[n];
        (human.position, human.heading, human.velocity) = (feet, heading, Vec3::ZERO);
        if let Some(camera) = self.cameras.get_mut(usize::from(player)) {
            *camera = FollowCamera::behind(feet, heading);
        }
    }

    /// Once a frame, whatever steps are switched off: what has happened is heard and shown, and forgotten. A heavy hit shakes
    /// the camera of whom it met; who was knocked out counts.
    pub(super) fn tell(&mut self, statistics: &mut Statistics, audio: &mut Audio, rumble: &mut Rumbler) {
        let notices = core::mem::take(&mut self.humans.notices);
        for notice in &notices {
            rumble.feel(notice, &self.humans);
            characters_sound::play(notice, &self.humans, audio);
            if let Notice::Hit { human, strength, blocked: false, .. } = *notice
                && strength >= Strength::Heavy as u8
                && let Some(player) = self.humans.people[usize::from(human)].spawn.player
                && let Some(camera) = self.cameras.get_mut(usize::from(player))
            {
                camera.shake();
            }
            if let Notice::Down { human, dead: true } = *notice
                && self.humans.people[usize::from(human)].spawn.gang != gang::PLAYER
            {
                statistics.knocked_out = statistics.knocked_out.saturating_add(1);
            }
        }
    }
}

/// Feet and heading of the first player: of the human, or of the eyes where nobody lives.
pub fn player_place(people: Option<&People>, walker: &Walker) -> (Vec3, f32) {
    people.and_then(|people| people.player_place(0)).unwrap_or((walker.position, walker.heading))
}

/// What tasks ask of people; the answers of [`World`](crate::tasks::world::World).
impl<M: Machine> GameWorld<'_, M> {
    pub(super) fn person_of(&self, human: u16) -> Option<Person> {
        let Some(people) = self.people.as_deref() else { return self.eyes(human) };
        let human = people.humans.people.get(usize::from(human)).filter(|human| human.present)?;
        Some(Person {
            position: human.position,
            health: human.health.into(),
            max_health: human.max_health.into(),
            player: human.spawn.player,
            hands_full: human.fight.weapon.is_some(),
        })
    }

    /// Where nobody lives the player's eyes are the only person.
    fn eyes(&self, human: u16) -> Option<Person> {
        const POINTS: i32 = 100;
        let position = self.walker.position;
        let person = Person { position, health: POINTS, max_health: POINTS, player: Some(0), hands_full: false };
        (human == 0 && self.rules.play().is_some()).then_some(person)
    }

    /// The humans that players drive, in their own order; the pair of eyes where nobody lives.
    pub(super) fn player_humans(&self) -> heapless::Vec<u16, { PLAYERS as usize }> {
        let Some(people) = self.people.as_deref() else { return self.eyes(0).map(|_| 0).into_iter().collect() };
        let driven = |player| people.humans.player(player).map(|human| human as u16);
        let mut humans: heapless::Vec<u16, { PLAYERS as usize }> = (0..PLAYERS).filter_map(driven).collect();
        humans.sort_unstable();
        humans
    }

    pub(super) fn hurt_person(&mut self, human: u16, damage: i32, from: Vec3) {
        if let Some(people) = self.people.as_deref_mut() {
            let points = damage.clamp(0, i16::MAX.into()) as i16;
            let strength = people.humans.table.strength_of(damage);
            people.humans.struck_by_thing(usize::from(human), points, strength, from);
        }
    }

    /// Whether somebody wants a gift: health is taken by who lacks some; other gifts are for everybody.
    pub(super) fn give_person(&mut self, n: u16, gift: Gift) -> bool {
        let Some(people) = self.people.as_deref_mut() else { return true };
        let Some(human) = people.humans.people.get(usize::from(n)).filter(|human| human.present) else {
            return false;
        };
        match gift {
            Gift::Health(points) if human.health < human.max_health && !human.is_dead() => {
                people.humans.heal(usize::from(n), points.clamp(0, i16::MAX.into()) as i16);
                true
            }
            Gift::Health(_) => false,
            Gift::Item(_) => true,
        }
    }

    /// Step 7 of one human whose head says that it has an effect: it breathes.
    ///
    /// Source: seed 000, Humans_Update, step 7 (flag 0x4000). Our choice of what it shows.
    pub(super) fn breathe(&mut self, tasks: &mut TaskEngine, n: usize) {
        let shows = tasks.manager.head(TaskId::new(TaskClass::Human, n as u16)).is_some_and(|h| h.has(flag::EFFECT));
        let human = self.people.as_deref().and_then(|people| people.humans.people.get(n));
        let Some(human) = human.filter(|human| shows && human.present && !human.is_dead()) else { return };
        let every = BREATHS[usize::from(human.gait >= RUN)];
        let step = (tasks.humans.counter >> 1).wrapping_add(n as u32 * BREATHS_APART);
        let head = human.bones[bone::HEAD].position;
        let at = head + from_heading(human.heading) * (BREATH_AHEAD * human.spawn.scale);
        if step.is_multiple_of(every) {
            tasks.spawn_effect(self, BREATH, at);
        }
    }

    /// A bone of a human in the world; points are not told apart.
    pub(super) fn bone_pose(&self, human: u16, bone: u8) -> Option<Pose> {
        let human = self.people.as_deref()?.humans.people.get(usize::from(human)).filter(|human| human.present)?;
        human.bones.get(usize::from(bone)).copied()
    }
}

/// The steps of one human or brain that need the people and nothing of the rest.
macro_rules! with_people {
    ($world:ident, $people:ident => $work:expr) => {
        if let Some($people) = $world.people.as_deref_mut() {
            $work
        }
    };
}

impl<M: Machine> Characters for GameWorld<'_, M> {
    fn step_effects(&mut self, tasks: &mut TaskEngine) {
        if let Some(demo) = &mut self.input.demo {
            demo.step();
        }
        air::step(self, tasks);
    }
    fn update_pads(&mut self) {
        super::autopilot::hold(self);
        self.input.read(self.machine, self.real);
    }
    fn update_formation(&mut self, _: &mut TaskEngine, formation: usize) {
        with_people!(self, people => people.brains.update_formation(formation, &people.humans));
    }
    fn pad_input(&self, pad: u8) -> Option<PadInput> {
        let pad = self.input.pads.get(usize::from(pad)).filter(|pad| pad.is_connected())?;
        // While a scene plays, players stand still.
        Some(if self.staging.is_playing() { PadInput::default() } else { pad.input(command_of(pad)) })
    }
    fn update_gang(&mut self, _: &mut TaskEngine, gang: usize) {
        with_people!(self, people => people.brains.update_gang(gang, &people.humans));
    }
    fn brain_enabled(&self, brain: usize) -> bool {
        let scheme = self.state.settings.scheme;
        self.people.as_deref().is_some_and(|people| people.decides(brain, scheme))
    }
    fn think(&mut self, _: &mut TaskEngine, brain: usize) {
        with_people!(self, people => people.think(brain));
    }
    fn update_brain(&mut self, tasks: &mut TaskEngine, brain: usize) {
        self.update_mind(tasks, brain);
    }
    fn animate(&mut self, tasks: &mut TaskEngine, human: usize) {
        self.animate_human(tasks, human);
    }
    fn refresh_animation(&mut self) {
        with_people!(self, people => people.humans.begin_step());
    }
    fn human_effects(&mut self, tasks: &mut TaskEngine, human: usize) {
        self.breathe(tasks, human);
        with_people!(self, people => people.check_follower(human));
    }
    fn state_is_ready(&self, human: usize) -> bool {
        let human = self.people.as_deref().and_then(|people| people.humans.people.get(human));
        human.is_some_and(crate::human::Human::is_ready)
    }
    fn update_state(&mut self, tasks: &mut TaskEngine, human: usize) {
        self.move_human(tasks, human);
    }
    fn condition(&self, human: usize) -> Condition {
        let human = self.people.as_deref().and_then(|people| people.humans.people.get(human));
        human.map_or(Condition::Absent, crate::human::Human::condition)
    }
    fn gate(&self, human: usize) -> Gate {
        let human = self.people.as_deref().and_then(|people| people.humans.people.get(human));
        human.map_or_else(Gate::default, crate::human::Human::gate)
    }
    fn dispatch(&mut self, tasks: &mut TaskEngine, human: usize, command: u8) {
        if command == command::TRIANGLE {
            self.reach(tasks, human);
        }
        with_people!(self, people => people.humans.act(human, command, &mut tasks.humans.records));
        self.carry_out_deeds(tasks);
    }
    fn choose_anim_state(&mut self, _: &mut TaskEngine, human: usize) {
        with_people!(self, people => people.humans.choose(human));
    }
    fn update_down(&mut self, _: &mut TaskEngine, human: usize) {
        with_people!(self, people => people.humans.update_down(human));
    }
    fn update_cameras(&mut self, tasks: &mut TaskEngine, dt: f32) {
        // Our choice: the original's pause steps its camera too; ours stand still while the game does, so that a pause shows
        // what was paused.
        if tasks.manager.clock.phase() != Phase::Play {
            return;
        }
        let mesh = self.mesh.get_mut();
        for player in 0..PLAYERS {
            let stick = self.input.pads.get(usize::from(player)).map_or(Stick::default(), |pad| pad.reading().right);
            let Some(people) = self.people.as_deref_mut() else { continue };
            let Some(n) = people.humans.player(player) else { continue };
            let human = &people.humans.people[n];
            let fights = people.humans.is_fighting(n);
            let turns_to = human.driven.map(|_| human.heading);
            let subject = Subject { position: human.position, velocity: human.velocity, fights, turns_to };
            let up = if self.state.settings.inverted { -stick.y } else { stick.y };
            let camera = &mut people.cameras[usize::from(player)];
            camera.step(&subject, Stick { y: up, ..stick }, mesh.as_deref_mut(), dt);
            people.humans.camera_heading[usize::from(player)] = camera.heading();
        }
        if self.people.as_deref().is_none_or(|people| people.humans.player(0).is_none())
            && let Some(pad) = self.input.pads.get(0)
        {
            let reading = *pad.reading();
            self.walker.step(&reading, mesh.as_deref_mut(), dt);
        }
    }
}
