/* host stays|goes PLUGIN PLUGIN: two plug-ins use Belay on one thread and are closed while that
   thread lives. With the archive in it a plug-in stays in memory (nodelete), because the thread
   calls it when it ends; one that uses the shared library goes. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *plugins[2];
static int failures;
static pthread_barrier_t used, closed;

static void check(int is_right, const char *what) {
  if (is_right) return;
  printf("wrong: %s\n", what);
  failures++;
}

static void call(int number, const char *name) {
  int (*function)(void) = (int (*)(void))dlsym(plugins[number], name);
  check(function && function(), name);
}

static void *use(void *ctx) {
  (void)ctx;
  call(0, "plugin_begin");
  call(1, "plugin_begin");
  call(0, "plugin_end");
  call(1, "plugin_end");
  pthread_barrier_wait(&used);
  pthread_barrier_wait(&closed);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc != 4) return 2;
  for (int i = 0; i < 2; i++) {
    plugins[i] = dlopen(argv[2 + i], RTLD_NOW | RTLD_LOCAL);
    if (!plugins[i]) {
      puts(dlerror());
      return 2;
    }
  }
  pthread_barrier_init(&used, NULL, 2);
  pthread_barrier_init(&closed, NULL, 2);
  pthread_create(&thread, NULL, use, NULL);
  pthread_barrier_wait(&used);
  for (int i = 0; i < 2; i++) {
    check(dlclose(plugins[i]) == 0, "dlclose");
    int is_there = dlopen(argv[2 + i], RTLD_NOW | RTLD_NOLOAD) != NULL;
    check(is_there == (strcmp(argv[1], "stays") == 0), argv[2 + i]);
  }
  pthread_barrier_wait(&closed);
  pthread_join(thread, NULL);
  return failures != 0;
}
