//! Object types: what a named kind of thing is made of.

use super::super::names::name_hash;
use crate::physics::create::ObjectShape;
use crate::physics::flags::BodyFlags;
use crate::physics::settle::RestAxes;
use alloc::boxed::Box;
use alloc::vec;

/// Types that a level may define. Source: seed 002, Settling (1,371 in one level); the reserve is our choice.
pub const MAX_TYPES: usize = 1536;
/// Groups of types. Source: seed 000, World objects: Object types.
pub const GROUPS: usize = 10;
/// Types in a group. Our choice.
pub const GROUP_SIZE: usize = 16;
/// Kinds that are doors. Source: seed 000, World objects: Swinging doors.
pub const DOOR_KINDS: [u8; 4] = [15, 25, 30, 33];
/// What six kinds add to the flags of their bodies; the sixth, [`STATIC_KIND`], adds a flag to its task.
///
/// Our choice of the pairs: the seed names the kinds and the bits, and leaves which belongs to which to the code. A door's
/// leaf stops what flies and goes along with its turns; what its owner carries about sweeps what is in its way.
///
/// Source: seed 002, Bodies (Obj_CreatePhysicsBody, the kinds listed at 0x00392160).
const KIND_FLAGS: [(u8, &[BodyFlags]); 5] = [
    (0x0f, &[BodyFlags::UPDATES_ALWAYS, BodyFlags::BLOCK_OBJECTS]),
    (0x21, &[BodyFlags::UPDATES_ALWAYS, BodyFlags::BLOCK_OBJECTS]),
    (0x1d, &[BodyFlags::UPDATES_ALWAYS, BodyFlags::SWEEPS_IN_UPDATE]),
    (0x22, &[BodyFlags::UPDATES_ALWAYS]),
    (0x1a, &[BodyFlags::SPHERES_PASS]),
];
/// The kind whose task is marked static (flag 0x200) when its body is made.
pub const STATIC_KIND: u8 = 0x1f;
/// The kind that explodes, and whose impacts are a crime. Source: seed 000, World objects: Dynamic objects.
pub const EXPLOSIVE_KIND: u8 = 8;
/// The kind that is looked up by name. Source: seed 000, World objects: Dynamic objects.
pub const NAMED_KIND: u8 = 24;

/// A type's name.
pub type Name = heapless::String<26>;

/// What a touch gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// A touch does nothing.
    #[default]
    Nothing,
    /// Health points.
    Health(i32),
    /// Itself.
    Item,
}

/// One type. Source: seed 000, World objects: Object types (records of 0x90 bytes); seed 002, Data and Attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectType {
    /// Name (+0x28).
    pub name: Name,
    /// Second name (+0x43): what it breaks into or goes with.
    pub second_name: Name,
    /// Hash of the name (+0x8c).
    pub hash: u32,
    /// Kind (+0x86).
    pub kind: u8,
    /// Shape, size and centre (+0x1c) of the body.
    pub shape: ObjectShape,
    /// Weight (+0x62).
    pub weight: f32,
    /// Restitution of bounces (+0x88).
    pub restitution: f32,
    /// Axes that it may come to rest on (+0x85).
    pub axes: RestAxes,
    /// PHYFLAG bits (+0x5e).
    pub physics_flags: u16,
    /// Hits until it breaks, two counters; 0 never wears.
    pub wear: [u8; 2],
    /// Two floats that scripts set by name (+0x68, +0x6c).
    pub floats_68: [f32; 2],
    /// Contact springs (+0x78 to +0x80).
    pub springs: [f32; 3],
    /// Model, by hash.
    pub model: u32,
    /// What a touch gives.
    pub touch: Touch,
    /// Can be picked up by hand.
    pub pickable: bool,
    /// Particle types of breaking.
    pub break_effects: [u32; 2],
    /// Sound of an impact, by hash.
    pub impact_sound: u32,
    /// Damage of a contact while held overhead.
    pub contact_damage: i32,
    /// Index of the second name's type, once resolved.
    pub second_type: Option<u16>,
}

