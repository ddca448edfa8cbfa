//! Messages: a number and a few typed arguments in nested scratch frames.
//!
//! Delivery is synchronous: the sender pushes arguments into the top frame, the target's handler pops them, and a
//! handler that sends a message of its own takes the next frame. Six frames exist, so a chain of handlers deeper than
//! six is refused and counted. Arguments come off in the reverse order of pushing, and popping the wrong type is an
//! error that leaves the argument in place.

use super::handle::Handle;
use crate::maths::{Quat, Vec3};
use alloc::boxed::Box;

/// Frames that may be open at once. Source: seed 000, Messages and events (MsgStack_StaticInit: six frames).
pub const FRAMES: usize = 6;

/// Arguments of one frame: 0x400 bytes of quadwords. Source: seed 000, Messages and events (frames of 0x410 bytes).
pub const ARGUMENTS: usize = 64;

/// One argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// Four floats: a point, a direction or a rotation.
    Vec4([f32; 4]),
    /// A number.
    Float(f32),
    /// A whole number.
    Int(i32),
    /// A reference.
    Handle(Handle),
}

/// Why a message could not be built or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// Six frames are open.
    TooDeep,
    /// 64 arguments are in the frame.
    Full,
    /// No argument is left.
    Empty,
    /// The top argument has another type.
    WrongType,
    /// No frame is open.
    NoFrame,
}

/// The arguments of one message.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageFrame {
    arguments: [Argument; ARGUMENTS],
    count: usize,
}

impl Default for MessageFrame {
    fn default() -> Self {
        Self { arguments: [Argument::Int(0); ARGUMENTS], count: 0 }
    }
}

impl MessageFrame {
    /// A frame that starts with `arguments`, the last of them on top; those past the 64th are dropped.
    ///
    /// Errors: there were more than 64.
    // Covers: seed 000, MsgStack_Init1 (0x003a7da8) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init2 (0x003a7e10) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init3 (0x003a7e98) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init4 (0x003a7f40) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init5 (0x003a8010) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init6 (0x003a8100) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init7 (0x003a8210) test=a_frame_starts_with_up_to_eight_arguments
    // Covers: seed 000, MsgStack_Init8 (0x003a8340) test=a_frame_starts_with_up_to_eight_arguments
    pub fn set(&mut self, arguments: &[Argument]) -> Result<(), MessageError> {
        self.count = 0;
        arguments.iter().try_for_each(|argument| self.push(*argument))
    }

    fn push(&mut self, argument: Argument) -> Result<(), MessageError> {
        let place = self.arguments.get_mut(self.count).ok_or(MessageError::Full)?;
        *place = argument;
        self.count += 1;
        Ok(())
    }

    fn top(&self) -> Result<Argument, MessageError> {
        let last = self.count.checked_sub(1).ok_or(MessageError::Empty)?;
        Ok(self.arguments[last])
    }

    /// Arguments in the frame.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Drops all arguments.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Pushes four floats.
    // Covers: seed 000, MsgStack_PushVec4A (0x003a8548) test=each_type_comes_back_as_it_went
    // Covers: seed 000, MsgStack_PushVec4B (0x003a8560) test=each_type_comes_back_as_it_went
    // Covers: seed 000, MsgStack_PushVec4C (0x003a8578) test=each_type_comes_back_as_it_went
    pub fn push_vec4(&mut self, value: [f32; 4]) -> Result<(), MessageError> {
        self.push(Argument::Vec4(value))
    }

    /// Pushes a float.
    // Covers: seed 000, MsgStack_PushFloat (0x003a8590) test=each_type_comes_back_as_it_went
    pub fn push_float(&mut self, value: f32) -> Result<(), MessageError> {
        self.push(Argument::Float(value))
    }

    /// Pushes an integer.
    // Covers: seed 000, MsgStack_PushInt (0x003a85a8) test=each_type_comes_back_as_it_went
    // Covers: seed 000, MsgStack_PushIntB (0x003a85c0) test=each_type_comes_back_as_it_went
    pub fn push_int(&mut self, value: i32) -> Result<(), MessageError> {
        self.push(Argument::Int(value))
    }

    /// Pushes a handle.
    // Covers: seed 000, MsgStack_PushHandle (0x003a85d8) test=each_type_comes_back_as_it_went
    pub fn push_handle(&mut self, value: Handle) -> Result<(), MessageError> {
        self.push(Argument::Handle(value))
    }

