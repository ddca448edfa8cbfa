//! Telling the guest's console from the emulator's chatter.
//!
//! PCSX2 1.6 writes both to its standard output, each line after the colour of its kind: plain cyan for what the EE's program printed,
//! plain yellow for the IOP's, anything else (bold ones too) for its own. The colours decide, so that a guest may print what it likes.

/// First words of the line with which our programs end a run well or badly.
const END: &str = "BOARDWALK END ";
/// What the boot ROM's lines of things that cannot be booted begin with.
const ROM_ERROR: &str = "ROM: error:";
/// First words of the boot ROM's line about the end of a program that it was told to load.
const PROGRAM_ENDED: &str = "ROM: program ended with ";
/// Lines longer than this are cut; the emulator's own buffer is shorter.
const LONGEST_LINE: usize = 4096;

/// Which processor printed a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The EE.
    Ee,
    /// The IOP.
    Iop,
}

/// One line of the guest's console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestLine {
    /// Who printed it.
    pub side: Side,
    /// Its text, without the line's end.
    pub text: String,
}

impl GuestLine {
    /// What the line says about the end of the guest, if it says anything.
    pub fn ending(&self) -> Option<Ending> {
        Ending::of(&self.text)
    }
}

/// The guest's own word about its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One of our programs ended well.
    Ok,
    /// One of our programs ended badly, with the reason it gave.
    Failed(String),
    /// A program that the boot ROM loaded has returned this value.
    Program(i64),
}

impl Ending {
    /// Reads a line of the guest's.
    pub fn of(line: &str) -> Option<Self> {
        let line = line.trim_end();
        if let Some(rest) = line.strip_prefix(END) {
            return Some(match rest {
                "ok" => Self::Ok,
                other => Self::Failed(other.trim_start_matches("failed").trim_start_matches(':').trim().to_owned()),
            });
        }
        if let Some(error) = line.strip_prefix(ROM_ERROR) {
            return Some(Self::Failed(error.trim().to_owned()));
        }
        let number = line.strip_prefix(PROGRAM_ENDED)?.trim();
        Some(match number.parse() {
            Ok(number) => Self::Program(number),
            Err(_) => Self::Failed(format!("the boot ROM said: {line}")),
        })
    }

    /// Whether the guest ended well.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Ok | Self::Program(0))
    }
}

/// One line of the emulator's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Printed by the guest.
    Guest(GuestLine),
    /// Said by the emulator.
    Chatter(String),
}

/// Takes the emulator's output apart, in pieces of any size.
#[derive(Debug)]
pub struct Splitter {
    state: State,
    colour: Colour,
    /// The colour of the line's first character.
    first: Option<Colour>,
    text: Vec<u8>,
    parameters: Vec<u8>,
    /// Whether colours decide. Without, every line counts as the guest's.
    coloured: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Text,
    Escape,
    /// Inside `ESC [ … letter`.
    Control,
    /// Inside `ESC ] … BEL`, a window title.
    Title,
}

/// Number of the foreground colour, 30 to 37, or 0 for the default, and whether it is bold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Colour {
    foreground: u32,
    bold: bool,
}

const CYAN: Colour = Colour { foreground: 36, bold: false };
const YELLOW: Colour = Colour { foreground: 33, bold: false };
const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

impl Splitter {
    /// For the coloured output of PCSX2 1.6.
    pub fn coloured() -> Self {
        Self {
            state: State::Text,
            colour: Colour::default(),
            first: None,
            text: Vec::new(),
            parameters: Vec::new(),
            coloured: true,
        }
    }

    /// For emulators whose colours we do not know: every line counts as the guest's, without a time stamp in front of it.
    pub fn plain() -> Self {
        Self { coloured: false, ..Self::coloured() }
    }

    /// Takes the next piece of output and hands over every line that it completes.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Line)) {
        for &byte in bytes {
            match self.state {
                State::Text => match byte {
                    ESCAPE => self.state = State::Escape,
                    b'\n' => {
                        if let Some(line) = self.take() {
                            each(line);
                        }
                    }
                    b'\r' => {}
                    _ => {
                        self.first.get_or_insert(self.colour);
                        if self.text.len() < LONGEST_LINE {
                            self.text.push(byte);
                        }
                    }
                },
                State::Escape => {
                    self.parameters.clear();
                    self.state = match byte {
                        b'[' => State::Control,
                        b']' => State::Title,
                        _ => State::Text,
                    };
                }
                State::Control if byte.is_ascii_alphabetic() => {
                    if byte == b'm' {
                        self.colour = recolour(self.colour, &self.parameters);
                    }
                    self.state = State::Text;
                }
                State::Control => self.parameters.push(byte),
                State::Title if byte == BELL => self.state = State::Text,
                State::Title => {}
            }
        }
    }

    fn take(&mut self) -> Option<Line> {
        // The emulator shows the backslash of the guest's character set as the yen sign that it is in Japan.
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.text)).replace('\u{a5}', "\\");
        let side = match self.first.take() {
            None => return None,
            Some(_) if !self.coloured => {
                return Some(Line::Guest(GuestLine { side: Side::Ee, text: without_time(&text).to_owned() }));
            }
            Some(CYAN) => Side::Ee,
            Some(YELLOW) => Side::Iop,
            Some(_) => return Some(Line::Chatter(text)),
        };
        Some(Line::Guest(GuestLine { side, text }))
    }
}

