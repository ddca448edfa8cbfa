//! What scripts ask of objects: showing, physics, states, sounds, tint, callbacks, level triangles, links.

use super::super::engine::{TaskEngine, number};
use super::super::handle::Handle;
use super::super::ids::TaskId;
use super::super::message::{Argument, MessageError};
use super::super::world::{TriangleChange, World};
use crate::maths::Vec3;

/// Triangle flag bits. Source: support systems, Collision mesh.
mod triangle {
    /// Enabled.
    pub const ENABLED: u16 = 0x1;
    /// A door bit.
    pub const DOOR: u16 = 0x40;
}

/// Message by which a score board hears a signal. Our choice of number.
const SCORE_BOARD: u32 = 0x50;

/// A packed 0xAABBGGRR colour as red, green, blue and alpha, 0 to 1.
// Covers: seed 000, Colour_UnpackToVec (0x003a5f80) test=colours_unpack_to_shares
pub fn unpack_colour(packed: u32) -> [f32; 4] {
    packed.to_le_bytes().map(|byte| f32::from(byte) / 255.0)
}

/// Switches level triangles off.
// Covers: seed 000, CollisionTri_ClearFlag1 (0x003a46c8) test=scripts_change_triangles_and_links
pub fn disable_triangles(world: &mut dyn World, group: u32) {
    world.change_triangles(group, TriangleChange::Clear(triangle::ENABLED));
}

/// Switches level triangles on.
// Covers: seed 000, CollisionTri_SetFlag1 (0x003a4710) test=scripts_change_triangles_and_links
pub fn enable_triangles(world: &mut dyn World, group: u32) {
    world.change_triangles(group, TriangleChange::Set(triangle::ENABLED));
}

/// Makes level triangles a door's.
// Covers: seed 000, CollisionTri_SetFlag40 (0x003a49e8) test=scripts_change_triangles_and_links
pub fn mark_door_triangles(world: &mut dyn World, group: u32) {
    world.change_triangles(group, TriangleChange::Set(triangle::DOOR));
}

/// Adds type bits to level triangles.
// Covers: seed 000, CollisionMesh_OrTriangleTypeBits (0x003a4a40) test=scripts_change_triangles_and_links
pub fn add_triangle_bits(world: &mut dyn World, group: u32, bits: u16) {
    world.change_triangles(group, TriangleChange::Set(bits));
}

/// Gives level triangles a material.
// Covers: seed 000, CollisionTri_SetMaterial (0x003a4a98) test=scripts_change_triangles_and_links
pub fn set_triangle_material(world: &mut dyn World, group: u32, material: u8) {
    world.change_triangles(group, TriangleChange::Material(material));
}

/// Closes a navigation link.
// Covers: seed 000, NavLink_Close (0x003a4ae0) test=scripts_change_triangles_and_links
pub fn close_nav_link(world: &mut dyn World, link: u32) {
    world.set_nav_link(link, false);
}

/// Opens a navigation link.
// Covers: seed 000, NavLink_Open (0x003a4b00) test=scripts_change_triangles_and_links
pub fn open_nav_link(world: &mut dyn World, link: u32) {
    world.set_nav_link(link, true);
}

impl TaskEngine {
    /// Shows an object.
    // Covers: seed 000, Obj_Show (0x00396a08) test=a_hidden_object_is_off_the_wheel_until_shown
    pub fn show_object(&mut self, id: TaskId) {
        if let Some(object) = self.object_mut(id) {
            object.hidden = false;
            self.manager.schedule(id);
        }
    }

    /// Hides an object: it is not drawn, and it leaves its wheel.
    // Covers: seed 000, Obj_Hide (0x00396b68) test=a_hidden_object_is_off_the_wheel_until_shown
    pub fn hide_object(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(object) = self.object_mut(id) {
            object.hidden = true;
            self.manager.unschedule(id);
            self.release_object_instance(world, id);
        }
    }

    /// Turns an object's physics on, which makes its body, or off. Says whether it has a body now.
    // Covers: seed 000, Obj_EnablePhysics (0x00396a90) test=physics_makes_and_frees_the_body
    pub fn enable_object_physics(&mut self, world: &mut dyn World, id: TaskId, on: bool) -> bool {
        if on {
            self.create_object_body(world, id);
        } else {
            self.free_object_body(world, id);
        }
        self.object(id).is_some_and(|object| object.body.is_some())
    }