    /// Pops four floats.
    // Covers: seed 000, MsgStack_PopVec4b (0x003a84c8) test=each_type_comes_back_as_it_went
    pub fn pop_vec4(&mut self) -> Result<[f32; 4], MessageError> {
        let Argument::Vec4(value) = self.top()? else { return Err(MessageError::WrongType) };
        self.count -= 1;
        Ok(value)
    }

    /// Pops a float.
    // Covers: seed 000, MsgStack_PopFloat (0x003a84e8) test=each_type_comes_back_as_it_went
    pub fn pop_float(&mut self) -> Result<f32, MessageError> {
        let Argument::Float(value) = self.top()? else { return Err(MessageError::WrongType) };
        self.count -= 1;
        Ok(value)
    }

    /// Pops an integer.
    // Covers: seed 000, MsgStack_PopInt (0x003a8500) test=each_type_comes_back_as_it_went
    pub fn pop_int(&mut self) -> Result<i32, MessageError> {
        let Argument::Int(value) = self.top()? else { return Err(MessageError::WrongType) };
        self.count -= 1;
        Ok(value)
    }

    /// Pops a handle.
    // Covers: seed 000, MsgStack_PopHandle (0x003a8530) test=each_type_comes_back_as_it_went
    pub fn pop_handle(&mut self) -> Result<Handle, MessageError> {
        let Argument::Handle(value) = self.top()? else { return Err(MessageError::WrongType) };
        self.count -= 1;
        Ok(value)
    }

    /// Pops four floats as a point or direction.
    pub fn pop_vec3(&mut self) -> Result<Vec3, MessageError> {
        self.pop_vec4().map(|[x, y, z, _]| Vec3::new(x, y, z))
    }

    /// Pops four floats as a rotation.
    pub fn pop_quat(&mut self) -> Result<Quat, MessageError> {
        self.pop_vec4().map(|[x, y, z, w]| Quat::new(x, y, z, w))
    }
}

/// The frames, and how deep they are nested.
#[derive(Debug, Default)]
pub struct MessageStack {
    frames: Box<[MessageFrame; FRAMES]>,
    depth: usize,
    refusals: u32,
    deepest: usize,
}

impl MessageStack {
    /// Opens the next frame, empty.
    // Covers: seed 000, Msg_Begin (0x003a2d20) test=a_seventh_frame_is_refused_and_counted
    // Covers: seed 000, MsgFrame_Push (0x003a3ff8) test=a_seventh_frame_is_refused_and_counted
    pub fn begin(&mut self) -> Result<(), MessageError> {
        let Some(frame) = self.frames.get_mut(self.depth) else {
            self.refusals = self.refusals.saturating_add(1);
            return Err(MessageError::TooDeep);
        };
        frame.clear();
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        Ok(())
    }

    /// Closes the top frame.
    // Covers: seed 000, Msg_End (0x003a2d40) test=a_seventh_frame_is_refused_and_counted
    // Covers: seed 000, MsgFrame_Pop (0x003a4030) test=a_seventh_frame_is_refused_and_counted
    pub fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The top frame.
    pub fn frame(&mut self) -> Result<&mut MessageFrame, MessageError> {
        let top = self.depth.checked_sub(1).ok_or(MessageError::NoFrame)?;
        Ok(&mut self.frames[top])
    }

    /// Pushes four floats into the top frame.
    // Covers: seed 000, Msg_PushVec4b (0x003a2d80) test=pushes_go_to_the_top_frame
    // Covers: seed 000, MsgFrame_PushVec4A (0x003a4048) test=pushes_go_to_the_top_frame
    // Covers: seed 000, MsgFrame_PushVec4B (0x003a4080) test=pushes_go_to_the_top_frame
    pub fn push_vec4(&mut self, value: [f32; 4]) -> Result<(), MessageError> {
        self.frame()?.push_vec4(value)
    }

    /// Pushes a float into the top frame.
    // Covers: seed 000, Msg_PushFloat (0x003a2de0) test=pushes_go_to_the_top_frame
    // Covers: seed 000, MsgFrame_PushFloat (0x003a40b8) test=pushes_go_to_the_top_frame
    pub fn push_float(&mut self, value: f32) -> Result<(), MessageError> {
        self.frame()?.push_float(value)
    }

    /// Pushes an integer into the top frame.
    // Covers: seed 000, MsgFrame_PushInt (0x003a40f0) test=pushes_go_to_the_top_frame
    pub fn push_int(&mut self, value: i32) -> Result<(), MessageError> {
        self.frame()?.push_int(value)
    }

