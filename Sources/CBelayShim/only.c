/* libbelay-testing contains all of libbelay, with a state of its own. Two copies in one process
 * do not know each other: a handle of one is garbage to the other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char here;

static int is_in(const Dl_info *object, void *symbol) {
  Dl_info found;
  return symbol && dladdr(symbol, &found) && found.dli_fbase == object->dli_fbase;
}

/* A copy whose symbols nobody sees (an archive in a plug-in, say) may be beside others. */
static int is_exported(const Dl_info *object) {
  void *handle = dlopen(object->dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return 0;
  int is_there = is_in(object, dlsym(handle, "belay_version"));
  dlclose(handle);
  return is_there;
}

/* If libbelay was found first, its functions take precedence over those with the same names
 * here, and half of the calls would go there. */
__attribute__((constructor)) static void belay_only_one(void) {
  Dl_info mine, theirs;
  void *called = dlsym(RTLD_DEFAULT, "belay_version");
  if (called && dladdr(&here, &mine) && !is_in(&mine, called) && is_exported(&mine) &&
      dladdr(called, &theirs)) {
    fprintf(stderr,
            "belay: %s and %s are both in this process; link libbelay-testing instead of libbelay, "
            "or before it\n",
            mine.dli_fname, theirs.dli_fname);
    abort();
  }
}
