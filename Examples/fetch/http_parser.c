#include "http_parser.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <uv.h>

static int fail(http_parser *parser, const char *problem) {
  parser->problem = problem;
  return UV_EPROTO;
}

/* ---- lines ---- */

/* 1: `line` holds a whole one, without its end; 0: the input is used up; < 0: failed. */
static int take_line(http_parser *parser, http_span *input) {
  const char *end = memchr(input->data, '\n', input->size);
  size_t size = end ? (size_t)(end - input->data) : input->size;
  if (size >= sizeof parser->line - parser->line_size) return fail(parser, "a line is too long");
  memcpy(parser->line + parser->line_size, input->data, size);
  parser->line_size += size;
  input->data += size + (end != NULL);
  input->size -= size + (end != NULL);
  if (!end) return 0;

  if (parser->line_size > 0 && parser->line[parser->line_size - 1] == '\r') parser->line_size--;
  if (memchr(parser->line, 0, parser->line_size)) return fail(parser, "a line has a NUL in it");
  parser->line[parser->line_size] = 0;
  parser->line_size = 0;
  return 1;
}

static int understand_status(http_parser *parser) {
  const char *line = parser->line;
  if (strncmp(line, "HTTP/1.", 7) != 0 || !isdigit((unsigned char)line[7]) || line[8] != ' ' ||
      strspn(line + 9, "0123456789") != 3 || (line[12] != ' ' && line[12] != 0))
    return fail(parser, "the answer does not begin like one of HTTP/1.1");
  http_head *head = &parser->head;
  head->status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
  snprintf(head->reason, sizeof head->reason, "%s", line[12] ? line + 13 : "");
  head->size = 0;
  if (head->status < 100 || head->status == 101)
    return fail(parser, "the answer's status is none that was asked for");
  parser->state = HTTP_AT_FIELD;
  return HTTP_MORE;
}

/* ---- where the body ends ---- */

/* Digits of one base and nothing else, in 64 bits. */
static bool parse_number(const char *text, unsigned base, uint64_t *number) {
  const char *digits = text;
  uint64_t n = 0;
  for (; isxdigit((unsigned char)*digits); digits++) {
    int lower = tolower((unsigned char)*digits);
    unsigned digit = (unsigned)(isdigit(lower) ? lower - '0' : lower - 'a' + 10);
    if (digit >= base || n > (UINT64_MAX - digit) / base) return false;
    n = n * base + digit;
  }
  *number = n;
  return digits != text && *digits == 0;
}

/* A response may state its length several times, but only the same one. */
static int understand_length(http_parser *parser, bool *is_given) {
  const char *name, *value;
  for (size_t at = 0; http_head_next(&parser->head, &at, &name, &value);) {
    uint64_t length;
    if (strcasecmp(name, "content-length") != 0) continue;
    if (!parse_number(value, 10, &length) || (*is_given && length != parser->left))
      return fail(parser, "the answer's length is no number");
    *is_given = true;
    parser->left = length;
  }
  return 0;
}

static int begin_body(http_parser *parser) {
  const http_head *head = &parser->head;
  const char *coding = http_head_get(head, "transfer-encoding");
  bool has_length = false;
  if (head->status < 200) {
    parser->state = HTTP_AT_STATUS; /* the real answer is still to come */
    return HTTP_MORE;
  }
  if (head->status == 204 || head->status == 304) {
    parser->state = HTTP_AT_END;
  } else if (coding) {
    if (strcasecmp(coding, "chunked") != 0) return fail(parser, "an unknown transfer coding");
    parser->state = HTTP_AT_CHUNK_SIZE;
  } else {
    int rc = understand_length(parser, &has_length);
    if (rc < 0) return rc;
    parser->state = !has_length         ? HTTP_UNTIL_CLOSE
                    : parser->left == 0 ? HTTP_AT_END
                                        : HTTP_IN_LENGTH;
  }
  return HTTP_HEAD;
}

static int understand_field(http_parser *parser) {
  char *line = parser->line, *colon = strchr(line, ':');
  if (*line == 0) return begin_body(parser);
  if (!colon || strcspn(line, " \t:") != (size_t)(colon - line) || colon == line)
    return fail(parser, "a header field cannot be understood");
  char *value = colon + 1, *end = line + strlen(line);
  while (*value == ' ' || *value == '\t') value++;
  while (end > value && (end[-1] == ' ' || end[-1] == '\t')) end--;
  *colon = *end = 0;
  if (!http_head_add(&parser->head, line, value)) return fail(parser, "the header is too long");
  return HTTP_MORE;
}

static int understand_chunk_size(http_parser *parser) {
  parser->line[strcspn(parser->line, "; \t")] = 0; /* an extension, which is ignored */
  if (!parse_number(parser->line, 16, &parser->left))
    return fail(parser, "a chunk's size is no number");
  parser->state = parser->left == 0 ? HTTP_AT_TRAILER : HTTP_IN_CHUNK;
  return HTTP_MORE;
}

static int understand_line(http_parser *parser) {
  switch (parser->state) {
    case HTTP_AT_STATUS: return understand_status(parser);
    case HTTP_AT_FIELD: return understand_field(parser);
    case HTTP_AT_CHUNK_SIZE: return understand_chunk_size(parser);
    case HTTP_AFTER_CHUNK:
      if (*parser->line) return fail(parser, "a chunk is longer than its size");
      parser->state = HTTP_AT_CHUNK_SIZE;
      return HTTP_MORE;
    default: /* a trailer, which is read and ignored */
      if (*parser->line == 0) parser->state = HTTP_AT_END;
      return HTTP_MORE;
  }
}

/* ---- bodies ---- */

static int take_body(http_parser *parser, http_span *input, http_span *body) {
  if (input->size == 0) return HTTP_MORE;
  *body = *input;
  if (parser->state != HTTP_UNTIL_CLOSE) {
    if (body->size > parser->left) body->size = (size_t)parser->left;
    parser->left -= body->size;
    if (parser->left == 0)
      parser->state = parser->state == HTTP_IN_CHUNK ? HTTP_AFTER_CHUNK : HTTP_AT_END;
  }
  input->data += body->size;
  input->size -= body->size;
  return HTTP_BODY;
}

int http_parser_next(http_parser *parser, http_span *input, http_span *body) {
  for (;;) {
    int rc;
    switch (parser->state) {
      case HTTP_AT_END: return HTTP_END;
      case HTTP_IN_LENGTH:
      case HTTP_IN_CHUNK:
      case HTTP_UNTIL_CLOSE: return take_body(parser, input, body);
      default:
        rc = take_line(parser, input);
        if (rc <= 0) return rc;
        rc = understand_line(parser);
        if (rc != HTTP_MORE) return rc;
    }
  }
}

int http_parser_close(http_parser *parser) {
  if (parser->state == HTTP_UNTIL_CLOSE) parser->state = HTTP_AT_END;
  if (parser->state == HTTP_AT_END) return HTTP_END;
  parser->problem = "the connection was closed before the answer was complete";
  return UV_EOF;
}
