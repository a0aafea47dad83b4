//! Interception of tables of C functions. See interface.h, slot.h and proxy.h.
mod call;
mod interface;
mod method;
mod proxy;
mod slot;
mod types;

pub use call::Call;
pub use interface::{Install, Installed, Interface, InterfaceBuilder};
pub use method::Method;
pub use proxy::Proxy;
pub use slot::{table_gone, Slot};
pub use types::{Argument, Function};
