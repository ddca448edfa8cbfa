//! Doors: the level's triangles that each blocks with, and opening for who comes.

use super::super::machine::Machine;
use super::super::world::GameWorld;
use crate::collision::{CollisionMesh, TriangleFlags, TriangleId};
use crate::maths::{Pose, Vec3};
use crate::physics::create::ObjectShape;
use crate::tasks::clock::Ticks;
use crate::tasks::engine::TaskEngine;
use crate::tasks::handle::Handle;
use crate::tasks::ids::TaskId;
use crate::tasks::world::{TriangleChange, World};
use heapless::Vec;

/// Doors of a level, and triangles of all doors together, at most. Our choice.
const MOST_DOORS: usize = 32;
const MOST_TRIANGLES: usize = MOST_DOORS * 4;
/// Metres from a door's middle within which it opens, and beyond which it shuts.
const OPENS: f32 = 1.5;
const SHUTS: f32 = 2.6;
/// Ticks for which it stays open once nobody is near.
const STAYS: Ticks = 90;

/// A door that is alive.
#[derive(Clone, Copy, Debug)]
struct OwnDoor {
    handle: Handle,
    /// The middle of its opening.
    middle: Vec3,
    /// When somebody was near it last.
    seen: Ticks,
}

/// The doors of the level that is played.
#[derive(Debug, Default)]
pub struct Doors {
    doors: Vec<OwnDoor, MOST_DOORS>,
    /// A triangle and the group that it belongs to, which is its door's number from 1 on.
    triangles: Vec<(u32, TriangleId), MOST_TRIANGLES>,
}

impl Doors {
    /// No doors.
    pub fn clear(&mut self) {
        self.doors.clear();
        self.triangles.clear();
    }

    /// Adds a door whose leaf fills `size` about `centre` in the frame of `pose`; answers its group of triangles.
    pub(in crate::game) fn add(
        &mut self,
        mesh: Option<&CollisionMesh>,
        handle: Handle,
        pose: Pose,
        size: Vec3,
        centre: Vec3,
    ) -> u32 {
        const SLACK: f32 = 0.08;
        let middle = pose.point(centre);
        let known = self.doors.iter().position(|door| (door.middle - middle).length_squared() < SLACK * SLACK);
        if let Some(at) = known {
            // The same door has come back into range.
            self.doors[at].handle = handle;
            return at as u32 + 1;
        }
        if self.doors.push(OwnDoor { handle, middle, seen: 0 }).is_err() {
            return 0;
        }
        let group = self.doors.len() as u32;
        let half = size * 0.5 + Vec3::splat(SLACK);
        let inside = |point: Vec3| {
            let own = pose.rotation.conjugate().rotate(point - middle).abs();
            own.x <= half.x && own.y <= half.y && own.z <= half.z
        };
        for number in 0..mesh.map_or(0, CollisionMesh::triangle_count) {
            let (Some(mesh), id) = (mesh, TriangleId(number as u16)) else { break };
            if mesh.flags(id).has(TriangleFlags::DOOR_LEAF) && mesh.corners(id).into_iter().all(inside) {
                // A door has four triangles, and there is room for that many of each.
                let _room = self.triangles.push((group, id));
            }
        }
        group
    }

    /// Changes the triangles of a group.
    pub fn change_triangles(&self, mesh: &mut CollisionMesh, group: u32, change: TriangleChange) {
        for (_, id) in self.triangles.iter().filter(|(own, _)| *own == group) {
            let flags = mesh.flags(*id);
            match change {
                TriangleChange::Set(bits) => mesh.set_flags(*id, flags.with(TriangleFlags(bits))),
                TriangleChange::Clear(bits) => mesh.set_flags(*id, TriangleFlags(flags.0 & !bits)),
                TriangleChange::Material(material) => mesh.set_material(*id, material),
            }
        }
    }

    /// Doors that are known.
    pub fn count(&self) -> usize {
        self.doors.len()
    }

    /// Triangles that doors block with.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
}

/// A door has come into being: it learns what it blocks with.
pub(super) fn created<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let Some(ObjectShape::Box { size, centre }) = tasks.object_type(id).map(|kind| kind.shape) else { return };
    let Some((handle, pose)) =
        tasks.manager.head(id).map(|head| (head.handle, Pose::new(head.rotation, head.position)))
    else {
        return;
    };
    let mesh = world.mesh.get_mut().as_deref();
    let group = world.things.doors.add(mesh, handle, pose, size, centre);
    tasks.set_door_parts(handle, [Handle::NIL; 2], group);
}

/// Doors open before players who come near and shut when none has been for a while. Our choice: for players alone, so that a
/// crowd does not set a street's doors going.
pub(super) fn update<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, players: &[u16]) {
    let now = tasks.manager.clock.now();
    for at in 0..world.things.doors.doors.len() {
        let door = world.things.doors.doors[at];
        if tasks.as_object(door.handle).is_none() {
            continue;
        }
        let mut nearest: Option<(f32, u16)> = None;
        for &human in players {
            let Some(person) = world.person(human) else { continue };
            let distance = (person.position - door.middle).horizontal().length();
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, human));
            }
        }
        let Some((distance, human)) = nearest else { continue };
        if distance < SHUTS {
            world.things.doors.doors[at].seen = now;
        }
        let is_open = tasks.is_door_open(door.handle);
        if !is_open && distance < OPENS {
            if tasks.open_door_by(world, door.handle, human) {
                world.machine.print(format_args!("DOOR {at} opens"));
            }
        } else if is_open && now.saturating_sub(door.seen) > STAYS && tasks.close_door(world, door.handle) {
            world.machine.print(format_args!("DOOR {at} shuts"));
        }
    }
}
