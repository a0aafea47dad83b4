/* fetch: a client of HTTP/1.1, on a libuv loop of its own that Belay has adopted. */
#include <belay/belay.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "print.h"
#include "server.h"
#include "story.h"

#define EXIT_USAGE 2

static const char help[] =
    "usage: fetch                  fifty requests at once, half of them called off\n"
    "       fetch [OPTION...] URL  fetches http://HOST[:PORT]/PATH and prints it\n"
    "       fetch --serve [COUNT]  the server of the fifty requests\n"
    "\n"
    "  --include           prints the head too\n"
    "  --timeout SECONDS   gives up when no byte of the answer has come for that time\n"
    "  --attempts COUNT    tries again after an error, each time later\n"
    "  --help              this text\n"
    "\n"
    "Exit code: 0 all went well, 1 it did not, 2 bad arguments.\n";

typedef struct options {
  print_options print;
  bool serve;
  unsigned count; /* the argument of --serve */
} options;

static int complain(const char *what, const char *value) {
  fprintf(stderr, "fetch: %s%s\n%s", what, value, help);
  return EXIT_USAGE;
}

static bool parse_count(const char *text, unsigned *count) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  *count = (unsigned)number;
  return strspn(text, "0123456789") > 0 && *end == 0 && number > 0 && number < 1000000;
}
static bool parse_seconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && *end == 0 && isfinite(*seconds) && *seconds > 0;
}

static const struct option known[] = {{"include", no_argument, NULL, 'i'},
                                      {"timeout", required_argument, NULL, 't'},
                                      {"attempts", required_argument, NULL, 'a'},
                                      {"serve", no_argument, NULL, 's'},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

/* Returns -1 when there is work to do, else the exit code. */
static int parse(options *options, int argc, char **argv) {
  int letter;
  while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) switch (letter) {
      case 'i': options->print.with_head = true; break;
      case 's': options->serve = true; break;
      case 't':
        if (!parse_seconds(optarg, &options->print.timeout))
          return complain("--timeout wants a number of seconds above 0, not ", optarg);
        break;
      case 'a':
        if (!parse_count(optarg, &options->print.attempts))
          return complain("--attempts wants a number, not ", optarg);
        break;
      case 'h': fputs(help, stdout); return EXIT_SUCCESS;
      default: fputs(help, stderr); return EXIT_USAGE; /* getopt_long has said what is wrong */
    }
  if (argc - optind > 1) return complain("too much: ", argv[optind + 1]);
  if (options->serve && optind < argc && !parse_count(argv[optind], &options->count))
    return complain("--serve wants a number, not ", argv[optind]);
  if (!options->serve) options->print.url = argv[optind];
  return -1;
}

/* ---- a loop, and what runs on it ---- */

static int fail(const char *problem) {
  fprintf(stderr, "fetch: %s\n", problem);
  return EXIT_FAILURE;
}

static int work(uv_loop_t *uv, belay_loop *loop, const options *options) {
  char program[4096];
  size_t size = sizeof program;
  if (options->print.url) return print_run(uv, loop, &options->print);
  int rc = uv_exepath(program, &size);
  if (rc >= 0) return story_run(uv, loop, program);
  return fail(uv_strerror(rc));
}

static void count_open_resources(void *ctx, const belay_open_resource *const *resources,
                                 size_t count) {
  (void)resources;
  *(size_t *)ctx += count;
}

/* Each request has closed what it opened, so nothing is left on the loop or alive. */
static int close_all(uv_loop_t *uv, belay_loop *loop) {
  size_t left = 0;
  belay_loop_close(loop, count_open_resources, &left, NULL);
  uv_run(uv, UV_RUN_DEFAULT);
  belay_loop_release(loop);
  int rc = uv_loop_close(uv);
  /* an error that was taken is kept until the next one is taken */
  while (belay_last_error()) continue;
  size_t alive = belay_live_count(BELAY_LIVE_KINDS);
  if (left == 0 && alive == 0 && rc == 0) return EXIT_SUCCESS;
  fprintf(stderr, "fetch: %zu left on the loop, %zu alive; %s\n", left, alive,
          rc < 0 ? uv_strerror(rc) : "closed");
  return EXIT_FAILURE;
}

static int run(const options *options) {
  uv_loop_t uv;
  int rc = uv_loop_init(&uv);
  if (rc < 0) return fail(uv_strerror(rc));
  belay_loop *loop = belay_loop_adopt(
      &uv, &(belay_loop_options){
               .size = sizeof(belay_loop_options), .label = "fetch", .site = BELAY_HERE});
  if (!loop) return fail(belay_error_message(belay_last_error()));
  int code = work(&uv, loop, options);
  rc = close_all(&uv, loop);
  return code ? code : rc;
}

/* Returns the exit code: what could not be written is a failure, too. */
static int end_output(int code) {
  return fflush(stdout) == 0 && !ferror(stdout) ? code : fail("the output could not be written");
}

int main(int argc, char **argv) {
  options options = {.serve = false};
  int code = parse(&options, argc, argv);
  if (code >= 0) return end_output(code);
  signal(SIGPIPE, SIG_IGN); /* a peer that has gone is an error like any other, and no signal */
  return end_output(options.serve ? serve(options.count) : run(&options));
}
