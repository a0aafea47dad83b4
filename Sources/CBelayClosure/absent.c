// What stands in for interception in a build without it: there is no interface, and so nothing
// that the rest could be called with.
#include "belay/belay.h"

static int invalid(void) { return belay_fail(BELAY_EINVAL, NULL); }
static void *none(int code) {
  belay_fail(code, code == BELAY_ENOTSUP ? "built without interception" : NULL);
  return NULL;
}