impl Default for ObjectType {
    fn default() -> Self {
        Self {
            name: Name::new(),
            second_name: Name::new(),
            hash: 0,
            kind: 0,
            shape: ObjectShape::None,
            weight: 0.0,
            restitution: 0.0,
            axes: RestAxes::NONE,
            physics_flags: 0,
            wear: [0; 2],
            floats_68: [0.0; 2],
            springs: [0.0; 3],
            model: 0,
            touch: Touch::Nothing,
            pickable: false,
            break_effects: [0; 2],
            impact_sound: 0,
            contact_damage: 0,
            second_type: None,
        }
    }
}

impl ObjectType {
    /// A type of a name and kind; everything else at its default.
    ///
    /// Names longer than the record has room for are cut.
    pub fn named(name: &str, kind: u8) -> Self {
        Self { name: cut(name), hash: name_hash(name), kind, ..Self::default() }
    }

    /// The name.
    // Covers: seed 000, ObjType_GetName (0x00391518) test=a_type_answers_for_its_fields
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The second name.
    // Covers: seed 000, ObjType_GetSecondName (0x00391530) test=a_type_answers_for_its_fields
    pub fn second_name(&self) -> &str {
        self.second_name.as_str()
    }

    /// The kind.
    // Covers: seed 000, ObjType_GetKind (0x00391548) test=a_type_answers_for_its_fields
    pub fn kind(&self) -> u8 {
        self.kind
    }

    /// Whether the kind is a door.
    // Covers: seed 000, ObjType_IsDoorKind (0x00395020) test=four_kinds_are_doors
    pub fn is_door(&self) -> bool {
        DOOR_KINDS.contains(&self.kind)
    }

    /// What the kind adds to the flags that every world object's body starts with.
    ///
    /// Source: seed 002, Bodies (Obj_CreatePhysicsBody 0x00391d48).
    pub fn body_flags(&self) -> BodyFlags {
        let own = KIND_FLAGS.iter().find(|(kind, _)| *kind == self.kind).map_or(&[][..], |(_, flags)| flags);
        own.iter().fold(BodyFlags::NONE, |all, flag| all | *flag)
    }

    /// A numbered float: 1 weight, 7 push weight (always 1), 8 restitution, 0x68 and 0x6c the scripts' two; others 0.
    // Covers: seed 000, WorldObject_GetFloatProperty (0x00395e40) test=a_type_answers_for_its_fields
    // Covers: seed 002, WorldObject_GetFloatProperty (0x00395e40) test=a_type_answers_for_its_fields
    pub fn float_property(&self, number: u32) -> f32 {
        match number {
            1 => self.weight,
            7 => 1.0,
            8 => self.restitution,
            0x68 => self.floats_68[0],
            0x6c => self.floats_68[1],
            _ => 0.0,
        }
    }

    /// A numbered integer: 0 kind, 1 axes, 2 physics flags, 3 and 4 the wear counters; others 0.
    ///
    /// Our choice of numbers: the seed names the question, not its codes.
    // Covers: seed 000, ObjType_GetIntField (0x003a37b8) test=a_type_answers_for_its_fields
    // Covers: seed 000, WorldObject_GetIntProperty (0x00395f00) test=a_type_answers_for_its_fields
    pub fn int_property(&self, number: u32) -> i32 {
        match number {
            0 => i32::from(self.kind),
            1 => i32::from(self.axes.0),
            2 => i32::from(self.physics_flags),
            3 => i32::from(self.wear[0]),
            4 => i32::from(self.wear[1]),
            _ => 0,
        }
    }
}

fn cut(name: &str) -> Name {
    let mut out = Name::new();
    name.chars().take_while(|c| out.push(*c).is_ok()).for_each(drop);
    let mut whole = Name::new();
    name.chars().take(out.chars().count()).for_each(|c| {
        let _ = whole.push(c);
    });
    whole
}

/// A group of types to pick from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    members: [u16; GROUP_SIZE],
    count: u8,
}

