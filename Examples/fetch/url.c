#include "url.h"

#include <belay/belay.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct span {
  const char *data;
  size_t size;
} span;

static bool copy(char *out, size_t size, span text) {
  if (text.size >= size) return false;
  memcpy(out, text.data, text.size);
  out[text.size] = 0;
  return true;
}

/* Characters that the first lines of a request must not contain, even if they stand in the URL. */
static bool has_unsafe_bytes(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text <= ' ' || (unsigned char)*text == 0x7f) return true;
  return false;
}

static bool parse_port(url *url, span digits) {
  if (digits.size == 0) digits = (span){"80", 2};
  if (strspn(digits.data, "0123456789") < digits.size) return false;
  if (!copy(url->port, sizeof url->port, digits)) return false;
  long port = strtol(url->port, NULL, 10);
  return port > 0 && port <= 65535;
}

static bool parse_authority(url *url, span authority) {
  span host = authority, port = {"", 0};
  if (authority.size > 0 && *authority.data == '[') {
    const char *bracket = memchr(authority.data, ']', authority.size);
    if (!bracket) return false;
    host = (span){authority.data + 1, (size_t)(bracket - authority.data) - 1};
    port = (span){bracket + 1, (size_t)(authority.data + authority.size - bracket) - 1};
    if (port.size > 0 && *port.data != ':') return false;
  } else {
    const char *colon = memchr(authority.data, ':', authority.size);
    if (colon) {
      host.size = (size_t)(colon - authority.data);
      port = (span){colon, authority.size - host.size};
    }
  }
  if (port.size > 0) port = (span){port.data + 1, port.size - 1};
  return host.size > 0 && !memchr(authority.data, '@', authority.size) &&
         parse_port(url, port) && copy(url->host, sizeof url->host, host) &&
         copy(url->authority, sizeof url->authority, authority);
}

int url_parse(url *url, const char *text) {
  static const char scheme[] = "http://";
  const size_t prefix = sizeof scheme - 1;
  if (!text || strncasecmp(text, scheme, prefix) != 0)
    return belay_fail(BELAY_EINVAL, "a URL begins with http://");
  if (has_unsafe_bytes(text))
    return belay_fail(BELAY_EINVAL, "a URL has no blanks and no control characters");

  const char *rest = text + prefix;
  span authority = {rest, strcspn(rest, "/?#")};
  rest += authority.size;
  span target = {rest, strcspn(rest, "#")};
  if (!parse_authority(url, authority))
    return belay_fail(BELAY_EINVAL, "the URL's host or port cannot be understood");
  const char *slash = target.size > 0 && *target.data == '/' ? "" : "/";
  int length = snprintf(url->target, sizeof url->target, "%s%.*s", slash, (int)target.size,
                        target.data);
  if (length < 0 || (size_t)length >= sizeof url->target)
    return belay_fail(BELAY_EINVAL, "the URL is too long");
  return 0;
}
