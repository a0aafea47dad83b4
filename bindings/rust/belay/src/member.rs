//! Members of structs of C's layout.
use std::ffi::CStr;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::raw::c_char;
use std::sync::Mutex;

/// A member of type `M` of a struct `S`: its name and its place. [`member!`](crate::member) makes it.
pub struct Member<S, M> {
    name: &'static CStr,
    offset: usize,
    types: PhantomData<fn(S) -> M>,
}

impl<S, M> Member<S, M> {
    /// Makes the result of [`member!`](crate::member).
    ///
    /// # Safety
    /// `name` ends with its only NUL. `place` returns the address of a member of the struct that it
    /// gets, and reads nothing.
    #[doc(hidden)]
    pub unsafe fn of(name: &'static str, place: fn(*const S) -> *const M) -> Member<S, M> {
        let object = MaybeUninit::<S>::uninit();
        let offset = place(object.as_ptr()) as usize - object.as_ptr() as usize;
        let name = CStr::from_bytes_with_nul_unchecked(name.as_bytes());
        Member { name, offset, types: PhantomData }
    }

    /// The distance of the member from the start of the struct, in bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The name, static.
    pub(crate) fn name(&self) -> *const c_char {
        self.name.as_ptr()
    }
}

impl<S, M> Clone for Member<S, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, M> Copy for Member<S, M> {}

impl<S, M> fmt::Debug for Member<S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Member({:?} at {})", self.name, self.offset)
    }
}

/// Finds a member of a struct: `member!(Stream, ops)`. The struct itself must have the member:
///
/// ```compile_fail,E0026
/// struct Inner { read: Option<unsafe extern "C" fn(*mut u8)> }
/// struct Outer(Inner);
/// impl std::ops::Deref for Outer {
///     type Target = Inner;
///     fn deref(&self) -> &Inner { &self.0 }
/// }
/// let _ = belay::member!(Outer, read);
/// ```
#[macro_export]
macro_rules! member {
    ($struct:path, $member:ident) => {{
        // A pattern finds only members of the struct itself. The expression below would also find
        // one behind `Deref`, and would then read the struct.
        let _ = |object: &$struct| {
            let $struct { $member: _, .. } = object;
        };
        // The name ends with a NUL, and the address is that of the member.
        unsafe {
            $crate::Member::<$struct, _>::of(
                concat!(stringify!($member), "\0"),
                |object: *const $struct| std::ptr::addr_of!((*object).$member),
            )
        }
    }};
}

/// Keeps items for good, because C keeps their address; NULL for none.
pub(crate) fn for_good<T: 'static>(items: Vec<T>) -> *const T {
    // A detector of leaks finds the items through their addresses.
    static ALL: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    if items.is_empty() {
        return std::ptr::null();
    }
    let items: *const T = Box::leak(items.into_boxed_slice()).as_ptr();
    ALL.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(items as usize);
    items
}
