//! The animation step: clips go on, events fire, bones are placed.

use super::numbers::state;
use super::person::Human;
use super::store::{Humans, Notice};
use crate::animation::clip::flag;
use crate::animation::events::{Event, kind};
use crate::animation::library::ClipIndex;
use crate::animation::pool::AnimTaskId;
use crate::animation::pose::LocalPose;
use crate::animation::skeleton::bone;
use crate::animation::task::{AnimTask, Play};
use crate::combat::deeds::Deed;
use crate::tasks::humans::messages::number;
use crate::tasks::humans::step::STEP_SECONDS;

/// Animation steps in a row that leave the bones of somebody whom nobody watches as they are.
///
/// Our choice: clips, events and the way go on in each step; only the limbs stand still, where nobody sees it.
const UNPOSED: u8 = 3;
/// Events that one step of one human can fire.
const EVENTS: usize = 12;
/// The first of these in an attack's clip ends its steering. Source: humans and combat, Attacks (Steering).
const ENDS_STEERING: [u16; 7] =
    [kind::STRIKE_ON, kind::ALL_ON, kind::EFFECT, kind::TAKE, kind::RELEASE, kind::PARTNER_HIT, kind::WINDOW];
/// The bones of the arm that holds something.
const ARM: u64 = (1 << (bone::RIGHT_HAND + 3)) - (1 << bone::RIGHT_COLLAR);

/// What a step of a human's clips came to.
#[derive(Clone, Debug, Default)]
pub struct Fired {
    /// The events that are due, in order.
    pub events: heapless::Vec<Event, EVENTS>,
    /// The clip that has ended.
    pub ended: Option<ClipIndex>,
}

/// What a clip's event has its human send to another: the place of whom, and the message's number.
pub type Sent = (u8, u32);

impl Humans {
    /// Step 6 of one human where messages need nobody to carry them: on a stage, without the rest of the game.
    pub fn animate_human(&mut self, n: usize) {
        let fired = self.advance_clips(n);
        for event in &fired.events {
            if let Some((target, message)) = self.fire(n, event) {
                self.receive(usize::from(target), message, n as u8);
            }
        }
        self.finish_clips(n, &fired);
    }

    /// Step 6 of one human, its first half: the clips go on and the bones are placed. The events that are due are the
    /// caller's to [`fire`](Self::fire), one after the other, before it [finishes](Self::finish_clips).
    pub fn advance_clips(&mut self, n: usize) -> Fired {
        let mut fired = Fired::default();
        self.show_driven(n);
        let Self { people, pool, library, skeleton, .. } = self;
        let human = &mut people[n];
        if !human.present {
            return fired;
        }
        if human.stillness > 0 {
            human.stillness -= 1;
            human.carried = Default::default();
            return fired;
        }
        let step = human.stack.advance(pool, library, STEP_SECONDS, &mut human.held, &mut |event| {
            // A clip with more events in one step than there is room for loses effects, no held bits.
            let _ = fired.events.push(*event);
        });
        human.carried = (step.moved * human.spawn.scale, step.turned);
        let clip = human.stack.clip(pool);
        human.playing = clip.map_or(0, |clip| library.clip(clip).id);
        fired.ended = step.ended;
        if human.unwatched && human.is_at_ease() && human.unposed < UNPOSED {
            human.unposed += 1;
            return fired;
        }
        human.unposed = 0;
        let mut pose = LocalPose::reference(skeleton);
        human.stack.pose(pool, library, skeleton, &mut pose);
        let place = human.pose();
        skeleton.place(&pose, &place, human.spawn.scale, &mut human.bones);
        fired
    }

    /// Whether somebody else attacks within so many metres of a human.
    pub fn is_near_attack(&self, n: usize, metres: f32) -> bool {
        let at = self.people[n].position;
        let mut others = self.present().filter(|(other, human)| *other != n && human.fight.attack.is_some());
        others.any(|(_, other)| (other.position - at).length_squared() < metres * metres)
    }

    /// Step 6 of one human, its last part: what the end of a clip means.
    pub fn finish_clips(&mut self, n: usize, fired: &Fired) {
        if let Some(clip) = fired.ended {
            self.ended(n, clip);
        }
    }

