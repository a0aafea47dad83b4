/* Draws the first case of a file of marble tests as SVG: its sources, its operation, what is
   expected. Usage: draw_marbles FILE > PICTURE. Used by scripts/operator-pages. */
#include <belay/testing.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int code) {
  if (code >= 0) return;
  fprintf(stderr, "draw_marbles: %s\n", belay_error_message(belay_last_error()));
  exit(1);
}

static char *trimmed(char *text) {
  while (*text == ' ') text++;
  for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);) *--end = 0;
  return text;
}

/* x=10 y=[1 2] */
static void define(belay_drawing *drawing, const char *at) {
  while (*at) {
    char label[64];
    size_t used = 0;
    int depth = 0;
    if (*at == ' ') {
      at++;
      continue;
    }
    char mark = *at++;
    if (*at) at++;
    for (; *at && (*at != ' ' || depth > 0) && used + 1 < sizeof label; at++) {
      depth += (*at == '[') - (*at == ']');
      label[used++] = *at;
    }
    label[used] = 0;
    check(belay_drawing_define(drawing, mark, label));
  }
}

/* The time of a hot source is the time of the test, which begins at its `^`. */
static char *since_the_beginning(char *diagram) {
  char *begin = strchr(diagram, '^');
  if (begin) *begin = '-';
  return begin ? begin : diagram;
}

static void draw(belay_drawing *drawing, char *line) {
  char *colon = strchr(line, ':');
  if (strncmp(line, "run ", 4) == 0) return check(belay_drawing_box(drawing, line + 4));
  if (!colon) return;
  *colon = 0;
  line = trimmed(line);
  if (strncmp(line, "cold ", 5) == 0 || strncmp(line, "hot ", 4) == 0)
    check(belay_drawing_diagram(drawing, line + strlen(line) - 1,
                                since_the_beginning(trimmed(colon + 1))));
  else if (strcmp(line, "expect") == 0)
    check(belay_drawing_diagram(drawing, "", trimmed(colon + 1)));
}

int main(int argc, char **argv) {
  enum { MOST = 64 };
  static char text[1 << 16];
  char *lines[MOST], *save;
  int count = 0, cases = 0;
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) return 2;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  belay_drawing *drawing = belay_drawing_create(0.001);
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    if (strncmp(line, "==", 2) == 0 && ++cases > 1) break;
    if (strncmp(line, "with ", 5) == 0) define(drawing, line + 5);
    else if (count < MOST) lines[count++] = trimmed(line);
  }
  for (int i = 0; i < count; i++) draw(drawing, lines[i]);
  size_t size = belay_drawing_svg(drawing, NULL, 0) + 1;
  char *picture = malloc(size);
  if (!picture) return 2;
  belay_drawing_svg(drawing, picture, size);
  fputs(picture, stdout);
  free(picture);
  belay_drawing_release(drawing);
  return 0;
}
