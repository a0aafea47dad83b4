//! A plug-in that keeps the lines that mention an error. It does not know which copy of Belay the
//! host has: signals come and go as exchanges.
use belay::Exchange;
use belay_sys::belay_exchange;

/// Imports `*lines`, and exports the errors among them to `*errors`. `*lines` stays the caller's, and
/// so does what is written to `*errors`. Returns 0, or -1 and leaves `*errors` as it was.
///
/// # Safety
/// `lines` is an exchange of some copy of Belay, and `errors` can be written.
#[no_mangle]
pub unsafe extern "C" fn plugin_errors(
    lines: *const belay_exchange,
    errors: *mut belay_exchange,
) -> i32 {
    // The reference in `lines` is only borrowed: it is not dropped here.
    let lines = std::mem::ManuallyDrop::new(Exchange::from_raw(lines.read()));
    let found = lines
        .to_signal::<String>()
        .map(|lines| lines.filter(|line| line.contains("error")))
        .and_then(|kept| Exchange::export(&kept));
    match found {
        Ok(found) => {
            errors.write(found.into_raw());
            0
        }
        Err(_) => -1,
    }
}
