# Sets `needs` to the glue for GLib, or `missing` to what keeps the example from being built.
if(TARGET belay_glib)
  set(needs belay::glib)
else()
  set(missing "GLib with its headers; on Debian: apt-get install libglib2.0-dev")
endif()
