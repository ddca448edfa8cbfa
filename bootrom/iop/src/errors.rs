//! The kernel's error codes, as every library returns them.

/// What went wrong, with the number that callers see.
///
/// Source: IOP facts, R3000A notes (errors); IOP kernel, THREADMAN and MODLOAD
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Error {
    /// A place that a result cannot be written to: the system's general error.
    IllegalAddress = -1,
    /// Not allowed in (or only allowed in) an interrupt handler.
    IllegalContext = -100,
    /// No such interrupt line.
    IllegalInterrupt = -101,
    /// Interrupts were off already.
    InterruptsDisabled = -102,
    /// The line was not enabled.
    InterruptNotEnabled = -103,
    /// A handler (or alarm) is there already.
    HandlerPresent = -104,
    /// No such handler (or alarm).
    HandlerNotFound = -105,
    /// No hardware timer left.
    NoTimer = -150,
    /// No such hardware timer.
    IllegalTimer = -151,
    /// The timer cannot count that.
    IllegalTimerSetting = -152,
    /// The timer was not told what to count.
    TimerNotSetUp = -153,
    /// The timer runs.
    TimerInUse = -154,
    /// An import found no library.
    LinkError = -200,
    /// Not a module.
    IllegalObject = -201,
    /// No such module.
    UnknownModule = -202,
    /// The file does not open.
    NoFile = -203,
    /// The file cannot be read.
    FileError = -204,
    /// The memory asked for is in use.
    MemoryInUse = -205,
    /// The module has been started already.
    AlreadyStarted = -206,
    /// The module was never started.
    NotStarted = -207,
    /// The module has stopped already.
    AlreadyStopped = -208,
    /// The module refuses to stop.
    CannotStop = -209,
    /// The module still runs.
    NotStopped = -210,
    /// The module cannot be removed.
    NotRemovable = -211,
    /// The same library is registered already.
    LibraryExists = -212,
    /// No such library.
    LibraryNotFound = -213,
    /// Not an export table.
    IllegalLibrary = -214,
    /// The library still has clients.
    LibraryInUse = -215,
    /// Out of memory or of records.
    NoMemory = -400,
    /// Unknown attribute bits.
    IllegalAttribute = -401,
    /// The entry address is not a multiple of 4.
    IllegalEntry = -402,
    /// No such priority.
    IllegalPriority = -403,
    /// The stack is too small.
    IllegalStackSize = -404,
    /// Unknown wait mode.
    IllegalMode = -405,
    /// The thread may not be named here (0 or the caller).
    IllegalThread = -406,
    /// No such thread.
    UnknownThread = -407,
    /// No such semaphore.
    UnknownSemaphore = -408,
    /// No such event flag.
    UnknownEventFlag = -409,
    /// No such message box.
    UnknownMessageBox = -410,
    /// No such variable pool.
    UnknownVariablePool = -411,
    /// No such fixed pool.
    UnknownFixedPool = -412,
    /// The thread is dormant.
    Dormant = -413,
    /// The thread is not dormant.
    NotDormant = -414,
    /// The thread waits for nothing.
    NotWaiting = -416,
    /// The caller may not wait here.
    CannotWait = -417,
    /// The wait was ended by another thread.
    WaitReleased = -418,
    /// The semaphore's count is zero.
    SemaphoreZero = -419,
    /// The semaphore's count is at its maximum.
    SemaphoreOverflow = -420,
    /// The pattern is not there.
    EventCondition = -421,
    /// Another thread waits already.
    EventMultiple = -422,
    /// A wait for no bits.
    EventPattern = -423,
    /// No message.
    NoMessage = -424,
    /// The object waited for was deleted.
    WaitDeleted = -425,
    /// The pool has no free block.
    PoolEmpty = -426,
    /// Larger than the pool can give.
    IllegalSize = -427,
    /// Not a block of this pool.
    IllegalBlock = -428,
}

impl Error {
    /// The number that callers see.
    #[must_use]
    pub const fn code(self) -> i32 {
        self as i32
    }
}

/// A call's number: 0 or the value, or the error's code.
#[must_use]
pub fn code_of(result: Result<i32, Error>) -> i32 {
    match result {
        Ok(value) => value,
        Err(error) => error.code(),
    }
}
