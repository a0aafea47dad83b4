#include "process.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "failure.h"

typedef struct recipe {
  belay_loop *loop;
  char *arguments[]; /* NULL is the last */
} recipe;

/* One subscription. The process's handle stays open until the process has exited, for without it
   nobody would take its status. The handle of its output stays open until the output has ended. */
typedef struct process {
  uv_process_t child;
  uv_pipe_t output;
  int open; /* handles that are not closed yet, and one more for the subscription */
  bool is_over, has_exited, has_ended;
  int64_t status;
  int signal;
  belay_subscriber *subscriber;
  const recipe *recipe; /* may be gone once the subscription has ended */
  size_t line_size;
  char line[256];
  char input[1024];
} process;

static void let_go(process *it) {
  if (--it->open > 0) return;
  belay_subscriber_release(it->subscriber);
  free(it);
}
static void closed(uv_handle_t *handle) { let_go(handle->data); }

static void close_output(process *it) {
  if (!uv_is_closing((uv_handle_t *)&it->output)) uv_close((uv_handle_t *)&it->output, closed);
}

static void fail(process *it, int code, const char *problem) {
  if (!it->has_ended) send_failure(it->subscriber, code, it->recipe->arguments[0], problem);
}

/* ---- its end ---- */

/* The last line may still be in the pipe when the process exits, so both ends are waited for. */
static void end_if_done(process *it) {
  char problem[64];
  if (it->has_ended || !it->is_over || !it->has_exited) return;
  if (it->status == 0 && it->signal == 0) {
    belay_subscriber_completed(it->subscriber);
    return;
  }
  if (it->signal)
    snprintf(problem, sizeof problem, "killed by signal %d", it->signal);
  else
    snprintf(problem, sizeof problem, "exited with %lld", (long long)it->status);
  fail(it, BELAY_ECANCELED, problem);
}

static void exited(uv_process_t *child, int64_t status, int signal) {
  process *it = child->data;
  it->has_exited = true;
  it->status = status;
  it->signal = signal;
  uv_close((uv_handle_t *)child, closed);
  end_if_done(it);
}

static void leave(void *ctx) {
  process *it = ctx;
  it->has_ended = true;
  close_output(it);
  if (!it->has_exited) uv_process_kill(&it->child, SIGKILL);
  let_go(it);
}

/* ---- what it prints ---- */

static void lend_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  process *it = handle->data;
  (void)suggested;
  *buffer = uv_buf_init(it->input, sizeof it->input);
}

/* A longer line is cut. */
static void take(process *it, const char *data, size_t size) {
  for (size_t i = 0; i < size && !it->has_ended; i++) {
    if (data[i] != '\n') {
      if (it->line_size < sizeof it->line) it->line[it->line_size++] = data[i];
      continue;
    }
    belay_value line = belay_string_n(it->line, it->line_size);
    it->line_size = 0;
    int rc = belay_subscriber_next(it->subscriber, line);
    if (rc < 0) fail(it, rc, NULL);
  }
}

static void received(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  process *it = stream->data;
  if (count > 0) take(it, buffer->base, (size_t)count);
  if (count >= 0) return;
  if (it->line_size > 0) take(it, "\n", 1); /* the last line may have no end */
  it->is_over = true;
  close_output(it);
  end_if_done(it);
}

/* ---- the signal ---- */

static int spawn(process *it) {
  uv_stdio_container_t streams[3] = {
      {.flags = UV_IGNORE},
      {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&it->output},
      {.flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO}};
  uv_process_options_t options = {.file = it->recipe->arguments[0],
                                  .args = (char **)it->recipe->arguments,
                                  .exit_cb = exited,
                                  .stdio = streams,
                                  .stdio_count = 3};
  return uv_spawn(belay_loop_uv(it->recipe->loop), &it->child, &options);
}

static void start(process *it) {
  it->child.data = it->output.data = it;
  it->open = 3;
  int rc = spawn(it);
  if (rc < 0) {
    it->has_exited = true; /* the process never ran, but libuv has its handle */
    uv_close((uv_handle_t *)&it->child, closed);
  } else {
    rc = uv_read_start((uv_stream_t *)&it->output, lend_buffer, received);
  }
  if (rc < 0) fail(it, rc, uv_strerror(rc));
}

static belay_disposable *begin(void *ctx, belay_subscriber *subscriber) {
  const recipe *recipe = ctx;
  if (!is_on_loop(subscriber, recipe->loop, recipe->arguments[0])) return NULL;
  process *it = calloc(1, sizeof *it);
  int rc = it ? uv_pipe_init(belay_loop_uv(recipe->loop), &it->output, 0) : UV_ENOMEM;
  if (rc < 0) {
    free(it);
    send_failure(subscriber, rc, recipe->arguments[0], uv_strerror(rc));
    return NULL;
  }
  it->recipe = recipe;
  it->subscriber = belay_subscriber_retain(subscriber);
  start(it);
  return belay_disposable_create(leave, it, NULL);
}

static void free_recipe(void *ctx) {
  recipe *recipe = ctx;
  belay_loop_release(recipe->loop);
  for (char **argument = recipe->arguments; *argument; argument++) free(*argument);
  free(recipe);
}

static recipe *make_recipe(belay_loop *loop, const char *const *arguments) {
  size_t count = 0;
  while (arguments[count]) count++;
  recipe *it = calloc(1, sizeof *it + (count + 1) * sizeof *it->arguments);
  if (!it) return NULL;
  it->loop = belay_loop_retain(loop);
  for (size_t i = 0; i < count; i++) {
    it->arguments[i] = strdup(arguments[i]);
    if (it->arguments[i]) continue;
    free_recipe(it);
    return NULL;
  }
  return it;
}

belay_signal *process_lines(belay_loop *loop, const char *const *arguments) {
  recipe *recipe = make_recipe(loop, arguments);
  if (!recipe) {
    belay_fail(UV_ENOMEM, NULL);
    return NULL;
  }
  return belay_signal_create(
      begin, recipe, free_recipe,
      &(belay_source_options){
          .size = sizeof(belay_source_options), .label = "process", .site = BELAY_HERE});
}
