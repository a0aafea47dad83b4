//! Places in the program, as static strings for C: "src/main.rs:12"; and the options for a name and
//! a home.
use std::cell::RefCell;
use std::collections::HashMap;
use std::os::raw::c_char;
use std::panic::Location;
use std::sync::Mutex;

/// The place that a signal, a subscription or a loop was made at, for reports.
#[derive(Clone, Copy)]
pub(crate) struct Site(&'static Location<'static>);

/// A string that stays.
struct Text(*const c_char);

// It is never written or freed.
unsafe impl Send for Text {}

impl Site {
    /// Where the caller was called.
    #[track_caller]
    pub(crate) fn here() -> Site {
        Site(Location::caller())
    }

    /// "file:line", for good: one for each place in the program that is ever used.
    pub(crate) fn text(self) -> *const c_char {
        thread_local! {
            // So that a place which subscribes again and again locks nothing.
            static KNOWN: RefCell<HashMap<usize, *const c_char>> = RefCell::default();
        }
        let address = self.0 as *const Location<'static> as usize;
        let text = || lasting(&format!("{}:{}", self.0.file(), self.0.line()));
        let known = KNOWN.try_with(|known| *known.borrow_mut().entry(address).or_insert_with(text));
        // A thread that ends has none any more.
        known.unwrap_or_else(|_| text())
    }
}

/// A label of the program's, for good; NULL for none.
pub(crate) fn label(label: Option<&'static str>) -> *const c_char {
    label.map_or(std::ptr::null(), lasting)
}

/// The text as a static string, one for all that ask.
pub(crate) fn lasting(text: &str) -> *const c_char {
    static ALL: Mutex<Option<HashMap<String, Text>>> = Mutex::new(None);
    let mut all = ALL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let all = all.get_or_insert_with(HashMap::new);
    if let Some(known) = all.get(text) {
        return known.0;
    }
    let made = crate::handle::shown_text(text).into_raw();
    all.insert(text.to_string(), Text(made));
    made
}

/// Defines the option for a name.
macro_rules! label_option {
    () => {
        /// Its name in reports, which ends before a NUL.
        pub fn label(mut self, label: &'static str) -> Self {
            self.label = Some(label);
            self
        }
    };
}

/// Defines the option for a home.
macro_rules! home_option {
    ($doc:literal) => {
        #[doc = $doc]
        pub fn at(mut self, home: &'a LoopHandle) -> Self {
            self.home = Some(home);
            self
        }
    };
}

pub(crate) use {home_option, label_option};
