/* SQLite's tables of functions, described. */
#ifndef SPY_INTERFACES_H
#define SPY_INTERFACES_H

#include <belay/belay.h>

/* The interface of a `sqlite3_vfs`, which is an object and its own table. Release it. */
belay_interface *vfs_interface(void);

/* The interface of the `sqlite3_io_methods` of that version, to which a `sqlite3_file` points.
   Release it. NULL for a version that this program does not know, whose table would have functions
   that a copy would lack. */
belay_interface *file_interface(int version);

#endif
