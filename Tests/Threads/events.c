/* Event sources at the players' loops, and streams that all players use. */
#define _GNU_SOURCE
#include "game.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder of the process ---- */

static char folder[64], file[96];
static pid_t folder_owner;

static void remove_folder(void) {
  char path[96];
  if (getpid() != folder_owner) return;
  unlink(file);
  snprintf(path, sizeof path, "%s/made", folder);
  unlink(path);
  rmdir(folder);
}

int make_folder(void) {
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.40s/belay-game-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folder)) return -1;
  snprintf(file, sizeof file, "%s/file", folder);
  FILE *out = fopen(file, "w");
  if (!out) return -1;
  for (int i = 0; i < 5; i++) fprintf(out, "line %d\n", i);
  fclose(out);
  folder_owner = getpid();
  atexit(remove_folder);
  return 0;
}

char *socket_path(char path[96], int player) {
  snprintf(path, 96, "%s/s%d-%d", folder, (int)getpid(), player);
  return path;
}

/* ---- streams, a slot each ---- */

static belay_stream *take_stream(int index, belay_stream *instead) {
  pthread_mutex_lock(&the_game.lock);
  belay_stream *stream = the_game.streams[index];
  the_game.streams[index] = instead;
  pthread_mutex_unlock(&the_game.lock);
  return stream;
}

static belay_stream *borrow_stream(void) {
  int index = pick(STREAMS);
  pthread_mutex_lock(&the_game.lock);
  belay_stream *stream = the_game.streams[index];
  if (stream) belay_stream_retain(stream);
  pthread_mutex_unlock(&the_game.lock);
  return stream;
}

void drop_streams(int index, int count) {
  for (int i = index; i < STREAMS; i += count) belay_stream_release(take_stream(i, NULL));
}

void open_streams(void) {
  int ends[2];
  if (!me->has_loop || me->has_closed) return;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  for (int i = 0; i < 2; i++) {
    belay_stream_options options = BELAY_INIT(belay_stream_options);
    options.read_high = options.write_high = pick(2) ? 256 : 0;
    belay_stream *stream = belay_stream_open(me->loop, ends[i], &options);
    belay_stream_release(take_stream(pick(STREAMS), stream));
  }
}

void use_stream(void) {
  belay_stream *stream = borrow_stream();
  if (!stream) return;
  char bytes[64] = "some\nlines\nof a text";
  switch (pick(10)) {
    case 0:
      belay_stream_close(stream);
      break;
    case 1:
      belay_stream_shutdown(stream);
      break;
    case 2:
      put_slot(belay_stream_create_disposable(stream), NULL, 0);
      break;
    default:
      for (int count = pick(6); count > 0; count--)
        belay_stream_write(stream, belay_bytes(bytes, (size_t)pick(64)));
  }
  belay_stream_release(stream);
}

static belay_signal *of_stream(witness *listener, int *is_endless) {
  belay_stream *stream = borrow_stream();
  belay_signal *signal = NULL;
  if (!stream) return NULL;
  int index, kind = pick(4);
  belay_signal *source = kind == 0 ? some_source(&index) : NULL;
  if (source) {
    describe(listener, "write_all(s%d)", index);
    signal = belay_stream_write_all(
        stream, belay_signal_chain(source, belay_op_map_to(belay_string("a line\n"))));
  } else if (kind == 1) {
    describe(listener, "drained");
    signal = belay_stream_drained(stream, (size_t)pick(2) * 100);
  } else {
    describe(listener, "read");
    signal = belay_stream_read(stream);
    if (kind == 2) signal = belay_signal_chain(signal, belay_op_lines(1000));
  }
  *is_endless = 1;
  belay_stream_release(stream);
  return signal;
}

/* ---- listeners ---- */

static belay_signal *read_it(void *ctx, belay_value value) {
  stage_enter(ctx);
  belay_stream *stream = belay_value_get_stream(value);
  belay_stream_write(stream, belay_string("welcome\n"));
  belay_signal *signal = belay_stream_read(stream);
  stage_leave(ctx);
  return signal;
}

static belay_signal *keep_it(void *ctx, belay_value value) {
  stage_enter(ctx);
  if (me) {
    belay_stream *stream = belay_stream_retain(belay_value_get_stream(value));
    belay_stream_release(take_stream(pick(STREAMS), stream));
  }
  stage_leave(ctx);
  return belay_signal_empty();
}

void listen_at_own_loop(void) {
  char path[96];
  if (me->has_loop && by_chance(F_listener, 3))
    me->listener = belay_unix_listen(me->loop, socket_path(path, me->index), NULL);
}

static belay_signal *of_listener(player *other, witness *listener, int *is_endless) {
  char path[96];
  witness *stage = other->listener ? new_witness("connection", listener) : NULL;
  if (!stage) return NULL;
  belay_signal *signal;
  if (pick(2)) {
    describe(listener, "connections of l%d", other->index);
    signal = belay_listener_connections(other->listener);
  } else {
    describe(listener, "connect to l%d", other->index);
    belay_loop *loop = the_game.players[pick(the_game.players_count)].loop;
    signal = loop ? belay_unix_connect(loop, socket_path(path, other->index), NULL)
                  : belay_signal_empty();
  }
  if (!signal) {
    witness_free(stage);
    return NULL;
  }
  *is_endless = 1;
  return belay_signal_chain(signal, belay_op_flat_map(BELAY_UNLIMITED, pick(2) ? read_it : keep_it,
                                                      stage, witness_free));
}

