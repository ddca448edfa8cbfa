//! Bringing a level's things to life when it begins.

use super::super::machine::Machine;
use super::super::{Game, rules};
use super::air::RAINS;
use super::{flicker, make_sources, sources};
use crate::maths::{Quat, Vec3};
use crate::tasks::boxes::{DatabaseSizes, LevelBox, WorldFlag};
use crate::tasks::cars::CarType;
use crate::tasks::cars::parts::PARTS;
use crate::tasks::engine::{Creation, TaskEngine};
use crate::tasks::glass::{GlassType, TYPES};
use crate::tasks::handle::Kind;
use crate::tasks::ids::TaskClass;
use crate::tasks::names::name_hash;
use crate::tasks::objects::find::placed_count;
use crate::tasks::world::World;
use crate::world::chunks::{Thing, ThingKind};
use alloc::vec::Vec;
use core::fmt::Write as _;

/// Numbers of the boxes' kinds, as scripts say them. Source: seed 000, Boxes.
const BOXES: [(ThingKind, u32); 3] = [(ThingKind::Volume, 0), (ThingKind::Player, 2), (ThingKind::Turf, 3)];

/// The wheel is watched once in a level: after so many ticks, for so many.
const WATCH: (u16, u16) = (180, 120);

/// What was made of what the level places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Made {
    objects: usize,
    cars: usize,
    panes: usize,
    boxes: usize,
    flags: usize,
    sources: usize,
    lights: usize,
}

impl<M: Machine> Game<M> {
    /// Learns the loaded level's kinds; what an earlier level had is forgotten.
    pub(in super::super) fn learn_things(&mut self) {
        self.things.load(self.world.level());
    }

    /// Gives the TaskEngine the loaded level's types of objects, glass and cars. What is built in keeps the rules' own.
    pub(in super::super) fn learn_types(&mut self) {
        let (Some(tasks), level) = (self.tasks.as_deref_mut(), self.world.level()) else { return };
        tasks.objects.types.reset();
        for kind in level.into_iter().flat_map(|level| level.object_types()) {
            // A level with more types than the list has room for goes without the last ones.
            let _room = tasks.objects.types.add(kind);
        }
        if tasks.objects.types.find_index(rules::BRICK).is_none() {
            rules::add_types(tasks);
        }
        tasks.objects.types.resolve_names();
        let mut cars: [CarType; crate::tasks::cars::MODELS.len()] = core::array::from_fn(|_| CarType::default());
        for piece in level.into_iter().flat_map(|level| level.car_pieces()) {
            if let Some(kind) = cars.get_mut(usize::from(piece.model)) {
                piece.add_to(kind);
            }
        }
        for (number, kind) in cars.into_iter().enumerate() {
            tasks.cars.set_type(number as u8, kind);
        }
        let unset = GlassType::default();
        (0..TYPES).for_each(|number| {
            tasks.panes.set_type(number, &unset);
        });
    }

    /// Makes what the loaded level places.
    pub(in super::super) fn place_things(&mut self) {
        let Some(level) = self.world.level() else { return };
        let list = |kind| level.things(kind).collect::<Vec<Thing>>();
        let (cars, panes, flags) = (list(ThingKind::Car), list(ThingKind::Pane), list(ThingKind::Flag));
        let boxes = BOXES.map(|(kind, number)| (list(kind), number));
        let glass: Vec<GlassType> = level.glass_types().collect();
        let springs = sources(level);
        let lamps = flicker::flickering(level);
        let gives = |name| springs.iter().any(|source| source.kind == name_hash(name));
        let (litter, fog) = (gives("litter"), gives("fog"));
        let rain = [ThingKind::Flag, ThingKind::Volume].into_iter().any(|kind| level.thing(kind, RAINS).is_some());
        let objects = level.object_chunks().map(|(kind, bytes)| (kind, bytes.to_vec()));
        let count = |kind| list(kind).len() as u16;
        let sizes = DatabaseSizes {
            objects: placed_count(&objects.each_ref().map(|(kind, bytes)| (*kind, bytes.as_slice()))) as u16,
            flags: count(ThingKind::Flag),
            volumes: count(ThingKind::Volume),
            players: count(ThingKind::Player),
            turfs: count(ThingKind::Turf),
        };
        let made = self.with_tasks(|tasks, world| {
            clear(tasks);
            tasks.clear_level(world);
            tasks.size_for_level(&sizes);
            // Where sources give litter and fog the air has some of its own; it rains where a flag says so, or in a box.
            if litter {
                tasks.effects.start_garbage();
            } else {
                tasks.effects.end_garbage();
            }
            tasks.effects.enable_ground_fog(fog);
            tasks.effects.rain = rain;
            super::super::calls::set_handlers(tasks);
            tasks.manager.watch.start(WATCH.0, WATCH.1);
            let chunks = objects.each_ref().map(|(kind, bytes)| (*kind, bytes.as_slice()));
            let placed = tasks.load_object_chunks(&chunks);
            let made = Made {
                objects: placed.unwrap_or_default(),
                cars: cars.iter().enumerate().filter(|(number, car)| place_car(world, tasks, *number, car)).count(),
                panes: place_panes(world, tasks, &panes, &glass),
                boxes: boxes.iter().map(|(list, number)| add_boxes(tasks, list, *number)).sum(),
                flags: add_flags(tasks, &flags),
                sources: make_sources(world, tasks, &springs),
                lights: flicker::make(world, tasks, &lamps),
            };
            (made, placed)
        });
        let Some((made, placed)) = made else { return };
        if let Err(error) = placed {
            self.machine.print(format_args!("THINGS objects: {error:?}"));
        }
        let Made { objects, cars, panes, boxes, flags, sources, lights } = made;
        self.machine.print(format_args!(
            "THINGS {objects} objects {cars} cars {panes} panes {boxes} boxes {flags} flags {sources} sources {lights} lights"
        ));
        self.tell_handles();
    }

