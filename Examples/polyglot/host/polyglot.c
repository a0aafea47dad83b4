/* polyglot PLUGIN: sends the lines of standard input to a signal. A plug-in in Rust filters it, and
   Python listens to what is left until its listener dies at a line that says "stop". Meanwhile a thread
   sends structs to another signal. The plug-in makes numbers of them, and Python adds those up. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <belay/belay.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

enum { SAMPLES = 500 }; /* fewer than the loop's queue takes */

typedef int (*plugin_function)(const belay_exchange *given, belay_exchange *made);

/* The plug-in declares the same struct. */
typedef struct sample {
  double x, y;
} sample;

typedef struct host {
  belay_loop *loop;
  belay_signal *lines, *samples;
  PyObject *python; /* the module listen.py */
  uv_thread_t thread;
  uv_async_t is_measuring; /* keeps the loop alive until the thread has ended */
} host;

/* Calls a function of listen.py. `argument` may be NULL. */
static int call(host *host, const char *name, PyObject *argument) {
  PyObject *result = PyObject_CallMethod(host->python, name, argument ? "O" : NULL, argument);
  if (!result) PyErr_Print();
  Py_XDECREF(result);
  return result ? 0 : -1;
}

/* Reads a line in each turn of the host's loop. */
static void read_line(uv_idle_t *idle) {
  host *host = idle->data;
  char line[256];
  if (!fgets(line, sizeof line, stdin)) {
    belay_subject_completed(host->lines);
    uv_close((uv_handle_t *)idle, NULL);
    return;
  }
  line[strcspn(line, "\n")] = 0;
  if (strcmp(line, "stop") == 0) call(host, "stop", NULL);
  belay_subject_next(host->lines, belay_string(line));
}

/* Comes after all that the thread has sent, because a loop keeps the order of what is posted to it. */
static void has_measured(void *ctx) {
  host *host = ctx;
  uv_thread_join(&host->thread);
  uv_close((uv_handle_t *)&host->is_measuring, NULL);
}

/* Runs on a thread of its own. What it sends is delivered by the loop, at which the signal was made. */
static void measure(void *ctx) {
  host *host = ctx;
  for (int i = 1; i <= SAMPLES; i++) {
    sample one = {3.0 * i, 4.0 * i};
    belay_subject_next(host->samples, BELAY_STRUCT(sample, &one));
  }
  belay_subject_completed(host->samples);
  belay_loop_post(host->loop, has_measured, host, NULL);
}

/* Lets the plug-in make a signal of one of the host's, and `listen` of listen.py listen to the result. */
static int join(host *host, belay_signal *signal, plugin_function make, const char *listen) {
  belay_exchange given, made;
  if (belay_signal_export(signal, &given) != 0) return -1;
  int status = make(&given, &made);
  belay_exchange_release(&given);
  if (status != 0) return status;
  PyObject *capsule = PyCapsule_New(&made, "belay_exchange", NULL);
  status = capsule ? call(host, listen, capsule) : -1;
  Py_XDECREF(capsule);
  belay_exchange_release(&made); /* Python has imported it, and keeps its own reference. */
  return status;
}

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  plugin_function errors = plugin ? (plugin_function)dlsym(plugin, "plugin_errors") : NULL;
  plugin_function lengths = plugin ? (plugin_function)dlsym(plugin, "plugin_lengths") : NULL;
  if (!errors || !lengths)
    return fprintf(stderr, "polyglot: %s\n", argc == 2 ? dlerror() : "which plug-in?"), 2;

  uv_loop_t uv;
  uv_loop_init(&uv);
  belay_loop *loop = belay_loop_adopt(&uv, NULL);
  Py_InitializeEx(0);
  host host = {.loop = loop,
               .lines = belay_subject_create(NULL),
               .samples = belay_subject_create(NULL),
               .python = PyImport_ImportModule("listen")};
  if (!host.python) PyErr_Print();
  int status = host.python ? join(&host, host.lines, errors, "start") : -1;
  if (status == 0) status = join(&host, host.samples, lengths, "add_up");
  if (status == 0) {
    uv_async_init(&uv, &host.is_measuring, NULL);
    uv_thread_create(&host.thread, measure, &host);
    uv_idle_t idle = {.data = &host};
    uv_idle_init(&uv, &idle);
    uv_idle_start(&idle, read_line);
    uv_run(&uv, UV_RUN_DEFAULT);
    status = call(&host, "tell", NULL);
  }
  belay_signal_release(host.lines);
  belay_signal_release(host.samples);
  Py_XDECREF(host.python);
  Py_FinalizeEx();
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  uv_run(&uv, UV_RUN_DEFAULT);
  if (uv_loop_close(&uv) != 0 || belay_live_count(BELAY_LIVE_KINDS) != 0) {
    fprintf(stderr, "polyglot: something is left over\n");
    status = -1;
  }
  return status == 0 ? 0 : 1;
}
