//! A plug-in that keeps the lines that mention an error, and tells how long vectors are. It does not
//! know which copy of Belay the host has: signals come and go as exchanges.
use belay::{Exchange, Result, Signal, Value};
use belay_sys::belay_exchange;

/// The host's struct, of that name and layout.
#[repr(C)]
#[derive(Clone, Copy)]
struct Sample {
    x: f64,
    y: f64,
}

// Two numbers, of which any are valid.
unsafe impl belay::Struct for Sample {
    const NAME: &'static str = "sample";
}

belay::value_by_struct!(Sample);

/// Imports `*given`, and exports what `make` makes of it to `*made`. `*given` stays the caller's, and
/// so does what is written to `*made`. Returns 0, or -1 and leaves `*made` as it was.
///
/// # Safety
/// `given` is an exchange of some copy of Belay, and `made` can be written.
unsafe fn exchanged<T: Value, U: Value>(
    given: *const belay_exchange,
    made: *mut belay_exchange,
    make: impl FnOnce(Signal<T>) -> Signal<U>,
) -> i32 {
    // The reference in `given` is only borrowed: it is not dropped here.
    let given = std::mem::ManuallyDrop::new(Exchange::from_raw(given.read()));
    let result: Result<Exchange> =
        given.to_signal::<T>().and_then(|signal| Exchange::export(&make(signal)));
    match result {
        Ok(exchange) => {
            made.write(exchange.into_raw());
            0
        }
        Err(_) => -1,
    }
}

/// The lines that mention an error.
///
/// # Safety
/// As [`exchanged`] says.
#[no_mangle]
pub unsafe extern "C" fn plugin_errors(
    lines: *const belay_exchange,
    errors: *mut belay_exchange,
) -> i32 {
    exchanged(lines, errors, |lines: Signal<String>| lines.filter(|line| line.contains("error")))
}

/// The lengths of samples, as numbers.
///
/// # Safety
/// As [`exchanged`] says.
#[no_mangle]
pub unsafe extern "C" fn plugin_lengths(
    samples: *const belay_exchange,
    lengths: *mut belay_exchange,
) -> i32 {
    exchanged(samples, lengths, |samples: Signal<Sample>| {
        samples.map(|sample| sample.x.hypot(sample.y))
    })
}