    /// One event of a human's clip; answers the message that it sends.
    ///
    /// Source: humans and combat, Animation tasks (events 0x24 to 0x26 and their messages).
    pub fn fire(&mut self, n: usize, event: &Event) -> Option<Sent> {
        if ENDS_STEERING.contains(&event.kind) {
            self.people[n].fight.committed = true;
        }
        let at = self.people[n].bones[usize::from(event.bone).min(crate::animation::skeleton::BONES - 1)].position;
        match event.kind {
            kind::STEP if self.plays(n, flag::MUTED) => {}
            kind::STEP => {
                let human = &self.people[n];
                let notice = Notice::Step { human: n as u8, at, material: human.ground_material, gait: human.gait };
                self.notify(notice);
            }
            kind::STRIKE_ON | kind::STRIKE_OFF | kind::ALL_ON | kind::ALL_OFF => self.switch_strike(n, event),
            kind::PARTNER_HIT => self.hit_partner(n, event.value),
            kind::KNOCKDOWN => self.lie_for(n, event.value),
            kind::PARTNER => self.place_partner(n, event.place),
            kind::EFFECT => self.notify(Notice::Effort { human: n as u8, at }),
            kind::RELEASE => {
                self.did(Deed::Threw { by: n as u8 });
                self.notify(Notice::Release { human: n as u8, at });
            }
            kind::TAKE => {
                self.did(Deed::Took { by: n as u8 });
                self.notify(Notice::Take { human: n as u8, at });
            }
            _ => {}
        }
        let message = match event.kind {
            kind::WARNING => number::ATTACK_WARNING,
            kind::COUNTER => number::COUNTER_WINDOW,
            kind::EARLY_BLOCK => number::EARLY_BLOCK,
            _ => return None,
        };
        self.people[n].fight.target.map(|target| (target, message))
    }

    /// A human takes a message of `by`; says whether it means anything to a human.
    pub fn receive(&mut self, n: usize, message: u32, by: u8) -> bool {
        let Some(human) = self.people.get_mut(n).filter(|human| human.present) else { return false };
        match message {
            // Either may be blocked from now on.
            number::ATTACK_WARNING | number::EARLY_BLOCK => human.fight.warned_by = Some(by),
            number::COUNTER_WINDOW => human.fight.open = Some(by),
            _ => return false,
        }
        true
    }

    /// The task that loops a clip.
    fn looping(&mut self, clip: ClipIndex) -> Option<AnimTaskId> {
        self.pool.take(AnimTask::looping(clip))
    }

    /// Pushes a task, if there was one to have, with a fade to it.
    pub(super) fn push(&mut self, n: usize, task: Option<AnimTaskId>, fade: f32, fade_held: u32) {
        let Some(task) = task else { return };
        let carries = self.carried_share(n).filter(|_| {
            let clip = self.pool.get(task).and_then(AnimTask::leader);
            clip.is_some_and(|clip| self.cast.frees_the_arm(clip))
        });
        let Self { people, pool, library, cast, .. } = self;
        let human = &mut people[n];
        human.stack.push(pool, task, fade, fade_held, &mut human.held);
        if let Some(share) = carries {
            // The arm goes on holding what it held through the change.
            human.stack.lay(pool, cast.carry, ARM, share);
        }
        human.playing = human.stack.clip(pool).map_or(0, |clip| library.clip(clip).id);
    }

    /// How much is seen of the arm that holds something; `None` when none does.
    fn carried_share(&self, n: usize) -> Option<f32> {
        let layer = self.people[n].stack.layer(&self.pool).and_then(|id| self.pool.get(id))?;
        match layer.play {
            Play::Layer { share, shows: true, .. } => Some(share),
            _ => None,
        }
    }

    /// The arm that holds something is seen as long as the hand is full and the clip leaves it free.
    pub(super) fn carry(&mut self, n: usize) {
        let Self { people, pool, cast, .. } = self;
        let human = &mut people[n];
        let free = human.stack.clip(pool).is_some_and(|clip| cast.frees_the_arm(clip));
        let carries = human.fight.weapon.is_some() && free;
        match human.stack.layer(pool).and_then(|id| pool.get_mut(id)).map(|layer| &mut layer.play) {
            Some(Play::Layer { shows, .. }) => *shows = carries,
            _ if carries => {
                human.stack.lay(pool, cast.carry, ARM, 0.0);
            }
            _ => {}
        }
    }

    /// Plays a clip over and over.
    pub fn play_loop(&mut self, n: usize, clip: ClipIndex, fade: f32, fade_held: u32) {
        let task = self.looping(clip);
        self.go_on(n, task);
        self.push(n, task, fade, fade_held);
    }

    /// A clip that is marked so goes on from where the one before it is, when that is marked too: the feet keep their step.
    fn go_on(&mut self, n: usize, task: Option<AnimTaskId>) {
        let Self { people, pool, library, .. } = self;
        let goes_on =
            |clip: Option<ClipIndex>| clip.is_some_and(|clip| library.clip(clip).flags & flag::CONTINUOUS != 0);
        let before = people[n].stack.newest(pool).and_then(|id| pool.get(id)).copied();
        let Some(before) = before.filter(|before| goes_on(before.leader())) else { return };
        if let Some(task) = task.and_then(|id| pool.get_mut(id)).filter(|task| goes_on(task.leader())) {
            task.start_at_phase(library, before.time / before.length(library).max(1e-3));
        }
    }

