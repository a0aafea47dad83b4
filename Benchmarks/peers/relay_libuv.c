/* The server of Examples/relay by hand, on libuv alone: rooms, an idle timeout, a limit of lines a
 * second, a limit of what waits for a client that does not read, no control characters and no
 * invalid UTF-8, statistics, SIGTERM. It writes at once what the system takes, and queues the rest;
 * a line that many get is there once. A client costs no more than it needs: one timer looks for all
 * that are idle, and there is room for a line only while one has begun. */
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "log.h"

#define LINE_LIMIT 1024
#define NAME_SIZE 24
#define IDLE_MS (600 * 1000)
#define SWEEPS 4 /* looks at each client in one idle timeout */
#define STATS_MS (60 * 1000)
#define RATE 1e6
#define QUEUE_LIMIT 65536

typedef struct client client;

typedef struct room {
  struct room *next;
  client **members;
  size_t count, capacity;
  char name[NAME_SIZE];
} room;

struct client {
  uv_tcp_t tcp;
  client *next, **link;
  room *room;
  size_t place; /* among the room's members */
  double tokens, time;
  uint64_t heard;
  bool is_gone;
  char name[NAME_SIZE], address[32];
  size_t size;
  char *input; /* a line that has not come to its end */
};

typedef struct line {
  unsigned references;
  size_t size;
  char text[];
} line;

typedef struct rest {
  uv_write_t request;
  line *line;
} rest;

static uv_loop_t *loop;
static uv_tcp_t listener;
static uv_timer_t reports, sweeps;
static uv_signal_t requests;
static room *rooms;
static client *all;
static unsigned clients, numbers;
static unsigned long long received, refused, sent;
static char chunk[65536];

/* ---- writing ---- */

static void drop(client *it, const char *reason);

static line *make_line(const char *text, size_t size) {
  line *it = malloc(sizeof *it + size + 1);
  if (!it) abort();
  it->references = 1;
  it->size = size + 1;
  memcpy(it->text, text, size);
  it->text[size] = '\n';
  return it;
}
static void release(line *it) {
  if (--it->references == 0) free(it);
}

static void written(uv_write_t *request, int status) {
  rest *it = request->data;
  client *client = request->handle->data;
  release(it->line);
  free(it);
  if (status < 0 && status != UV_ECANCELED) drop(client, uv_strerror(status));
}

static void write_rest(client *client, line *line, size_t done) {
  rest *it = malloc(sizeof *it);
  if (!it) abort();
  line->references++;
  it->line = line;
  it->request.data = it;
  uv_buf_t buffer = uv_buf_init(line->text + done, (unsigned)(line->size - done));
  uv_write(&it->request, (uv_stream_t *)&client->tcp, &buffer, 1, written);
}

static void send_line(client *it, line *line) {
  if (it->is_gone) return;
  uv_stream_t *stream = (uv_stream_t *)&it->tcp;
  size_t waiting = uv_stream_get_write_queue_size(stream);
  if (waiting >= QUEUE_LIMIT) {
    drop(it, "reads too slowly");
    return;
  }
  sent++;
  uv_buf_t buffer = uv_buf_init(line->text, (unsigned)line->size);
  int done = waiting ? 0 : uv_try_write(stream, &buffer, 1);
  if (done < 0 && done != UV_EAGAIN) drop(it, uv_strerror(done));
  else if (done < (int)line->size) write_rest(it, line, done < 0 ? 0 : (size_t)done);
}

static void tell(client *it, const char *text) {
  line *line = make_line(text, strlen(text));
  send_line(it, line);
  release(line);
}

/* A member that is dropped meanwhile leaves by itself, so the walk is from the last to the first.
 */
static void tell_room(room *it, const char *text, size_t size) {
  line *line = make_line(text, size);
  for (size_t i = it->count; i-- > 0;)
    if (i < it->count) send_line(it->members[i], line);
  release(line);
}

/* ---- rooms ---- */

