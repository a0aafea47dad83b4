/* Lines of a file that is followed, and is replaced, or vanishes and comes back. */
#include "follow.h"

/* ---- replaced ---- */

static void rotate_at_once(void) {
  append("tail\n");
  rotate();
  create("new\n");
}

static void a_rotated_file_is_read_to_its_end_first(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", rotate_at_once},
                     {"tail", 0},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  finish_log();
}

static void rotate_now(void *text) { rotate_at_once(); }
static void rotate_later(void) { later(rotate_now, NULL); }

static void rotated_while_it_is_waited_for(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", rotate_later},
                     {"tail", 0},
                     {"new", rotate_later},
                     {"tail", 0},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  finish_log();
}

static void create_new(void *text) { create(text); }
static void write_to_rotated(void *text) {
  write_to(other_path, "tail\n", O_APPEND);
  later(create_new, "new\n");
}
static void rotate_and_write_on(void) {
  rotate();
  later(write_to_rotated, NULL);
}

static void written_to_after_its_rotation(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", rotate_and_write_on}, {"tail", 0}, {"new", 0}, {0, 0}});
  finish_log();
}

static void rotated_with_an_unfinished_line(void) {
  begin_log();
  create("one\nunfinished");
  follow(0, (step[]){{"one", rotate_later}, {"unfinishedtail", 0}, {"new", 0}, {0, 0}});
  finish_log();
}

static void rotate_unfinished(void *text) {
  rotate();
  create("new\n");
}
static void rotate_unfinished_later(void) { later(rotate_unfinished, NULL); }

static void an_unfinished_line_is_not_glued_to_the_successor(void) {
  begin_log();
  create("one\nunfinished");
  follow(0, (step[]){{"one", rotate_unfinished_later}, {"unfinished", 0}, {"new", 0}, {0, 0}});
  finish_log();
}

static void rename_over(void) {
  write_to(other_path, "successor\n", O_CREAT | O_TRUNC);
  CHECK_INT(rename(other_path, path), 0);
}

static void replaced_in_one_step(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", rename_over}, {"successor", three_later}, {"three", 0}, {0, 0}});
  finish_log();
}

/* ---- gone ---- */

static void remove_then_create(void) {
  CHECK_INT(unlink(path), 0);
  later(create_new, "back\n");
}

static void a_file_that_vanishes_and_comes_back(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", remove_then_create},
                     {"back", remove_then_create},
                     {"back", three_later},
                     {"three", 0},
                     {0, 0}});
  finish_log();
}

static void put_back(void *text) {
  CHECK_INT(unlink(path), 0);
  create("back\n");
}
static void put_a_pipe_there(void) {
  CHECK_INT(unlink(path), 0);
  CHECK_INT(mkfifo(path, 0600), 0);
  later(put_back, NULL);
}

static void a_pipe_in_its_place_is_waited_out(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", put_a_pipe_there}, {"back", three_later}, {"three", 0}, {0, 0}});
  finish_log();
}

static void write_and_remove(void *text) {
  append("tail\n");
  remove_then_create();
}
static void write_and_remove_later(void) { later(write_and_remove, NULL); }

static void a_vanished_file_is_read_to_its_end_first(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", write_and_remove_later}, {"tail", 0}, {"back", 0}, {0, 0}});
  finish_log();
}

static void make_folder(void *text) {
  CHECK_INT(mkdir(folder, 0755), 0);
  create("back\n");
}
static void remove_folder(void) {
  CHECK_INT(unlink(path), 0);
  CHECK_INT(rmdir(folder), 0);
  later(make_folder, NULL);
}

static void a_folder_that_vanishes_and_comes_back(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", remove_folder}, {"back", three_later}, {"three", 0}, {0, 0}});
  finish_log();
}

/* ---- a relative path ---- */

static void a_path_without_a_folder(void) {
  char before[256];
  CHECK(getcwd(before, sizeof before) != NULL);
  begin_log();
  CHECK_INT(chdir(folder), 0);
  strcpy(path, "log");
  strcpy(other_path, "log.1");
  create("one\n");
  follow(0, (step[]){{"one", rotate_at_once},
                     {"tail", 0},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  unlink(path);
  unlink(other_path);
  CHECK_INT(chdir(before), 0);
  finish_log();
}

static const test_case cases[] = {
    CASE(a_rotated_file_is_read_to_its_end_first),
    CASE(rotated_while_it_is_waited_for),
    CASE(written_to_after_its_rotation),
    CASE(rotated_with_an_unfinished_line),
    CASE(an_unfinished_line_is_not_glued_to_the_successor),
    CASE(replaced_in_one_step),
    CASE(a_file_that_vanishes_and_comes_back),
    CASE(a_pipe_in_its_place_is_waited_out),
    CASE(a_vanished_file_is_read_to_its_end_first),
    CASE(a_folder_that_vanishes_and_comes_back),
    CASE(a_path_without_a_folder),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