    /// Gives an object a numbered state: it keeps it, and its type hears of it.
    // Covers: seed 000, Obj_ChangeState (0x003976c8) test=a_state_is_kept_and_told
    pub fn change_object_state(
        &mut self,
        world: &mut dyn World,
        handle: Handle,
        state: i32,
    ) -> Result<i32, MessageError> {
        if let Some(object) = self.resolve_world_object(world, handle).and_then(|id| self.object_mut(id)) {
            object.state = state;
        }
        self.send_message(world, handle, number::SET_STATE, &[Argument::Int(state)])
    }

    /// Calls an object's script callback.
    // Covers: seed 000, WorldObjects_CallScriptCallback (0x00396d78) test=the_callback_gets_object_and_value
    pub fn call_object_callback(&mut self, world: &mut dyn World, id: TaskId, value: i32) {
        let function = self.object(id).map_or(0, |object| object.callback);
        let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
        if function != 0 {
            world.call(self, function, handle, value);
        }
    }

    /// Asks for an object's sound to be loaded.
    // Covers: seed 000, WorldObject_PreloadSound (0x003978d0) test=an_objects_sound_goes_with_it
    pub fn preload_object_sound(&mut self, world: &mut dyn World, id: TaskId, sound: u32) {
        if self.object(id).is_some() {
            world.preload_sound(sound);
        }
    }

    /// Starts an object's sound unless one plays.
    // Covers: seed 000, WorldObject_StartSound (0x00397998) test=an_objects_sound_goes_with_it
    pub fn start_object_sound(&mut self, world: &mut dyn World, id: TaskId, sound: u32) {
        if self.object(id).is_some_and(|object| object.sound.is_none()) {
            self.play_object_sound(world, id, sound);
        }
    }

    /// Plays a sound on an object; the one that plays is stopped.
    // Covers: seed 000, WorldObject_PlaySound (0x00395f88) test=an_objects_sound_goes_with_it
    pub fn play_object_sound(&mut self, world: &mut dyn World, id: TaskId, sound: u32) {
        self.stop_object_sound(world, id);
        let at = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        let playing = world.play_sound(sound, at, 1.0);
        if let Some(object) = self.object_mut(id) {
            object.sound = playing;
        }
    }

    /// Moves an object's sound to the object.
    // Covers: seed 000, WorldObject_UpdateSoundPosition (0x00396008) test=an_objects_sound_goes_with_it
    pub fn update_object_sound(&mut self, world: &mut dyn World, id: TaskId) {
        let at = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        if let Some(sound) = self.object(id).and_then(|object| object.sound) {
            world.move_sound(sound, at);
        }
    }

    /// Stops an object's sound.
    // Covers: seed 000, WorldObject_StopSound (0x00396048) test=an_objects_sound_goes_with_it
    pub fn stop_object_sound(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(sound) = self.object_mut(id).and_then(|object| object.sound.take()) {
            world.stop_sound(sound);
        }
    }

    /// Sets an object's tint, 0xAABBGGRR.
    // Covers: seed 000, Obj_SetWidgetColour (0x0039c2e0) test=tint_and_word_are_kept
    pub fn set_object_tint(&mut self, world: &mut dyn World, handle: Handle, colour: u32) {
        if let Some(object) = self.resolve_world_object(world, handle).and_then(|id| self.object_mut(id)) {
            object.tint = colour;
        }
    }

    /// Sets a word of an object that its script type reads.
    // Covers: seed 000, WorldObject_SetField124 (0x003a4cb0) test=tint_and_word_are_kept
    pub fn set_object_word(&mut self, id: TaskId, value: u32) {
        if let Some(object) = self.object_mut(id) {
            object.word_124 = value;
        }
    }

    /// Where an object or a particle system last touched something.
    // Covers: seed 000, ScriptObj_GetContactVector (0x003a4bd0) test=the_last_contact_is_read
    pub fn contact_vector(&self, handle: Handle) -> Vec3 {
        let Some(id) = self.task(handle) else { return Vec3::ZERO };
        let particle = || self.particle(id).map(|particle| particle.contact);
        self.object(id).map(|object| object.contact).or_else(particle).unwrap_or(Vec3::ZERO)
    }

    /// Tells the score board, the kind-24 object of a name, a number. Says whether there is one.
    // Covers: seed 000, ScriptObj_ScoreBoardSignal (0x003a4c48) test=the_score_board_hears_signals
    pub fn signal_score_board(&mut self, world: &mut dyn World, name: &str, value: i32) -> bool {
        let Some(handle) = self.find_named_kind(name).and_then(|id| self.manager.head(id)).map(|head| head.handle)
        else {
            return false;
        };
        self.send_message(world, handle, SCORE_BOARD, &[Argument::Int(value)]).is_ok()
    }
}