static void leave(client *it) {
  room *room = it->room;
  char text[64];
  if (!room) return;
  it->room = NULL;
  client *last = room->members[--room->count];
  room->members[it->place] = last;
  last->place = it->place;
  if (room->count > 0) tell_room(room, text, (size_t)sprintf(text, "* %s left", it->name));
}

static room *find_room(const char *name) {
  room *it = rooms;
  while (it && strcmp(it->name, name) != 0) it = it->next;
  if (it) return it;
  it = calloc(1, sizeof *it);
  if (!it) abort();
  strcpy(it->name, name);
  it->next = rooms;
  return rooms = it;
}

static void join(client *it, const char *name) {
  char text[64];
  if (strlen(name) >= NAME_SIZE) return;
  leave(it);
  room *room = find_room(name);
  if (room->count == room->capacity) {
    room->capacity = room->capacity ? 2 * room->capacity : 4;
    room->members = realloc(room->members, room->capacity * sizeof *room->members);
    if (!room->members) abort();
  }
  it->place = room->count;
  room->members[room->count++] = it;
  it->room = room;
  tell_room(room, text, (size_t)sprintf(text, "* %s joined %s", it->name, name));
}

/* ---- clients ---- */

static void closed(uv_handle_t *handle) {
  client *it = handle->data;
  free(it->input);
  free(it);
}

static void drop(client *it, const char *reason) {
  if (it->is_gone) return;
  it->is_gone = true;
  log_line("%s %s: gone, %s", it->name, it->address, reason);
  leave(it);
  clients--;
  *it->link = it->next;
  if (it->next) it->next->link = it->link;
  uv_close((uv_handle_t *)&it->tcp, closed);
}

/* A drop tells others, who may be dropped, so it begins again. */
static void sweep(uv_timer_t *timer) {
  (void)timer;
  client *it = all;
  while (it) {
    if (uv_now(loop) - it->heard < IDLE_MS) {
      it = it->next;
    } else {
      drop(it, "idle");
      it = all;
    }
  }
}

static bool take_token(client *it) {
  double now = (double)uv_now(loop) / 1000;
  it->tokens += (now - it->time) * RATE;
  if (it->tokens > RATE) it->tokens = RATE;
  it->time = now;
  if (it->tokens < 1) return false;
  it->tokens--;
  return true;
}

/* How many bytes the character of UTF-8 at `at` has; 0: it is none, or a control character. */
static size_t character(const unsigned char *at, size_t size) {
  size_t length = *at < 0x80 ? 1 : *at < 0xC2 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
  if (length == 0 || length > size || *at > 0xF4) return 0;
  if (length == 1) return (*at >= ' ' && *at != 0x7F) || *at == '\t';
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xC0) != 0x80) return 0;
  if (length == 2 && *at == 0xC2 && at[1] < 0xA0) return 0;
  if (length == 3 && ((*at == 0xE0 && at[1] < 0xA0) || (*at == 0xED && at[1] > 0x9F))) return 0;
  if (length == 4 && ((*at == 0xF0 && at[1] < 0x90) || (*at == 0xF4 && at[1] > 0x8F))) return 0;
  return length;
}
static bool is_plain(const char *text, size_t size) {
  size_t length;
  for (; size > 0; text += length, size -= length)
    if ((length = character((const unsigned char *)text, size)) == 0) return false;
  return true;
}

static void run_line(client *it, const char *text, size_t size) {
  char buffer[LINE_LIMIT + 2 * NAME_SIZE];
  received++;
  it->heard = uv_now(loop);
  if (size > 0 && text[size - 1] == '\r') size--;
  if (!take_token(it)) {
    refused++;
    return;
  }
  if (!is_plain(text, size)) {
    tell(it, "! not plain text");
  } else if (size > 6 && memcmp(text, "/join ", 6) == 0) {
    snprintf(buffer, sizeof buffer, "%.*s", (int)size - 6, text + 6);
    join(it, buffer);
  } else if (it->room && size > 0 && *text != '/') {
    int length = snprintf(buffer, sizeof buffer, "%s: %.*s", it->name, (int)size, text);
    tell_room(it->room, buffer, (size_t)length);
  } else {
    tell(it, "! no such command");
  }
}

