//! Functions about text and memory, and those that print.

use bootrom_iop::imports;

/// A string's address.
pub type Text = *const u8;

imports! { "sysclib", "0x0101";
    fn setjmp(context: *mut [u32; 12]) -> i32 = 4;
    fn longjmp(context: *const [u32; 12], value: i32) = 5;
    fn _toupper(character: i32) -> i32 = 6;
    fn _tolower(character: i32) -> i32 = 7;
    fn get_ctype_table() -> *const u8 = 9;
    fn memchr(memory: Text, value: i32, bytes: u32) -> Text = 10;
    fn memcmp(a: Text, b: Text, bytes: u32) -> i32 = 11;
    fn memcpy(target: *mut u8, source: Text, bytes: u32) -> *mut u8 = 12;
    fn memmove(target: *mut u8, source: Text, bytes: u32) -> *mut u8 = 13;
    fn memset(target: *mut u8, value: i32, bytes: u32) -> *mut u8 = 14;
    fn bcmp(a: Text, b: Text, bytes: u32) -> i32 = 15;
    fn bcopy(source: Text, target: *mut u8, bytes: u32) = 16;
    fn bzero(target: *mut u8, bytes: u32) = 17;
    fn prnt(function: extern "C" fn(u32, i32), context: u32, text: Text, values: *const u32) -> i32 = 18;
    fn sprintf(target: *mut u8, text: Text, a: u32, b: u32, c: Text) -> i32 = 19;
    fn strcat(target: *mut u8, source: Text) -> *mut u8 = 20;
    fn strchr(text: Text, character: i32) -> Text = 21;
    fn strcmp(a: Text, b: Text) -> i32 = 22;
    fn strcpy(target: *mut u8, source: Text) -> *mut u8 = 23;
    fn strcspn(text: Text, set: Text) -> u32 = 24;
    fn index(text: Text, character: i32) -> Text = 25;
    fn rindex(text: Text, character: i32) -> Text = 26;
    fn strlen(text: Text) -> u32 = 27;
    fn strncat(target: *mut u8, source: Text, bytes: u32) -> *mut u8 = 28;
    fn strncmp(a: Text, b: Text, bytes: u32) -> i32 = 29;
    fn strncpy(target: *mut u8, source: Text, bytes: u32) -> *mut u8 = 30;
    fn strpbrk(text: Text, set: Text) -> Text = 31;
    fn strrchr(text: Text, character: i32) -> Text = 32;
    fn strspn(text: Text, set: Text) -> u32 = 33;
    fn strstr(text: Text, part: Text) -> Text = 34;
    fn strtok(text: *mut u8, set: Text) -> Text = 35;
    fn strtol(text: Text, end: *mut Text, base: i32) -> i32 = 36;
    fn strtoul(text: Text, end: *mut Text, base: i32) -> u32 = 38;
    fn _wmemcopy(target: *mut u32, source: *const u32, bytes: u32) -> *mut u32 = 40;
    fn _wmemset(target: *mut u32, value: u32, bytes: u32) -> *mut u32 = 41;
    fn vsprintf(target: *mut u8, text: Text, values: *const u32) -> i32 = 42;
    fn strtok_r(text: *mut u8, set: Text, state: *mut *mut u8) -> Text = 43;
}

imports! { "stdio", "0x0102";
    fn printf(text: Text, a: Text, b: u32, c: u32) -> i32 = 4;
    fn getchar() -> i32 = 5;
    fn putchar(character: i32) -> i32 = 6;
    fn puts(text: Text) -> i32 = 7;
    fn gets(text: *mut u8) -> *mut u8 = 8;
    fn fdprintf(file: i32, text: Text, a: u32, b: u32, c: u32) -> i32 = 9;
    fn fdgetc(file: i32) -> i32 = 10;
    fn fdputc(character: i32, file: i32) -> i32 = 11;
    fn fdputs(text: Text, file: i32) -> i32 = 12;
    fn fdgets(text: *mut u8, file: i32) -> *mut u8 = 13;
    fn vfdprintf(file: i32, text: Text, values: *const u32) -> i32 = 14;
}

imports! { "ioman", "0x0102";
    fn ioctl(file: i32, command: i32, argument: *mut u8) -> i32 = 9;
    fn remove(path: Text) -> i32 = 10;
    fn mkdir(path: Text) -> i32 = 11;
    fn rmdir(path: Text) -> i32 = 12;
    fn dopen(path: Text, mode: i32) -> i32 = 13;
    fn dclose(file: i32) -> i32 = 14;
    fn dread(file: i32, entry: *mut u8) -> i32 = 15;
    fn getstat(path: Text, status: *mut u8) -> i32 = 16;
    fn chstat(path: Text, status: *mut u8, which: u32) -> i32 = 17;
    fn format(path: Text) -> i32 = 18;
    fn AddDrv(device: *const u8) -> i32 = 20;
    fn DelDrv(name: Text) -> i32 = 21;
}