/* ---- the other sources ---- */

static belay_value produce(void *ctx) {
  stage_enter(ctx);
  stage_leave(ctx);
  return belay_int32(5);
}

static belay_signal *of_file(belay_loop *loop, witness *listener, int *is_endless) {
  switch (pick(6)) {
    case 0:
      describe(listener, "file_read");
      return belay_file_read(loop, file);
    case 1:
      describe(listener, "file_chunks");
      return belay_file_chunks(loop, file, 0);
    case 2:
      describe(listener, "directory_list");
      return belay_directory_list(loop, folder);
    case 3:
      describe(listener, "file_lines");
      return belay_file_lines(loop, file, 0);
    case 4:
      describe(listener, "file_lines, following");
      *is_endless = 1;
      return belay_file_lines(loop, file, BELAY_FILE_FOLLOW);
    default:
      describe(listener, "file_lines of none");
      return belay_file_lines(loop, "/nowhere", 0);
  }
}

static belay_signal *of_watcher(belay_loop *loop, witness *listener, int *is_endless) {
  *is_endless = 1;
  switch (pick(4)) {
    case 0:
      describe(listener, "file_events");
      return belay_file_events(loop, file);
    case 1:
      describe(listener, "file_poll");
      return belay_file_poll(loop, file, 0.001);
    case 2:
      describe(listener, "tree_events");
      return belay_tree_events(loop, folder);
    default:
      describe(listener, "poll");
      return belay_poll(loop, the_game.pipe[1], BELAY_POLL_WRITABLE);
  }
}

static belay_signal *of_process(belay_loop *loop, witness *listener, int *is_endless) {
  static const char *const at_once[] = {"true", NULL}, *const later[] = {"sleep", "1000", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  int has_output = pick(2);
  options.args = pick(2) ? at_once : later;
  options.output = has_output ? BELAY_STDIO_PIPE : BELAY_STDIO_IGNORE;
  options.disposal = BELAY_PROCESS_KILL;
  describe(listener, "process %s", options.args[0]);
  *is_endless = 1;
  return belay_process(loop, &options);
}

static belay_signal *of_udp(belay_loop *loop, witness *listener, int *is_endless) {
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.host = "127.0.0.1";
  belay_signal *outgoing = some_source(NULL);
  describe(listener, "udp");
  *is_endless = 1;
  belay_signal *signal = belay_udp(loop, outgoing, &options);
  belay_signal_release(outgoing);
  return signal;
}

static belay_signal *make(witness *listener, int *is_endless) {
  static const struct {
    feature what;
    int weight;
  } kinds[] = {{F_interval, 4}, {F_ticks, 3}, {F_work, 4}, {F_file, 6},
               {F_watcher, 4}, {F_udp, 2}, {F_posix_signal, 2}, {F_lookup, 1},
               {F_wall_timer, 1}, {F_process, 1}, {F_listener, 5}, {F_stream, 10}};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  player *other = &the_game.players[pick(the_game.players_count)];
  int total = 0, kind = 0;
  for (int i = 0; i < KINDS; i++) total += kinds[i].weight;
  int left = pick(total);
  while (kind < KINDS - 1 && (left -= kinds[kind].weight) >= 0) kind++;
  if (is_without[kinds[kind].what]) return NULL;
  if (kinds[kind].what == F_stream) return of_stream(listener, is_endless);
  if (!other->loop) return NULL;
  switch (kinds[kind].what) {
    case F_interval:
      describe(listener, "interval");
      *is_endless = 1;
      return belay_signal_interval(other->scheduler, 0.0001);
    case F_ticks:
      describe(listener, "ticks");
      *is_endless = 1;
      return belay_ticks(other->loop, (belay_tick)pick(3));
    case F_work: {
      witness *stage = new_witness("work", listener);
      if (!stage) return NULL;
      describe(listener, "work");
      return belay_work(other->loop, produce, stage, witness_free);
    }
    case F_file:
      return of_file(other->loop, listener, is_endless);
    case F_watcher:
      return of_watcher(other->loop, listener, is_endless);
    case F_udp:
      return of_udp(other->loop, listener, is_endless);
    case F_posix_signal:
      describe(listener, "signal");
      *is_endless = 1;
      return belay_posix_signal(other->loop, SIGWINCH);
    case F_lookup:
      describe(listener, "lookup");
      return belay_lookup(other->loop, "127.0.0.1", NULL);
    case F_wall_timer:
      describe(listener, "wall timer");
      return belay_wall_timer(other->loop, 0);
    case F_process:
      return of_process(other->loop, listener, is_endless);
    default:
      return of_listener(other, listener, is_endless);
  }
}

belay_signal *event_source(witness *listener, int *is_endless) {
  belay_last_error();
  belay_signal *signal = make(listener, is_endless);
  if (signal) return signal;
  const belay_error *error = belay_last_error();
  if (belay_error_code(error) == BELAY_ECLOSED) atomic_fetch_add(&the_game.refused, 1);
  /* What has been described and refused: its loop has closed by now. */
  listener->text[0] = 0;
  *is_endless = 0;
  return NULL;
}

/* What files, watchers and signals tell of. */
void disturb(void) {
  switch (pick(4)) {
    case 0:
      kill(getpid(), SIGWINCH);
      break;
    case 1:
      utimensat(AT_FDCWD, file, NULL, 0);
      break;
    default: {
      char path[96];
      snprintf(path, sizeof path, "%s/made", folder);
      int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
      if (fd >= 0) close(fd);
      unlink(path);
    }
  }
}