    /// Tells the first handle of each kind, by its entry.
    fn tell_handles(&mut self) {
        let Some(tasks) = self.tasks.as_deref() else { return };
        let paths = self.people.as_deref().map_or(0, |people| people.brains.paths.count());
        let mut line = heapless::String::<128>::new();
        for kind in Kind::ALL {
            // The line is long enough for five entries.
            let _room = match tasks.handles.first_of(kind) {
                Some(index) => write!(line, " {kind:?} {index}"),
                None => write!(line, " {kind:?} none"),
            };
        }
        let (live, [flags, volumes, players, turfs]) = (tasks.handles.live(), tasks.boxes.capacities());
        let records = tasks.objects.spawns.capacity();
        self.machine.print(format_args!("HANDLES{line} live {live} paths {paths}"));
        self.machine.print(format_args!(
            "SIZES flags {flags} volumes {volumes} players {players} turfs {turfs} records {records}"
        ));
    }
}

/// Takes the boxes and flags of an earlier level away.
fn clear(tasks: &mut TaskEngine) {
    let flags = tasks.boxes.flags().map(|flag| flag.handle);
    let handles: Vec<_> = flags.chain(tasks.boxes.level_boxes().map(|own| own.handle)).collect();
    for handle in handles {
        tasks.boxes.remove(&mut tasks.handles, handle);
    }
}

fn add_flags(tasks: &mut TaskEngine, list: &[Thing]) -> usize {
    let add = |thing: &&Thing| {
        let flag =
            WorldFlag { position: thing.position, heading: thing.heading, name: thing.name, ..WorldFlag::default() };
        !tasks.boxes.add_flag(&mut tasks.handles, flag).is_nil()
    };
    list.iter().filter(add).count()
}

fn add_boxes(tasks: &mut TaskEngine, list: &[Thing], kind: u32) -> usize {
    let add = |thing: &&Thing| {
        let (centre, half, heading, name) = (thing.position, thing.half, thing.heading, thing.name);
        let record = LevelBox { centre, half, heading, name, ..LevelBox::default() };
        !tasks.boxes.add_box(&mut tasks.handles, kind, record).is_nil()
    };
    list.iter().filter(add).count()
}

/// Makes the car that the level places as its number `number`.
fn place_car<M: Machine>(
    world: &mut super::super::world::GameWorld<'_, M>,
    tasks: &mut TaskEngine,
    number: usize,
    car: &Thing,
) -> bool {
    let creation = Creation { rotation: Quat::from_heading(car.heading), ..Creation::at(car.position) };
    let Ok(id) = tasks.create_car(world, car.name, &creation) else { return false };
    let offsets: Option<[Vec3; PARTS]> = tasks.car_type(id).map(|kind| kind.parts.each_ref().map(|part| part.offset));
    if let Some(instance) = offsets.and_then(|offsets| world.things.models.take_car(number, offsets)) {
        tasks.set_car_instance(world, id, instance);
    }
    true
}

/// Makes the panes; each size of a kind of glass is a type of its own.
fn place_panes<M: Machine>(
    world: &mut super::super::world::GameWorld<'_, M>,
    tasks: &mut TaskEngine,
    list: &[Thing],
    kinds: &[GlassType],
) -> usize {
    let mut types: heapless::Vec<GlassType, TYPES> = heapless::Vec::new();
    let mut made = 0;
    for (number, pane) in list.iter().enumerate() {
        let Some(kind) = kinds.iter().find(|kind| kind.name == pane.name) else { continue };
        let wanted = GlassType { half: pane.half, ..*kind };
        let same = |own: &GlassType| GlassType { name: wanted.name, ..*own } == wanted;
        let place = types.iter().position(same).or_else(|| {
            // The name is only a key here, and a type that differs in its size needs another.
            let named = GlassType { name: wanted.name.wrapping_add(types.len() as u32).max(1), ..wanted };
            types.push(named).ok().map(|()| types.len() - 1)
        });
        let Some(own) = place.and_then(|place| types.get(place).map(|own| (place, *own))) else { continue };
        tasks.panes.set_type(own.0, &own.1);
        let creation = Creation { rotation: Quat::from_heading(pane.heading), ..Creation::at(pane.position) };
        let Ok(id) = tasks.create(world, TaskClass::Pane, own.1.name, &creation) else { continue };
        if let Some(slot) = id.index_in(TaskClass::Pane) {
            world.things.models.set_pane(slot, number);
        }
        if let Some(body) = tasks.pane_body(id) {
            world.place_body(tasks, body);
        }
        made += 1;
    }
    made
}
