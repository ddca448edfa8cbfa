//! The registers that materials set, written only when they change.

use super::super::mesh::{Flags, Material};
use super::super::texture_cache::TextureCache;
use crate::ee::gif::Packet;
use crate::ee::gs::general::{Alpha, Clamp, DepthTest, FogCol, MipTbp1, Prim, Register, Shape, Test, Tex0, Tex1, ZBuf};
use crate::ee::gs::memory::DEPTH;
use crate::graphics::colour::byte;
use crate::maths::Vec3;

/// Where smaller pictures begin, in sixteenths of the distance's logarithm: at 3.1 m, the next at twice that.
///
/// Our choice: where the 64 texels of a metre that floors have are as close as pixels at the slant at which a walker sees them.
/// Later ones show rings where boards lie closer than that; earlier ones are blurred near the feet.
const SMALLER_FROM: i16 = -26;

/// The cover of what hides all that is behind it.
pub(super) const WHOLE: u8 = 0x80;

/// What the registers hold, as far as this frame has set them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    tex0: Option<Tex0>,
    tex1: Option<Tex1>,
    smaller: Option<MipTbp1>,
    clamp: Option<Clamp>,
    alpha: Option<Alpha>,
    test: Option<Test>,
    depth: Option<ZBuf>,
    fog: Option<FogCol>,
}

/// Writes a register unless it holds the value.
fn set<R: Register + PartialEq>(packet: &mut Packet, held: &mut Option<R>, value: R) {
    if *held != Some(value) {
        packet.set(value);
        *held = Some(value);
    }
}

/// A colour of light as the fog register takes it.
fn fog_register(colour: Vec3) -> FogCol {
    FogCol::new(byte(colour.x), byte(colour.y), byte(colour.z))
}

impl State {
    /// Prepares the GS for a material and answers the primitive to draw with. A texture that is not known is left away. What
    /// is solid covers by `cover` of [`WHOLE`].
    pub(super) fn select(
        &mut self,
        packet: &mut Packet,
        textures: &mut TextureCache,
        material: Material,
        (fog, cover): (Vec3, u8),
    ) -> Prim {
        let flags = material.flags;
        let has = |flag: Flags| flags.contains(flag);
        let mut prim = Prim::new(Shape::TriangleStrip).gouraud();
        if material.texture != 0
            && let Some(bound) = textures.bind(packet, material.texture)
        {
            set(packet, &mut self.tex0, bound.tex0);
            let filter = match bound.smaller {
                _ if has(Flags::NEAREST) => Tex1::NEAREST,
                Some((places, count)) => {
                    set(packet, &mut self.smaller, places);
                    Tex1::by_distance(count, SMALLER_FROM)
                }
                None => Tex1::BILINEAR,
            };
            set(packet, &mut self.tex1, filter);
            set(packet, &mut self.clamp, Clamp::of(has(Flags::CLAMP_S), has(Flags::CLAMP_T)));
            prim = prim.textured();
        }
        if !has(Flags::NO_FOG) {
            // Light fades into nothing: what is behind it has the fog already.
            set(packet, &mut self.fog, if has(Flags::ADD) { FogCol(0) } else { fog_register(fog) });
            prim = prim.fogged();
        }
        let fades = cover < WHOLE && !flags.is_blended();
        let alpha = match has(Flags::ADD) {
            _ if fades => Alpha::share(cover),
            true => Alpha::ADD,
            false => Alpha::OVER,
        };
        if fades || flags.is_blended() || has(Flags::CUTOUT) {
            set(packet, &mut self.alpha, alpha);
            prim = prim.blended();
        }
        let test = Test::depth(if has(Flags::NO_DEPTH) { DepthTest::Always } else { DepthTest::GreaterOrEqual });
        set(packet, &mut self.test, if has(Flags::CUTOUT) { test.with_alpha_test() } else { test });
        let buffer = ZBuf::new(DEPTH);
        let written = !flags.is_blended() && !has(Flags::NO_DEPTH);
        set(packet, &mut self.depth, if written { buffer } else { buffer.read_only() });
        prim
    }

    /// Leaves the registers as a canvas expects them: no depth, blending over, textures clamped and smooth.
    pub(super) fn finish(packet: &mut Packet) {
        packet.set(Test::depth(DepthTest::Always));
        packet.set(ZBuf::new(DEPTH).read_only());
        packet.set(Alpha::OVER);
        packet.set(Clamp::CLAMP);
        packet.set(Tex1::BILINEAR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::gif::Line;

    #[test]
    fn the_same_material_twice_writes_nothing_new() {
        let mut memory = [Line::default(); 32];
        let mut packet = Packet::new(&mut memory);
        let mut textures = TextureCache::new(0);
        let mut state = State::default();
        let first = state.select(&mut packet, &mut textures, Material::default(), (Vec3::ZERO, WHOLE));
        let used = packet.used();
        let again = state.select(&mut packet, &mut textures, Material::default(), (Vec3::ZERO, WHOLE));
        assert_eq!((first, packet.used()), (again, used));
        let light = Material { flags: Flags::ADD, ..Material::default() };
        assert_ne!(state.select(&mut packet, &mut textures, light, (Vec3::ZERO, WHOLE)), first);
        assert!(packet.used() > used);
    }

    #[test]
    fn what_fades_covers_by_a_share_and_still_hides_what_is_behind() {
        let mut memory = [Line::default(); 32];
        let mut packet = Packet::new(&mut memory);
        let mut textures = TextureCache::new(0);
        let mut state = State::default();
        let mut select = |state: &mut State, flags, cover| {
            state.select(&mut packet, &mut textures, Material { texture: 0, flags }, (Vec3::ZERO, cover))
        };
        let whole = select(&mut state, Flags::NONE, WHOLE);
        let fading = select(&mut state, Flags::NONE, 0x30);
        assert_ne!(fading, whole);
        assert_eq!(state.alpha, Some(Alpha::share(0x30)));
        assert_eq!(state.depth, Some(ZBuf::new(DEPTH)), "depth is written as ever");
        select(&mut state, Flags::BLEND, 0x30);
        assert_eq!(state.alpha, Some(Alpha::OVER), "glass has its own share");
    }
}
