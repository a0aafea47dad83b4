/* What a database does with its files, as a signal. */
#ifndef SPY_SPY_H
#define SPY_SPY_H

#include <belay/belay.h>
#include <sqlite3.h>

/* Each `io` of every file that `vfs` opens from the subscription on, when it has returned.
   Completes when spy_end() has been called and the files are closed. Release the result; NULL on
   failure. */
belay_signal *spy_on(sqlite3_vfs *vfs);

/* Restores the tables. 0 or a failure. */
int spy_end(sqlite3_vfs *vfs);

#endif
