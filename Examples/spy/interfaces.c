#include "interfaces.h"

#include <sqlite3.h>

static const belay_method vfs_methods[] = {
    BELAY_TYPED_METHOD(sqlite3_vfs, xOpen, 0, int,
                       (sqlite3_vfs *, const char *, sqlite3_file *, int, int *)),
};

/* These are not all there are. The others are copied with the table, and are called as before. */
static const belay_method file_methods[] = {
    {sizeof(belay_method), "xClose", offsetof(sqlite3_io_methods, xClose), "i@",
     BELAY_METHOD_ENDS_OBJECT},
    BELAY_TYPED_METHOD(sqlite3_io_methods, xRead, 0, int,
                       (sqlite3_file *, void *, int, sqlite3_int64)),
    BELAY_TYPED_METHOD(sqlite3_io_methods, xWrite, 0, int,
                       (sqlite3_file *, const void *, int, sqlite3_int64)),
    BELAY_TYPED_METHOD(sqlite3_io_methods, xTruncate, 0, int, (sqlite3_file *, sqlite3_int64)),
    BELAY_TYPED_METHOD(sqlite3_io_methods, xSync, 0, int, (sqlite3_file *, int)),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

belay_interface *vfs_interface(void) {
  return belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "sqlite3_vfs",
      .table_size = sizeof(sqlite3_vfs),
      .methods = vfs_methods,
      .method_count = COUNT(vfs_methods),
      .table_offset = BELAY_NO_TABLE,
  });
}

belay_interface *file_interface(int version) {
  static const size_t sizes[] = {0, offsetof(sqlite3_io_methods, xShmMap),
                                 offsetof(sqlite3_io_methods, xFetch), sizeof(sqlite3_io_methods)};
  if (version < 1 || version >= (int)COUNT(sizes)) return NULL;
  return belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "sqlite3_io_methods",
      .table_size = sizes[version],
      .methods = file_methods,
      .method_count = COUNT(file_methods),
      .table_offset = offsetof(sqlite3_file, pMethods),
  });
}