static void keep(client *it, const char *data, size_t size) {
  if (!it->input && !(it->input = malloc(LINE_LIMIT))) abort();
  memcpy(it->input + it->size, data, size);
  it->size += size;
}

static void take(client *it, const char *data, size_t size) {
  while (size > 0 && !it->is_gone) {
    const char *end = memchr(data, '\n', size);
    size_t piece = end ? (size_t)(end - data) : size;
    if (it->size + piece > LINE_LIMIT) {
      drop(it, "a line is too long");
    } else if (!end) {
      keep(it, data, piece);
      return;
    } else if (it->size == 0) {
      run_line(it, data, piece);
    } else {
      keep(it, data, piece);
      char *whole = it->input;
      size_t length = it->size;
      it->input = NULL;
      it->size = 0;
      run_line(it, whole, length);
      free(whole);
    }
    data += piece + 1;
    size -= piece + 1;
  }
}

static void lend_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)handle, (void)suggested;
  *buffer = uv_buf_init(chunk, sizeof chunk);
}

static void came(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  if (count > 0) take(stream->data, buffer->base, (size_t)count);
  else if (count < 0) drop(stream->data, uv_strerror((int)count));
}

static void find_address(client *it) {
  struct sockaddr_in peer;
  char host[INET_ADDRSTRLEN];
  int size = sizeof peer;
  if (uv_tcp_getpeername(&it->tcp, (struct sockaddr *)&peer, &size) < 0 ||
      uv_ip4_name(&peer, host, sizeof host) < 0)
    return;
  snprintf(it->address, sizeof it->address, "%s:%d", host, ntohs(peer.sin_port));
}

static void connected(uv_stream_t *server, int status) {
  char text[64];
  client *it = status < 0 ? NULL : calloc(1, sizeof *it);
  if (!it) return;
  uv_tcp_init(loop, &it->tcp);
  it->tcp.data = it;
  it->time = -1e9;
  it->heard = uv_now(loop);
  it->next = all;
  it->link = &all;
  if (it->next) it->next->link = &it->next;
  all = it;
  clients++;
  sprintf(it->name, "guest%u", ++numbers);
  if (uv_accept(server, (uv_stream_t *)&it->tcp) < 0) {
    drop(it, "not accepted");
    return;
  }
  find_address(it);
  uv_tcp_nodelay(&it->tcp, 1);
  uv_read_start((uv_stream_t *)&it->tcp, lend_chunk, came);
  log_line("%s %s: connected", it->name, it->address);
  sprintf(text, "* hello %s", it->name);
  tell(it, text);
}

/* ---- the server ---- */

static void report(uv_timer_t *timer) {
  (void)timer;
  log_line("clients %u, lines in %llu, refused %llu, out %llu", clients, received, refused, sent);
}

static void stop(uv_signal_t *handle, int number) {
  (void)number;
  uv_stop(handle->loop);
}

int main(void) {
  struct sockaddr_in address;
  int size = sizeof address;
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN);
  loop = uv_default_loop();
  uv_tcp_init(loop, &listener);
  uv_timer_init(loop, &reports);
  uv_timer_start(&reports, report, STATS_MS, STATS_MS);
  uv_timer_init(loop, &sweeps);
  uv_timer_start(&sweeps, sweep, IDLE_MS / SWEEPS, IDLE_MS / SWEEPS);
  uv_signal_init(loop, &requests);
  uv_signal_start(&requests, stop, SIGTERM);
  uv_ip4_addr("127.0.0.1", 0, &address);
  int rc = uv_tcp_bind(&listener, (const struct sockaddr *)&address, 0);
  if (rc >= 0) rc = uv_listen((uv_stream_t *)&listener, 511, connected);
  if (rc >= 0) rc = uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &size);
  if (rc < 0) {
    fprintf(stderr, "relay_libuv: %s\n", uv_strerror(rc));
    return EXIT_FAILURE;
  }
  log_line("listening at 127.0.0.1:%d", ntohs(address.sin_port));
  uv_run(loop, UV_RUN_DEFAULT);
  return EXIT_SUCCESS;
}