/// Applies the parameters of a colour sequence.
fn recolour(mut colour: Colour, parameters: &[u8]) -> Colour {
    let text = std::str::from_utf8(parameters).unwrap_or("");
    for number in text.split(';').map(|part| part.parse().unwrap_or(0u32)) {
        match number {
            0 => colour = Colour::default(),
            1 => colour.bold = true,
            30..=37 => colour.foreground = number,
            39 => colour.foreground = 0,
            _ => {}
        }
    }
    colour
}

/// A line without the `[   1.2345] ` in front of it.
fn without_time(line: &str) -> &str {
    line.strip_prefix('[')
        .and_then(|rest| rest.split_once("] "))
        .filter(|(time, _)| time.trim().parse::<f64>().is_ok())
        .map_or(line, |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece of a real run's output.
    const OUTPUT: &str = "\x1b[0m\x1b[0m\tBios Found: Free    v01.60(29/11/2026)  Console\n\
        \x1b]0;Running BIOS (Free v1.60)\x07\x1b[0m\x1b[37m\tBIOS r module not found, skipping...\n\
        \x1b[0m\x1b[0m\x1b[0m\x1b[36mHELLO EE\n\x1b[0m\x1b[0m\x1b[0m\x1b[32m(UpdateVSyncRate) Mode Changed to NTSC.\n\
        \x1b[0m\x1b[0m\x1b[0m\x1b[33mHELLO IOP\n\x1b[0m\x1b[0m\x1b[0m\x1b[36m\x1b[1mEE is cyan and bold\n\x1b[0m\n\
        \x1b[36mhost:\u{a5}a\n";

    fn lines(mut splitter: Splitter, output: &str, piece: usize) -> Vec<Line> {
        let mut found = Vec::new();
        for bytes in output.as_bytes().chunks(piece) {
            splitter.feed(bytes, |line| found.push(line));
        }
        found
    }

    fn guest(side: Side, text: &str) -> Line {
        Line::Guest(GuestLine { side, text: text.to_owned() })
    }

    #[test]
    fn the_guest_s_lines_are_told_by_their_colour_in_pieces_of_any_size() {
        for piece in [1, 2, 7, 4096] {
            let found = lines(Splitter::coloured(), OUTPUT, piece);
            let guests: Vec<_> = found.iter().filter(|line| matches!(line, Line::Guest(_))).cloned().collect();
            let expected = [guest(Side::Ee, "HELLO EE"), guest(Side::Iop, "HELLO IOP"), guest(Side::Ee, "host:\\a")];
            assert_eq!(guests, expected, "pieces of {piece}");
            assert_eq!(found.len(), 7, "{found:?}");
            assert!(found.contains(&Line::Chatter("EE is cyan and bold".to_owned())));
        }
    }

    #[test]
    fn without_known_colours_every_line_counts_and_loses_its_time() {
        let found = lines(Splitter::plain(), "[    1.2345] BOARDWALK END ok\n[x] y\n", 5);
        assert_eq!(found, [guest(Side::Ee, "BOARDWALK END ok"), guest(Side::Ee, "[x] y")]);
    }

    #[test]
    fn endless_lines_are_cut() {
        let mut splitter = Splitter::coloured();
        splitter.feed(b"\x1b[36m", |_| ());
        splitter.feed(&vec![b'x'; 3 * LONGEST_LINE], |_| ());
        let mut length = 0;
        splitter.feed(b"\n", |line| {
            if let Line::Guest(line) = line {
                length = line.text.len();
            }
        });
        assert_eq!(length, LONGEST_LINE);
    }

    #[test]
    fn the_guest_s_last_words_are_understood() {
        assert_eq!(Ending::of("BOARDWALK END ok"), Some(Ending::Ok));
        assert_eq!(Ending::of("BOARDWALK END failed: 3 of 7"), Some(Ending::Failed("3 of 7".to_owned())));
        assert_eq!(Ending::of("BOARDWALK END okay"), Some(Ending::Failed("okay".to_owned())), "no other word is well");
        assert_eq!(Ending::of("ROM: program ended with 0"), Some(Ending::Program(0)));
        assert_eq!(Ending::of("ROM: program ended with -1"), Some(Ending::Program(-1)));
        assert_eq!(Ending::of("say BOARDWALK END ok"), None);
        assert!(Ending::Program(0).is_ok() && !Ending::Program(1).is_ok());
    }
}