// Excused: seed 000, CollisionTri_EmptyStub (0x003a4ad8) reason=empty stub

#[cfg(test)]
mod tests {
    use super::super::super::fake::{BRICK, FakeWorld, SIGN, engine};
    use super::super::life::tests::object;
    use super::*;

    #[test]
    fn colours_unpack_to_shares() {
        assert_eq!(unpack_colour(0xff00_8000), [0.0, 128.0 / 255.0, 0.0, 1.0]);
    }

    #[test]
    fn scripts_change_triangles_and_links() {
        let mut world = FakeWorld::default();
        disable_triangles(&mut world, 1);
        enable_triangles(&mut world, 2);
        mark_door_triangles(&mut world, 3);
        add_triangle_bits(&mut world, 4, 0x90);
        set_triangle_material(&mut world, 5, 30);
        close_nav_link(&mut world, 6);
        open_nav_link(&mut world, 7);
        let expected = [
            "triangles 1 Clear(1)",
            "triangles 2 Set(1)",
            "triangles 3 Set(64)",
            "triangles 4 Set(144)",
            "triangles 5 Material(30)",
            "nav 6 false",
            "nav 7 true",
        ];
        assert_eq!(world.log, expected);
    }

    #[test]
    fn a_hidden_object_is_off_the_wheel_until_shown() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        tasks.hide_object(&mut world, id);
        assert!(tasks.object(id).unwrap().hidden);
        assert_eq!(tasks.manager.links().get(id).bucket, -1);
        tasks.show_object(id);
        assert!(!tasks.object(id).unwrap().hidden);
        assert_ne!(tasks.manager.links().get(id).bucket, -1);
    }

    #[test]
    fn physics_makes_and_frees_the_body() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        assert!(tasks.enable_object_physics(&mut world, id, true));
        assert!(!tasks.enable_object_physics(&mut world, id, false));
        assert!(!tasks.enable_object_physics(&mut world, TaskId::NONE, true));
    }

    #[test]
    fn a_state_is_kept_and_told() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        let handle = tasks.manager.head(id).unwrap().handle;
        tasks.change_object_state(&mut world, handle, 7).unwrap();
        assert_eq!((tasks.object(id).unwrap().state, world.last_int), (7, Some(7)));
    }

    #[test]
    fn the_callback_gets_object_and_value() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        world.log.clear();
        tasks.call_object_callback(&mut world, id, 3);
        assert!(world.log.is_empty());
        tasks.object_mut(id).unwrap().callback = 88;
        tasks.call_object_callback(&mut world, id, 3);
        assert_eq!(world.log, ["call 88 748#1 3"]);
    }

    #[test]
    fn an_objects_sound_goes_with_it() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 2.0);
        world.log.clear();
        tasks.preload_object_sound(&mut world, id, 9);
        tasks.start_object_sound(&mut world, id, 9);
        tasks.start_object_sound(&mut world, id, 10);
        tasks.update_object_sound(&mut world, id);
        tasks.play_object_sound(&mut world, id, 11);
        tasks.stop_object_sound(&mut world, id);
        tasks.stop_object_sound(&mut world, id);
        let expected = ["preload 9", "sound 9 1", "move_sound 1 2", "stop_sound 1", "sound 11 1", "stop_sound 2"];
        assert_eq!(world.log, expected);
    }

    #[test]
    fn tint_and_word_are_kept() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        let handle = tasks.manager.head(id).unwrap().handle;
        tasks.set_object_tint(&mut world, handle, 0xff00_00ff);
        tasks.set_object_word(id, 5);
        assert_eq!((tasks.object(id).unwrap().tint, tasks.object(id).unwrap().word_124), (0xff00_00ff, 5));
    }

    #[test]
    fn the_last_contact_is_read() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        let particle = tasks.spawn_test_particle(&mut world, 0);
        tasks.object_mut(id).unwrap().contact = Vec3::X;
        tasks.particle_mut(particle).unwrap().contact = Vec3::Y;
        let contact = |id| tasks.contact_vector(tasks.manager.head(id).unwrap().handle);
        assert_eq!([contact(id), contact(particle), tasks.contact_vector(Handle::NIL)], [Vec3::X, Vec3::Y, Vec3::ZERO]);
    }

    #[test]
    fn the_score_board_hears_signals() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        assert!(!tasks.signal_score_board(&mut world, "score_sign", 4));
        object(&mut tasks, &mut world, SIGN, 0.0);
        assert!(tasks.signal_score_board(&mut world, "score_sign", 4));
        assert_eq!(world.last_int, Some(4));
    }
}
