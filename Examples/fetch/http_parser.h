/* Takes a response of HTTP/1.1 or 1.0 apart, however its bytes are cut: a pull parser, which
   allocates nothing and knows nothing of sockets.

     http_span input = {bytes, count}, body;
     int event;
     while ((event = http_parser_next(&parser, &input, &body)) > HTTP_MORE) …
*/
#ifndef FETCH_HTTP_PARSER_H
#define FETCH_HTTP_PARSER_H

#include <stdint.h>

#include "http_head.h"

#define HTTP_LINE_SIZE 4096

typedef struct http_span {
  const char *data;
  size_t size;
} http_span;

/* What has been found. A negative number is a code, and `problem` says why. */
enum {
  HTTP_MORE = 0, /* all input is used up, and the response goes on */
  HTTP_HEAD,     /* `head` is complete */
  HTTP_BODY,     /* a piece of the body, which points into the input */
  HTTP_END       /* the response is complete; every further call says so, too */
};

typedef enum http_state {
  HTTP_AT_STATUS = 0,
  HTTP_AT_FIELD,
  HTTP_AT_CHUNK_SIZE,
  HTTP_IN_CHUNK,
  HTTP_AFTER_CHUNK,
  HTTP_AT_TRAILER,
  HTTP_IN_LENGTH,
  HTTP_UNTIL_CLOSE,
  HTTP_AT_END
} http_state;

/* It begins with all zeroes. */
typedef struct http_parser {
  http_state state;
  http_head head;
  const char *problem;
  uint64_t left; /* how much of the body, or of the chunk, is to come */
  size_t line_size;
  char line[HTTP_LINE_SIZE];
} http_parser;

/* Takes the bytes of the next event from the front of `input`. */
int http_parser_next(http_parser *parser, http_span *input, http_span *body);

/* Call it when the connection has been closed: HTTP_END where that ends the response, else
   UV_EOF. */
int http_parser_close(http_parser *parser);

#endif
