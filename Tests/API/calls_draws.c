/* Random values, structs, numbers and texts. */
#include "random_calls.h"

#include <signal.h>

static const int codes[] = {BELAY_EINVAL, BELAY_EAGAIN, BELAY_ENOENT, BELAY_EDEAD, BELAY_EKIND, -104,
                            INT_MIN, -12345, 0, 1, INT_MAX};
int draw_code(void) { return ONE_OF(codes); }
int is_drawn_code(int code) { return code == INT_MIN || code == -12345 || code == -1; }

/* ---- numbers ---- */

int draw_int(void) {
  static const int some[] = {0, 0, 1, 1, 1, 2, 3, -1, 1000, INT_MAX, INT_MIN};
  return ONE_OF(some);
}
unsigned draw_unsigned(void) {
  static const unsigned some[] = {0, 0, 0, 1, 1, 2, 3, 4, 7, 8, 31, 255, 0x80000000u, UINT_MAX};
  return ONE_OF(some);
}
int draw_enum(void) {
  static const int some[] = {0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 13, 14, 18, 26, 27, 28, 100, -1, INT_MIN};
  return ONE_OF(some);
}
size_t draw_size(void) {
  static const size_t some[] = {0, 1, 1, 2, 3, 3, 8, 100, 1024, (size_t)1 << 32, SIZE_MAX / 16, SIZE_MAX - 1,
                                SIZE_MAX, (size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1};
  return ONE_OF(some);
}
uint64_t draw_uint64(void) { return draw_size(); }
int64_t draw_int64(void) {
  static const int64_t some[] = {0, 1, -1, 5, INT64_MAX, INT64_MAX - 2, INT64_MIN};
  return ONE_OF(some);
}
size_t draw_few(void) { return draw(4); }
size_t draw_count(void) { return draw(5); }
uint16_t draw_port(void) {
  static const uint16_t some[] = {0, 0, 1};
  return ONE_OF(some);
}
char draw_mark(void) { return "ab10-|#\xff "[draw(9)]; }
double draw_seconds(void) {
  static const double some[] = {0, -0.0, 0.05, 0.05, 0.1, 0.5, 1, 3600, 1e9, 1e18, 1e300, -1, -1e300, INFINITY,
                                -INFINITY, NAN};
  return ONE_OF(some);
}
/* Under virtual time, work that repeats every 0.05 s is run as often as it is due. */
double draw_advance(void) {
  static const double some[] = {0, 0.05, 1, 5, -1, NAN, -INFINITY};
  return ONE_OF(some);
}
double draw_date(void) { return flip() ? draw_seconds() : 2e9; }
double draw_wait(void) {
  static const double some[] = {0, 0, 0.001, 0.002, NAN};
  return ONE_OF(some);
}
unsigned draw_uv_version(void) { return rarely() ? draw_unsigned() : 0; }
int draw_signum(void) {
  static const int some[] = {SIGUSR1, SIGUSR1, SIGUSR2, SIGWINCH, 0, -1, SIGKILL, 64, 65, 9999, INT_MAX, INT_MIN};
  return ONE_OF(some);
}
/* Blocking needs another thread that empties the queue: where this one has a loop, it is an error. */
belay_queue_policy draw_policy(void) {
  int policy = draw_enum();
  return (belay_queue_policy)(policy == BELAY_QUEUE_BLOCK && !keeper ? 0 : policy);
}

/* ---- texts: none is released ---- */

static char long_text[5000];
__attribute__((constructor)) static void begin_texts(void) { memset(long_text, 'x', sizeof long_text - 1); }
const char *draw_text(void) {
  static const char *const some[] = {"", "a", "abc", "age", "\xff\xfe", "\xc3", "a.b", "line\nline\n", "%s%n",
                                     "\xe2\x82\xac", "type", "a b"};
  if (rarely()) return NULL;
  if (rarely()) return long_text;
  return ONE_OF(some);
}
const char *draw_label(void) { return draw_text(); }
const char *draw_shape(void) {
  static const char *const some[] = {"v@", "i@i", "v@p", "i@*", "d@d", "", "i", "v", "?", "@", "i@{", "i@{ii}", "i@i@",
                                     "iii", "B@B", "v@ddd"};
  return rarely() ? draw_text() : ONE_OF(some);
}
const char *draw_method(void) {
  static const char *const some[] = {"read", "name", "end", "note", "quick", "nothing"};
  return rarely() ? draw_text() : ONE_OF(some);
}
const char *draw_diagram(void) {
  static const char *const some[] = {"--a--b--|", "-1-2-#", "--^--a-|", "^--!", "(ab|)", "", "-", "|", "#", "a 10ms b",
                                     "--(a", "!^", " 1m a|", "1e9ms", "999999999999s a", "-^-a-^"};
  return rarely() ? draw_text() : ONE_OF(some);
}
const char *draw_key_path(void) {
  static const char *const some[] = {"age", "score", "name", "mate", "pal", "mate.age", "pal.name", "mate.mate.mate",
                                     "area", "limited", ".age", "", ".", "a..b", "any", "mate.any", "changed"};
  return rarely() ? draw_text() : ONE_OF(some);
}
const char *draw_host(void) {
  static const char *const some[] = {"127.0.0.1", "127.0.0.1", "127.0.0.1", "::1", "", "256.1.1.1", "[::1]", "1:2:3"};
  return ONE_OF(some);
}
const char *draw_service(void) {
  static const char *const some[] = {"1", "0", "65536", "-1", "", "99999999999999999999"};
  return rarely() ? NULL : ONE_OF(some);
}
/* All in the folder of the seed, which has a file, a directory, a pipe and a socket's place. */
const char *draw_path(void) {
  static const char *const names[] = {"file", "file", "directory", "pipe", "socket", "none", "none/none", "file/none",
                                      "link", ""};
  static _Thread_local char paths[32][160];
  static _Thread_local int next;
  if (rarely()) return NULL;
  if (rarely()) return "";
  if (rarely()) return long_text;
  char *made = paths[next++ % 32];
  snprintf(made, sizeof paths[0], "%s/%s", folder, ONE_OF(names));
  return made;
}
const void *draw_key(void) {
  static const char keys[4];
  return rarely() ? NULL : &keys[draw(4)];
}

/* ---- memory ---- */

void *draw_address(void) {
  static char here[4];
  return rarely() ? NULL : &here[draw(4)];
}
void *draw_room(void) {
  static _Thread_local union {
    max_align_t aligned;
    char bytes[32];
  } rooms[64];
  static _Thread_local int next;
  return rarely() ? NULL : memset(&rooms[next++ % 64], 0, sizeof rooms[0]);
}
void *draw_buffer(size_t *size) {
  static _Thread_local char buffers[64][64];
  static _Thread_local int next;
  char *made = buffers[next++ % 64];
  memcpy(made, "some \xe2\x82\xac text\0and more", 23);
  *size = draw(sizeof buffers[0] + 1);
  if (draw(8)) return made;
  *size = draw(3) ? draw_size() : 0;
  return NULL;
}
void *draw_array(void) {
  static _Thread_local union {
    max_align_t aligned;
    char bytes[128];
  } arrays[64];
  static _Thread_local int next;
  return rarely() ? NULL : memset(&arrays[next++ % 64], 0, sizeof arrays[0]);
}

/* ---- values ---- */

belay_signal *fresh_signal(void) {
  switch (draw(6)) {
    case 0: return belay_signal_empty();
    case 1: return belay_signal_never();
    case 2: return belay_signal_just(belay_int32((int32_t)draw(4)));
    case 3: return belay_signal_range((int64_t)draw(4), draw(4));
    case 4: return belay_signal_just(belay_string("fresh"));
    default: return belay_signal_from_result(belay_value_failure(draw_code(), "fresh"));
  }
}

belay_signal *cut(belay_signal *signal) { return signal ? belay_signal_chain(signal, belay_op_take(6)) : NULL; }

static belay_value value_of(belay_signal *signal) {
  belay_value value = belay_value_from_signal(signal);
  belay_signal_release(signal);
  return value;
}

static belay_value value_of_handle(void) {
  if (is_tidy) { /* of what cannot lead to where the value goes */
    switch (draw(4)) {
      case 0: return belay_value_from_error(peek(&belay_error_pool));
      case 1: return belay_value_from_weak(peek(&belay_weak_pool));
      default: return value_of(fresh_signal());
    }
  }
  switch (draw(10)) {
    case 0: return belay_value_from_subscriber(peek(&belay_subscriber_pool));
    case 1: return belay_value_from_disposable(peek(&belay_disposable_pool));
    case 2: return belay_value_from_bag(peek(&belay_bag_pool));
    case 3: return belay_value_from_owner(peek(&belay_owner_pool));
    case 4: return belay_value_from_loop(peek(&belay_loop_pool));
    case 5: return belay_value_from_scheduler(peek(&belay_scheduler_pool));
    case 6: return belay_value_from_stream(peek(&belay_stream_pool));
    case 7: return value_of(fresh_signal());
    default: return value_of(cut(take(&belay_signal_pool)));
  }
}

static belay_value value_of_token(void) {
  void *ctx;
  belay_free_fn ctx_free;
  give(&ctx, &ctx_free);
  switch (draw(3)) {
    case 0: return belay_pointer_owned(ctx, ctx_free);
    case 1: return belay_pointer_typed(draw_text(), ctx, ctx_free);
    default: return belay_pointer_at(peek(&belay_loop_pool), draw_text(), ctx, ctx_free);
  }
}

static belay_value array_value(void) {
  static _Thread_local int depth;
  belay_value items[4];
  size_t count = depth < 3 ? draw(5) : 0;
  depth++;
  for (size_t i = 0; i < count; i++) items[i] = draw_value();
  depth--;
  return belay_array_of(items, count);
}

static belay_value draw_any_value(void) {
  char room[64] = "some";
  switch (draw(22)) {
    case 0: return belay_null();
    case 1: return belay_bool(flip());
    case 2: return belay_int8((int8_t)draw_int());
    case 3: return belay_int16((int16_t)draw_int());
    case 4: case 5: return belay_int32(draw_int());
    case 6: return belay_int64(draw_int64());
    case 7: return belay_uint8((uint8_t)draw_unsigned());
    case 8: return belay_uint32(draw_unsigned());
    case 9: return belay_uint64(draw_uint64());
    case 10: return belay_float((float)draw_seconds());
    case 11: return belay_double(draw_seconds());
    case 12: return belay_pointer(draw_address());
    case 13: return belay_value_failure(draw_code(), draw_text());
    case 14: return belay_string(draw_text());
    case 15: return belay_string_n("a\0b", draw(4));
    case 16: return belay_bytes(room, draw(sizeof room));
    case 17: return belay_struct(draw_text(), room, draw(sizeof room));
    case 18: return array_value();
    case 19: return value_of_token();
    default: return value_of_handle();
  }
}

belay_value draw_value(void) {
  belay_value value = draw_any_value();
  if (value.tag_ > BELAY_KIND_FAILURE) note("value %p", (void *)(uintptr_t)value.tag_); /* its box */
  return value;
}

void lend_value(int quiet, belay_value value) {
  char text[40];
  belay_value_describe(value, text, sizeof text);
  if (quiet || draw(4)) return;
  switch (belay_value_kind(value)) {
    case BELAY_KIND_SIGNAL: lend_handle(quiet, &belay_signal_pool, belay_value_get_signal(value)); break;
    case BELAY_KIND_STREAM: lend_handle(quiet, &belay_stream_pool, belay_value_get_stream(value)); break;
    case BELAY_KIND_ERROR: lend_handle(quiet, &belay_error_pool, (void *)belay_value_get_error(value)); break;
    case BELAY_KIND_OWNER: lend_handle(quiet, &belay_owner_pool, belay_value_get_owner(value)); break;
    case BELAY_KIND_ARRAY:
      for (size_t i = 0; i < belay_value_count(value) && i < 4; i++) {
        belay_value item;
        if (belay_value_get_item(value, i, &item) == 0) lend_value(quiet, item);
      }
      break;
    default: break;
  }
}
void give_back(belay_value value) {
  char text[40];
  belay_value_describe(value, text, sizeof text);
  belay_value_release(value);
}

/* ---- structs ---- */

void *begin_struct(drawn *drawn, size_t size) {
  memset(drawn, 0, sizeof *drawn);
  drawn->size = size;
  drawn->is_null = rarely();
  return drawn->is_null ? NULL : drawn->room.bytes;
}
void *end_struct(drawn *drawn) {
  size_t size = drawn->size, *given = (void *)drawn->room.bytes;
  *given = size;
  if (!rarely()) return given;
  switch (draw(7)) {
    case 0: *given = 0; break;
    case 1: *given = 7; break;
    case 2: *given = size - 1; break;
    case 3: *given = SIZE_MAX; break;
    case 4: *given = size + 8192; break;
    case 5:
      *given = size + 8;
      drawn->room.bytes[size + draw(8)] = (unsigned char)(1 + draw(255));
      break;
    default: *given = size + 8 * (1 + draw(8)); return given;
  }
  drawn->is_wrong = 1;
  if (drawn->token) drawn->token->may_stay |= 1;
  return given;
}
void check_size(const char *function, drawn *drawn, int failed) {
  if (!drawn->is_null && drawn->is_wrong && !failed) fault("%s takes a struct of a wrong size", function);
}

int wants(void) { return is_tidy || draw(4); }

void look_at(const char *text) {
  if (text && strlen(text) == SIZE_MAX) abort();
}
void look_at_resources(const belay_open_resource *const *resources, size_t count) {
  for (size_t i = 0; i < count; i++) {
    look_at(belay_open_resource_kind(resources[i]));
    look_at(belay_open_resource_label(resources[i]));
    look_at(belay_open_resource_site(resources[i]));
  }
}
