/* An http URL in its parts: http://host[:port][/path][?query][#fragment]. */
#ifndef FETCH_URL_H
#define FETCH_URL_H

typedef struct url {
  char host[256];      /* a name, or an address, one of IPv6 without its brackets */
  char port[6];        /* digits, as uv_getaddrinfo wants them */
  char authority[272]; /* as it was written, for the Host field */
  char target[2048];   /* path and query, never empty; the fragment is left out */
} url;

/* 0, or a negative code with the reason in belay_last_error(). A URL with a blank, a control
   character or a user's name in it is refused. */
int url_parse(url *url, const char *text);

#endif
