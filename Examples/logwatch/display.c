#include "display.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

display display_create(bool plain) {
  /* A reader of the pipe wants each line when it is written. */
  setvbuf(stdout, NULL, _IOLBF, 0);
  return (display){.live = !plain && isatty(STDOUT_FILENO)};
}

static size_t terminal_width(void) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) return size.ws_col;
  return 80;
}

void display_window(display *display, const window *window) {
  if (!display->live && !window->tally.total) return;

  char clock[16], keywords[256], line[512];
  time_t now = time(NULL);
  struct tm local;
  strftime(clock, sizeof clock, "%H:%M:%S", localtime_r(&now, &local));
  tally_describe(&window->tally, 3, keywords, sizeof keywords);
  snprintf(line, sizeof line, "%s  +%llu  total %llu  peak %llu/s%s%s%s%s", clock,
           (unsigned long long)window->tally.total, (unsigned long long)window->total,
           (unsigned long long)window->peak, *keywords ? "  " : "", keywords,
           *window->last ? "  last: " : "", window->last);

  if (display->live) {
    /* One column less than the terminal has: a full line would wrap and could not be rewritten. */
    printf("\r%.*s\033[K", (int)text_fit(line, terminal_width() - 1), line);
    fflush(stdout);
    display->line_open = true;
  } else {
    puts(line);
  }
}

void display_finish(display *display) {
  if (display->line_open) putchar('\n');
  display->line_open = false;
}

void display_line(display *display, const char *format, ...) {
  display_finish(display);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}
