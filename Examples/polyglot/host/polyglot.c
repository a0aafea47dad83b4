/* polyglot PLUGIN: sends the lines of standard input to a signal. A plug-in in Rust filters it, and
   Python listens to what is left until its listener dies at a line that says "stop". */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <belay/belay.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

typedef int (*plugin_function)(const belay_exchange *lines, belay_exchange *errors);

typedef struct host {
  belay_signal *lines;
  PyObject *python; /* the module listen.py */
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

/* Lets the plug-in filter `lines` and Python listen to the result. */
static int join(host *host, plugin_function filter) {
  belay_exchange lines, errors;
  if (belay_signal_export(host->lines, &lines) != 0) return -1;
  int status = filter(&lines, &errors);
  belay_exchange_release(&lines);
  if (status != 0) return status;
  PyObject *capsule = PyCapsule_New(&errors, "belay_exchange", NULL);
  status = capsule ? call(host, "start", capsule) : -1;
  Py_XDECREF(capsule);
  belay_exchange_release(&errors); /* Python has imported it, and keeps its own reference. */
  return status;
}

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  plugin_function filter = plugin ? (plugin_function)dlsym(plugin, "plugin_errors") : NULL;
  if (!filter) return fprintf(stderr, "polyglot: %s\n", argc == 2 ? dlerror() : "which plug-in?"), 2;

  uv_loop_t uv;
  uv_loop_init(&uv);
  belay_loop *loop = belay_loop_adopt(&uv, NULL);
  Py_InitializeEx(0);
  host host = {belay_subject_create(NULL), PyImport_ImportModule("listen")};
  if (!host.python) PyErr_Print();
  int status = host.python ? join(&host, filter) : -1;
  if (status == 0) {
    uv_idle_t idle = {.data = &host};
    uv_idle_init(&uv, &idle);
    uv_idle_start(&idle, read_line);
    uv_run(&uv, UV_RUN_DEFAULT);
  }
  belay_signal_release(host.lines);
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
