/* What was open when a loop was closed. */
#ifndef OPEN_RESOURCES_H
#define OPEN_RESOURCES_H

#include "cases.h"

static inline void closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("%s closed %zu", (const char *)ctx, count);
}

/* Open resources as "kind label foreign", in a buffer of their own; checks the site of labelled ones. */
static char found[4096];
static const char *expected_site;

static inline void note(void *ctx, const belay_open_resource *const *left, size_t count) {
  found[0] = 0;
  for (size_t i = 0; i < count; i++) {
    size_t used = strlen(found);
    CHECK(belay_open_resource_kind(left[i]) != NULL);
    CHECK(belay_open_resource_address(left[i]) != NULL);
    const char *label = text_or(belay_open_resource_label(left[i]), "-");
    snprintf(found + used, sizeof found - used, "(%s %s%s)", belay_open_resource_kind(left[i]),
             label, belay_open_resource_is_foreign(left[i]) ? " foreign" : "");
    if (expected_site && strcmp(label, "named") == 0)
      CHECK_STRING(belay_open_resource_site(left[i]), expected_site);
  }
}

#define CHECK_FOUND(text)                                                             \
  do {                                                                                \
    if (!strstr(found, text))                                                         \
      check_failed(__FILE__, __LINE__, "\"%s\" is not among \"%s\"", text, found);    \
  } while (0)

#endif