/// All types of a level.
#[derive(Debug)]
pub struct TypeList {
    types: Box<[ObjectType]>,
    count: usize,
    groups: [Group; GROUPS],
}

impl TypeList {
    /// An empty list with room for a level's types.
    pub(super) fn new() -> Self {
        Self {
            types: vec![ObjectType::default(); MAX_TYPES].into_boxed_slice(),
            count: 0,
            groups: [Group::default(); GROUPS],
        }
    }

    /// Clears the list and its groups.
    // Covers: seed 000, ObjTypeList_Reset (0x00391138) test=a_reset_list_is_empty
    pub fn reset(&mut self) {
        self.types.fill(ObjectType::default());
        self.count = 0;
        self.groups = [Group::default(); GROUPS];
    }

    /// Adds a type; `None` when the list is full.
    // Covers: seed 000, ObjTypeList_Grow (0x00391378) test=types_are_found_by_index_name_and_hash
    pub fn add(&mut self, kind: ObjectType) -> Option<u16> {
        let place = self.types.get_mut(self.count)?;
        *place = kind;
        self.count += 1;
        Some((self.count - 1) as u16)
    }

    /// The type at an index.
    // Covers: seed 000, ObjTypeList_Get (0x00391330) test=types_are_found_by_index_name_and_hash
    pub fn get(&self, index: u16) -> Option<&ObjectType> {
        self.types[..self.count].get(usize::from(index))
    }

