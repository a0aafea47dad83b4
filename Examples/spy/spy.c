/* xOpen's invoked | a file each:  xRead  sent | now, invoked | zip -> io
 *                                 xWrite …                            all of them merged
 *
 * A file's table of functions is a constant that all files share. So it is the file whose methods
 * are intercepted: its pointer leads to a copy of the table, until xClose, which is its end.
 */
#include "spy.h"

#include <stdio.h>
#include <stdlib.h>

#include "interfaces.h"
#include "io.h"

/* The intercepted methods, and the number of the argument that says how many bytes. */
typedef struct watched {
  const char *method;
  io_kind kind;
  int size_at;
} watched;
static const watched all_watched[IO_KINDS] = {{"xRead", IO_READ, 1},
                                              {"xWrite", IO_WRITE, 1},
                                              {"xTruncate", IO_TRUNCATE, -1},
                                              {"xSync", IO_SYNC, -1}};

/* ---- one method of one file ---- */

typedef struct call {
  const watched *watched;
  io_file file;
} call;

static belay_value now(void *ctx, belay_value arguments) {
  (void)ctx, (void)arguments;
  return belay_double(io_now());
}

static int get_integer(belay_value array, size_t index, int64_t *number) {
  belay_value item;
  int rc = belay_value_get_item(array, index, &item);
  return rc < 0 ? rc : belay_value_get_int64(item, number);
}

/* The time and arguments of a call's beginning, and its result, belong together, for no file is
   used by two threads at once. */
static belay_value make_io(void *ctx, const belay_value *values, size_t count) {
  const call *call = ctx;
  io made = {.kind = call->watched->kind, .file = call->file};
  double began;
  int64_t result;
  (void)count;
  int rc = belay_value_get_double(values[0], &began);
  if (rc >= 0) rc = get_integer(values[1], belay_value_count(values[1]) - 1, &result);
  if (rc >= 0 && call->watched->size_at >= 0)
    rc = get_integer(values[1], (size_t)call->watched->size_at, &made.bytes);
  if (rc < 0) return belay_value_failure(rc, "a call that is not as it was described");
  made.result = (int)result;
  made.seconds = io_now() - began;
  return BELAY_STRUCT(io, &made);
}

static belay_signal *calls_of(belay_interface *interface, belay_owner *file, const watched *watched,
                              io_file kind) {
  /* Lives as long as the signal. */
  call *ctx = malloc(sizeof *ctx);
  if (ctx) *ctx = (call){watched, kind};
  belay_slot *slot = ctx ? belay_slot_create_in_object(interface, file, watched->method) : NULL;
  if (!slot) {
    free(ctx);
    return NULL;
  }
  belay_signal *halves[2] = {
      belay_signal_chain(belay_slot_sent(slot), belay_op_map(now, NULL, NULL)),
      belay_slot_invoked(slot)};
  belay_slot_release(slot);
  return belay_signal_zip(halves, 2, make_io, ctx, free);
}

/* ---- the files ---- */

static int has_opened(void *ctx, belay_value arguments) {
  int64_t result;
  (void)ctx;
  int rc = get_integer(arguments, belay_value_count(arguments) - 1, &result);
  return rc < 0 ? rc : result == SQLITE_OK;
}

/* xOpen's arguments without the vfs: the name, the file, the flags, the flags that it got; and its
   result. */
static belay_signal *file_of(void *ctx, belay_value arguments) {
  belay_value item;
  void *pointer = NULL;
  int64_t flags;
  (void)ctx;
  if (belay_value_get_item(arguments, 1, &item) < 0 ||
      belay_value_get_pointer(item, &pointer) < 0 || get_integer(arguments, 2, &flags) < 0)
    return NULL;
  sqlite3_file *opened = pointer;
  belay_interface *interface = file_interface(opened->pMethods->iVersion);
  if (!interface) {
    fprintf(stderr, "spy: a file of version %d is left alone\n", opened->pMethods->iVersion);
    return belay_signal_empty();
  }
  belay_owner *file = belay_owner_adopt(
      opened, &(belay_owner_options){
                  .size = sizeof(belay_owner_options), .label = "file", .site = BELAY_HERE});
  belay_signal *calls[IO_KINDS];
  for (int i = 0; i < IO_KINDS; i++)
    calls[i] = calls_of(interface, file, &all_watched[i], io_file_of((int)flags));
  belay_owner_release(file); /* the signal ends with xClose */
  belay_interface_release(interface);
  return belay_signal_merge(calls, IO_KINDS);
}

belay_signal *spy_on(sqlite3_vfs *vfs) {
  belay_interface *interface = vfs_interface();
  belay_slot *slot = interface ? belay_slot_create_in_table(interface, vfs, "xOpen", 0) : NULL;
  belay_signal *files = slot ? belay_slot_invoked(slot) : NULL;
  belay_slot_release(slot);
  belay_interface_release(interface);
  return belay_signal_chain(files, belay_op_filter(has_opened, NULL, NULL),
                            belay_op_flat_map(BELAY_UNLIMITED, file_of, NULL, NULL));
}

int spy_end(sqlite3_vfs *vfs) { return belay_table_gone(vfs); }
