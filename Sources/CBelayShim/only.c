/* libbelay-testing contains all of libbelay, with a state of its own. Two copies in one process
 * do not know each other: a handle of one is garbage to the other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char here;

/* If libbelay was found first, its functions take precedence over those with the same names
 * here, and half of the calls would go there. In a program that was linked with archives, dlsym
 * finds nothing. */
__attribute__((constructor)) static void belay_only_one(void) {
  Dl_info mine, theirs;
  void *called = dlsym(RTLD_DEFAULT, "belay_version");
  if (called && dladdr(&here, &mine) && dladdr(called, &theirs) &&
      mine.dli_fbase != theirs.dli_fbase) {
    fprintf(stderr,
            "belay: %s and %s are both in this process; link libbelay-testing instead of libbelay, "
            "or before it\n",
            mine.dli_fname, theirs.dli_fname);
    abort();
  }
}