    /// Bytes that the list takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.types)
    }

    /// Types in the list.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the list has no type.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The type of a name.
    // Covers: seed 000, ObjType_FindByName (0x00391560) test=types_are_found_by_index_name_and_hash
    pub fn find_by_name(&self, name: &str) -> Option<&ObjectType> {
        self.get(self.find_index(name)?)
    }

    /// The type of a name's hash.
    // Covers: seed 000, ObjType_FindByHash (0x00391590) test=types_are_found_by_index_name_and_hash
    pub fn find_by_hash(&self, hash: u32) -> Option<u16> {
        self.types[..self.count].iter().position(|kind| kind.hash == hash).map(|index| index as u16)
    }

    /// The index of a name's type.
    // Covers: seed 000, ObjType_FindIndex (0x00397780) test=types_are_found_by_index_name_and_hash
    pub fn find_index(&self, name: &str) -> Option<u16> {
        self.find_by_hash(name_hash(name))
    }

    /// Sets the two floats of a named type; says whether there is one.
    // Covers: seed 000, ObjType_SetFloats68 (0x003910f0) test=scripts_set_two_floats_by_name
    pub fn set_floats_68(&mut self, name: &str, floats: [f32; 2]) -> bool {
        let Some(index) = self.find_index(name) else { return false };
        self.types[usize::from(index)].floats_68 = floats;
        true
    }

    /// Finds the types that second names refer to; answers how many it found.
    // Covers: seed 000, ObjType_ResolveNames (0x00390e88) test=second_names_are_resolved_once_all_types_are_known
    pub fn resolve_names(&mut self) -> usize {
        let mut found = 0;
        for at in 0..self.count {
            let second = self.find_index(self.types[at].second_name.as_str());
            self.types[at].second_type = second;
            found += usize::from(second.is_some());
        }
        found
    }

    /// Fills a group; members past its room are left out. Says whether the group exists.
    // Covers: seed 000, ObjTypeList_SetGroup (0x003915d0) test=a_group_gives_its_members_by_chance
    pub fn set_group(&mut self, group: usize, members: &[u16]) -> bool {
        let Some(place) = self.groups.get_mut(group) else { return false };
        *place = Group::default();
        for (slot, member) in place.members.iter_mut().zip(members) {
            *slot = *member;
            place.count += 1;
        }
        true
    }

    /// A member of a group, by a random number.
    // Covers: seed 000, ObjTypeList_PickFromGroup (0x003916a8) test=a_group_gives_its_members_by_chance
    pub fn pick_from_group(&self, group: usize, random: impl FnOnce(u32) -> u32) -> Option<u16> {
        let group = self.groups.get(group).filter(|group| group.count > 0)?;
        let pick = random(u32::from(group.count)) % u32::from(group.count);
        Some(group.members[pick as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> TypeList {
        let mut list = TypeList::new();
        for (name, kind) in [("Brick", 3), ("door_swing", 15), ("bottle", 3)] {
            list.add(ObjectType { restitution: 0.1, weight: 10.0, ..ObjectType::named(name, kind) });
        }
        list
    }

    #[test]
    fn types_are_found_by_index_name_and_hash() {
        let list = list();
        assert_eq!((list.len(), list.get(1).unwrap().kind, list.get(3)), (3, 15, None));
        assert_eq!(list.find_by_name("BRICK").unwrap().name(), "Brick");
        assert_eq!(list.find_by_hash(name_hash("bottle")), Some(2));
        assert_eq!((list.find_index("bottle"), list.find_index("cup")), (Some(2), None));
    }

    #[test]
    fn a_type_answers_for_its_fields() {
        let kind = ObjectType {
            second_name: cut("shards"),
            weight: 50.0,
            restitution: 0.1,
            axes: RestAxes::XZ,
            physics_flags: 3,
            wear: [2, 4],
            floats_68: [6.0, 7.0],
            ..ObjectType::named("vase", 9)
        };
        assert_eq!((kind.name(), kind.second_name(), kind.kind()), ("vase", "shards", 9));
        assert_eq!([1, 7, 8, 0x68, 0x6c, 2].map(|n| kind.float_property(n)), [50.0, 1.0, 0.1, 6.0, 7.0, 0.0]);
        assert_eq!([0, 1, 2, 3, 4, 9].map(|n| kind.int_property(n)), [9, 5, 3, 2, 4, 0]);
    }

    #[test]
    fn four_kinds_are_doors() {
        let doors: std::vec::Vec<u8> = (0..64).filter(|kind| ObjectType::named("x", *kind).is_door()).collect();
        assert_eq!(doors, [15, 25, 30, 33]);
    }

    #[test]
    fn a_name_longer_than_its_room_is_cut() {
        let kind = ObjectType::named("a_name_that_is_longer_than_the_record", 0);
        assert_eq!(kind.name().len(), 26);
    }

    #[test]
    fn a_reset_list_is_empty() {
        let mut list = list();
        list.set_group(0, &[1]);
        list.reset();
        assert!(list.is_empty() && list.find_index("Brick").is_none());
        assert_eq!(list.pick_from_group(0, |_| 0), None);
    }

    #[test]
    fn scripts_set_two_floats_by_name() {
        let mut list = list();
        assert!(list.set_floats_68("bottle", [1.5, 2.5]));
        assert!(!list.set_floats_68("cup", [1.5, 2.5]));
        assert_eq!(list.get(2).unwrap().floats_68, [1.5, 2.5]);
    }

    #[test]
    fn second_names_are_resolved_once_all_types_are_known() {
        let mut list = list();
        list.add(ObjectType { second_name: cut("brick"), ..ObjectType::named("wall", 0) });
        assert_eq!(list.resolve_names(), 1);
        assert_eq!((list.get(3).unwrap().second_type, list.get(0).unwrap().second_type), (Some(0), None));
    }

    #[test]
    fn a_group_gives_its_members_by_chance() {
        let mut list = list();
        assert!(list.set_group(9, &[2, 0]));
        assert!(!list.set_group(GROUPS, &[1]));
        assert_eq!([0, 1, 5].map(|n| list.pick_from_group(9, |_| n)), [Some(2), Some(0), Some(0)]);
        assert_eq!(list.pick_from_group(3, |_| 0), None);
        list.set_group(1, &[7; 40]);
        assert_eq!(list.pick_from_group(1, |bound| bound - 1), Some(7));
    }

    #[test]
    fn a_full_list_refuses() {
        let mut list = TypeList::new();
        for _ in 0..MAX_TYPES {
            list.add(ObjectType::default()).unwrap();
        }
        assert_eq!(list.add(ObjectType::default()), None);
    }
}
