//! Lists through records of whoever registers them. They are followed no further than so many records, so that they end whatever
//! became of the memory of those that nobody took out.

/// The link that leads to `wanted`; the one at the list's end where that is not in it, as null never is.
///
/// # Safety
/// `first` is the list's first link and `next` finds that of a record; the records of the list are valid, and nobody else touches
/// them meanwhile.
pub unsafe fn link_to<T>(
    first: *mut *mut T,
    wanted: *const T,
    longest: usize,
    next: impl Fn(*mut T) -> *mut *mut T,
) -> *mut *mut T {
    let mut link = first;
    for _ in 0..longest {
        // SAFETY: passed on to the caller.
        let here = unsafe { *link };
        if here.is_null() || here.cast_const() == wanted {
            break;
        }
        link = next(here);
    }
    link
}

/// True when `wanted`, which may be anything, is in the list.
///
/// # Safety
/// As for [`link_to`].
pub unsafe fn has<T>(
    first: *mut *mut T,
    wanted: *const T,
    longest: usize,
    next: impl Fn(*mut T) -> *mut *mut T,
) -> bool {
    // SAFETY: passed on to the caller.
    !wanted.is_null() && unsafe { (*link_to(first, wanted, longest, next)).cast_const() == wanted }
}

/// Takes a record out of the list; false when it is not in it.
///
/// # Safety
/// As for [`link_to`]; `record` may be anything.
pub unsafe fn take_out<T>(
    first: *mut *mut T,
    record: *mut T,
    longest: usize,
    next: impl Fn(*mut T) -> *mut *mut T,
) -> bool {
    // SAFETY: passed on to the caller; what is in the list is a record.
    unsafe {
        let link = link_to(first, record, longest, &next);
        let found = !record.is_null() && *link == record;
        if found {
            *link = *next(record);
        }
        found
    }
}
