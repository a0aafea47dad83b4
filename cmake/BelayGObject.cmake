# Makes PkgConfig::BELAY_GOBJECT, the host's GLib with GObject, if there is one: for our own build and, installed,
# for find_package(belay COMPONENTS glib).
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BELAY_GOBJECT QUIET IMPORTED_TARGET GLOBAL gobject-2.0>=2.66)
endif()