    /// Plays a clip once with held bits, then another over and over, blended in over `blend` seconds.
    pub fn play_then(&mut self, n: usize, clip: ClipIndex, held: u32, next: ClipIndex, blend: f32, fade: f32) {
        let next = self.looping(next);
        self.play_once(n, clip, held, Play::Once { next, blend }, fade);
    }

    /// Plays a clip once as one half of a pair, then another over and over.
    pub fn play_paired(&mut self, n: usize, partner: usize, clip: ClipIndex, held: u32, next: ClipIndex, fade: f32) {
        let next = self.looping(next);
        self.play_once(n, clip, held, Play::Paired { partner: partner as u8, next }, fade);
    }

    /// Whoever is held keeps step with who holds: both halves of a pair are at one time, whatever held one of them up.
    pub(super) fn keep_pairs(&mut self) {
        let Self { people, pool, library, .. } = self;
        for (n, human) in people.iter().enumerate().filter(|(_, human)| human.is(state::GRABBED)) {
            let half = |human: &Human, of: usize| {
                let id = human.stack.newest(pool)?;
                let is_half =
                    |task: &AnimTask| matches!(task.play, Play::Paired { partner, .. } if usize::from(partner) == of);
                pool.get(id).copied().filter(is_half).map(|task| (id, task))
            };
            let Some(partner) = human.fight.partner.map(usize::from) else { continue };
            let halves = half(human, partner).zip(half(&people[partner], n));
            if let Some(((id, mut task), (_, leads))) = halves {
                task.keep_step(library, leads.time);
                pool.put(id, task);
            }
        }
    }

    /// Plays a clip once with held bits, then the gait blend.
    pub fn play_then_gait(&mut self, n: usize, clip: ClipIndex, held: u32, value: f32, fade: f32) {
        let next = self.pool.take(AnimTask::gait(self.cast.gaits(), value));
        self.play_once(n, clip, held, Play::Once { next, blend: 0.0 }, fade);
    }

    /// Plays the gait blend.
    pub fn play_gait(&mut self, n: usize, value: f32, fade: f32) {
        let task = self.pool.take(AnimTask::gait(self.cast.gaits(), value));
        self.go_on(n, task);
        self.push(n, task, fade, 0);
    }

    /// Plays a landing: then the idle, or the gait at what the stick asks.
    pub fn play_landing(&mut self, n: usize, clip: ClipIndex, held: u32, next: Option<ClipIndex>) {
        let value = self.people[n].speeds.blend(self.people[n].speed);
        match next {
            Some(next) => self.play_then(n, clip, held, next, 0.1, 0.1),
            // At once: a fade would hold back the motion that carries the runner.
            None => self.play_then_gait(n, clip, held, value, 0.0),
        }
    }

    /// Plays a clip that ends, with held bits, as `play` says.
    fn play_once(&mut self, n: usize, clip: ClipIndex, held: u32, play: Play, fade: f32) {
        let task = AnimTask::new(play, clip, held);
        let Some(id) = self.pool.take(task) else {
            if let Some(next) = task.next() {
                self.pool.give(next);
            }
            return;
        };
        self.people[n].held |= held;
        self.push(n, Some(id), fade, 0);
    }

    /// Sets the gait blend's target, when one plays; says whether one does.
    pub fn aim_gait(&mut self, n: usize, value: f32) -> bool {
        let task = self.people[n].stack.newest(&self.pool).and_then(|id| self.pool.get_mut(id));
        match task.map(|task| &mut task.play) {
            Some(Play::Gait { target, .. }) => {
                *target = value;
                true
            }
            _ => false,
        }
    }

    /// How much of its clip a human has played, 0 to 1.
    pub fn played(&self, n: usize) -> f32 {
        let task = self.people[n].stack.newest(&self.pool).and_then(|id| self.pool.get(id));
        task.map_or(0.0, |task| task.time / task.length(&self.library).max(1e-3))
    }

    /// Whether the clip that plays strikes humans at their capsules.
    pub fn strikes_capsules(&self, n: usize) -> bool {
        self.plays(n, flag::STRIKES_CAPSULES)
    }

    /// Whether the clip that plays has a flag.
    fn plays(&self, n: usize, flag: u32) -> bool {
        let clip = self.people[n].stack.clip(&self.pool);
        clip.is_some_and(|clip| self.library.clip(clip).flags & flag != 0)
    }
}