    /// Pushes a handle into the top frame.
    // Covers: seed 000, MsgFrame_PushHandle (0x003a4128) test=pushes_go_to_the_top_frame
    pub fn push_handle(&mut self, value: Handle) -> Result<(), MessageError> {
        self.frame()?.push_handle(value)
    }

    /// Bytes that the frames take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.frames)
    }

    /// Open frames.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The most frames that were open at once.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// How often a seventh frame was asked for.
    pub fn refusals(&self) -> u32 {
        self.refusals
    }
}

// Excused: seed 000, MsgStack_StaticInit (0x003a85f0) reason=destructor or static initialiser
// Excused: seed 000, MsgStack_StaticInitThunk (0x003a8678) reason=destructor or static initialiser

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_starts_with_up_to_eight_arguments() {
        let mut frame = MessageFrame::default();
        for n in 1..=8 {
            let arguments: std::vec::Vec<_> = (0..n).map(Argument::Int).collect();
            frame.set(&arguments).unwrap();
            assert_eq!(frame.len(), n as usize);
            assert_eq!(frame.pop_int(), Ok(n - 1), "the last is on top");
        }
        assert_eq!(frame.set(&[Argument::Int(1); 70]), Err(MessageError::Full));
        assert_eq!(frame.len(), ARGUMENTS);
    }

    #[test]
    fn each_type_comes_back_as_it_went() {
        let mut frame = MessageFrame::default();
        let handle = Handle::from_raw(0x0004_0009);
        frame.push_vec4([1.0, 2.0, 3.0, 4.0]).unwrap();
        frame.push_float(0.5).unwrap();
        frame.push_int(-7).unwrap();
        frame.push_handle(handle).unwrap();
        assert_eq!(frame.pop_int(), Err(MessageError::WrongType));
        assert_eq!(frame.pop_handle(), Ok(handle));
        assert_eq!(frame.pop_int(), Ok(-7));
        assert_eq!(frame.pop_float(), Ok(0.5));
        assert_eq!(frame.pop_vec4(), Ok([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(frame.pop_float(), Err(MessageError::Empty));
    }

    #[test]
    fn a_full_frame_refuses() {
        let mut frame = MessageFrame::default();
        frame.set(&[Argument::Float(1.0); ARGUMENTS]).unwrap();
        assert_eq!(frame.push_int(1), Err(MessageError::Full));
        assert_eq!(frame.len(), ARGUMENTS);
    }

    #[test]
    fn vectors_and_rotations_share_the_quadword() {
        let mut frame = MessageFrame::default();
        frame.push_vec4([1.0, 2.0, 3.0, 0.5]).unwrap();
        frame.push_vec4([1.0, 2.0, 3.0, 0.5]).unwrap();
        assert_eq!(frame.pop_vec3(), Ok(Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(frame.pop_quat(), Ok(Quat::new(1.0, 2.0, 3.0, 0.5)));
    }

    #[test]
    fn a_seventh_frame_is_refused_and_counted() {
        let mut stack = MessageStack::default();
        for depth in 1..=FRAMES {
            stack.begin().unwrap();
            assert_eq!(stack.depth(), depth);
        }
        assert_eq!(stack.begin(), Err(MessageError::TooDeep));
        assert_eq!((stack.refusals(), stack.deepest()), (1, 6));
        for _ in 0..FRAMES {
            stack.end();
        }
        stack.end();
        assert_eq!(stack.depth(), 0);
        assert_eq!(stack.push_int(1), Err(MessageError::NoFrame));
    }

    #[test]
    fn pushes_go_to_the_top_frame() {
        let mut stack = MessageStack::default();
        stack.begin().unwrap();
        stack.push_int(1).unwrap();
        stack.begin().unwrap();
        assert!(stack.frame().unwrap().is_empty());
        stack.push_vec4([1.0; 4]).unwrap();
        stack.push_float(2.0).unwrap();
        stack.push_int(3).unwrap();
        stack.push_handle(Handle::NIL).unwrap();
        let top = stack.frame().unwrap();
        assert_eq!((top.pop_handle(), top.pop_int()), (Ok(Handle::NIL), Ok(3)));
        assert_eq!((top.pop_float(), top.pop_vec4()), (Ok(2.0), Ok([1.0; 4])));
        stack.end();
        let outer = stack.frame().unwrap();
        assert_eq!((outer.len(), outer.pop_int()), (1, Ok(1)));
    }

    #[test]
    fn a_new_frame_forgets_the_last_message() {
        let mut stack = MessageStack::default();
        stack.begin().unwrap();
        stack.push_int(5).unwrap();
        stack.end();
        stack.begin().unwrap();
        assert!(stack.frame().unwrap().is_empty());
    }
}
