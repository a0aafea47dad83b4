/* The emission table: what may be done inside a callback, and what comes of it.
 *
 * A, B and C subscribe to one subject, in this order; B and C are bound to one owner. Each step is
 * one turn of the loop: in the columns *at an end* 1 is sent, then completed; in the others 1 is
 * sent, [B is disposed,] 2 is sent, then completed. B acts once, in the callback of the column.
 *
 * In the traces A1 is A's next with 1, A. its completed, A- its disposed, A~ its ctx_free; [ and ]
 * are the beginning and the end of B's action, =N what it returned; | is the end of a run of the
 * loop; d! and D! are the owner's deinit and dealloc.
 */
#include "worker.h"

typedef enum place {
  IN_NEXT,
  IN_COMPLETED,
  IN_DISPOSED,
  IN_FREE,
  IN_DISPOSED_AT_THE_END,
  IN_FREE_AT_THE_END
} place;

typedef struct scene scene;
typedef void (*action)(scene *);

typedef struct actor {
  scene *scene;
  char name;
} actor;

struct scene {
  char text[512];
  size_t length;
  place place;
  action action;
  belay_loop *loop;
  belay_signal *subject;
  belay_owner *owner;
  belay_disposable *subscriptions[4];
  actor actors[4];
  int step;
};

static void note(scene *it, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  it->length +=
      (size_t)vsnprintf(it->text + it->length, sizeof it->text - it->length, format, arguments);
  va_end(arguments);
}

static void maybe_act(actor *actor, place place) {
  scene *it = actor->scene;
  if (actor->name != 'B' || place != it->place || !it->action) return;
  action action = it->action;
  it->action = NULL;
  note(it, "[");
  action(it);
  note(it, "]");
}

static void on_next(void *ctx, belay_value value) {
  actor *it = ctx;
  note(it->scene, " %c%d", it->name, int_of(value));
  maybe_act(it, IN_NEXT);
}
static void on_completed(void *ctx) {
  actor *it = ctx;
  note(it->scene, " %c.", it->name);
  maybe_act(it, IN_COMPLETED);
}
static void on_disposed(void *ctx) {
  actor *it = ctx;
  note(it->scene, " %c-", it->name);
  maybe_act(it, it->scene->place == IN_DISPOSED ? IN_DISPOSED : IN_DISPOSED_AT_THE_END);
}
static void on_free(void *ctx) {
  actor *it = ctx;
  note(it->scene, " %c~", it->name);
  maybe_act(it, it->scene->place == IN_FREE ? IN_FREE : IN_FREE_AT_THE_END);
}
static void on_deinit(void *object) { note(object, " d!"); }
static void on_dealloc(void *object) { note(object, " D!"); }

static void join_in(scene *it, int number, belay_owner *owner) {
  actor *actor = &it->actors[number];
  actor->scene = it;
  actor->name = (char)('A' + number);
  belay_observer observer = {.size = sizeof observer,
                             .next = on_next,
                             .completed = on_completed,
                             .disposed = on_disposed,
                             .ctx = actor,
                             .ctx_free = on_free};
  belay_disposable **out = &it->subscriptions[number];
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(it->subject, &observer, out), 0);
}

/* ---- the actions ---- */
static void dispose_self(scene *it) { belay_disposable_dispose(it->subscriptions[1]); }
static void dispose_next(scene *it) { belay_disposable_dispose(it->subscriptions[2]); }
static void dispose_previous(scene *it) { belay_disposable_dispose(it->subscriptions[0]); }
static void subscribe_another(scene *it) { join_in(it, 3, NULL); }
static void send_again(scene *it) {
  int result = belay_subject_next(it->subject, belay_int32(9));
  note(it, " =%s", result < 0 ? belay_error_name(result) : result == BELAY_QUEUED ? "1" : "0");
}
static void release_the_signal(scene *it) {
  belay_signal_release(it->subject);
  it->subject = NULL;
}
static void kill_the_owner(scene *it) {
  belay_owner_release(it->owner);
  it->owner = NULL;
}
static void stop_the_loop(scene *it) { CHECK_INT(belay_loop_stop(it->loop), 0); }

/* ---- the play ---- */
static int has_disposal(place place) { return place == IN_DISPOSED || place == IN_FREE; }
static int has_second_value(place place) { return place == IN_NEXT || has_disposal(place); }

static void play_step(void *ctx) {
  scene *it = ctx;
  int step = it->step++;
  /* The next step is posted first, so that a stop leaves something to do. */
  if (step < 4) CHECK_INT(belay_loop_post(it->loop, play_step, it, NULL), 0);
  if (step == 1 && has_disposal(it->place)) belay_disposable_dispose(it->subscriptions[1]);
  if (!it->subject) return;
  if (step == 0) belay_subject_next(it->subject, belay_int32(1));
  if (step == 2 && has_second_value(it->place)) belay_subject_next(it->subject, belay_int32(2));
  if (step == 3) belay_subject_completed(it->subject);
}

static void play(place place, action action, const char *expected) {
  scene it = {.place = place, .action = action, .loop = open_loop()};
  it.subject = belay_subject_create(NULL);
  it.owner = belay_owner_create(&it, on_deinit, on_dealloc, NULL);
  join_in(&it, 0, NULL);
  join_in(&it, 1, it.owner);
  join_in(&it, 2, it.owner);
  CHECK_INT(belay_loop_post(it.loop, play_step, &it, NULL), 0);
  int runs = 0;
  while (it.step < 5 && runs++ < 9) {
    int left = belay_loop_run(it.loop, BELAY_RUN_DEFAULT);
    CHECK_INT(left, it.step < 5);
    if (it.step < 5) note(&it, " |");
  }
  belay_owner_release(it.owner);
  belay_signal_release(it.subject);
  for (int i = 0; i < 4; i++) belay_disposable_release(it.subscriptions[i]);
  close_loop(it.loop);
  CHECK_STRING(it.text, expected);
}

typedef struct row {
  place place;
  const char *expected;
} row;

#define PLAY_ALL(rows, action)                            \
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) \
  play(rows[i].place, action, rows[i].expected)

/* The events when nothing disturbs them. */
#define VALUES " A1 B1 C1"
#define END_A " A. A- A~"
#define END_B " B. B- B~"
#define END_C " C. C- C~"
#define DEATH " d! D!"

static void emission_nothing_is_done(void) {
  static const row rows[] = {
      {IN_NEXT, VALUES " A2 B2 C2" END_A END_B END_C DEATH},
      {IN_DISPOSED, VALUES " B- B~ A2 C2" END_A END_C DEATH},
      {IN_COMPLETED, VALUES END_A END_B END_C DEATH},
  };
  PLAY_ALL(rows, NULL);
}

static void emission_dispose_self(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[ B-] B~ C1 A2 C2" END_A END_C DEATH},
      {IN_COMPLETED, VALUES END_A " B.[] B- B~" END_C DEATH},
      {IN_DISPOSED, VALUES " B-[] B~ A2 C2" END_A END_C DEATH},
      {IN_FREE, VALUES " B- B~[] A2 C2" END_A END_C DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[] B~" END_C DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[]" END_C DEATH},
  };
  PLAY_ALL(rows, dispose_self);
}

static void emission_dispose_next(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[ C- C~] A2 B2" END_A END_B DEATH},
      {IN_COMPLETED, VALUES END_A " B.[ C- C~] B- B~" DEATH},
      {IN_DISPOSED, VALUES " B-[ C- C~] B~ A2" END_A DEATH},
      {IN_FREE, VALUES " B- B~[ C- C~] A2" END_A DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[ C- C~] B~" DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[ C- C~]" DEATH},
  };
  PLAY_ALL(rows, dispose_next);
}

static void emission_dispose_previous(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[ A- A~] C1 B2 C2" END_B END_C DEATH},
      {IN_COMPLETED, VALUES END_A " B.[] B- B~" END_C DEATH},
      {IN_DISPOSED, VALUES " B-[ A- A~] B~ C2" END_C DEATH},
      {IN_FREE, VALUES " B- B~[ A- A~] C2" END_C DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[] B~" END_C DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[]" END_C DEATH},
  };
  PLAY_ALL(rows, dispose_previous);
}

/* D gets no event that is under way. It gets at once the end of a subject that has ended. */
static void emission_subscribe_another(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[] C1 A2 B2 C2 D2" END_A END_B END_C " D. D- D~" DEATH},
      {IN_COMPLETED, VALUES END_A " B.[ D. D- D~] B- B~" END_C DEATH},
      {IN_DISPOSED, VALUES " B-[] B~ A2 C2 D2" END_A END_C " D. D- D~" DEATH},
      {IN_FREE, VALUES " B- B~[] A2 C2 D2" END_A END_C " D. D- D~" DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[ D. D- D~] B~" END_C DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[ D. D- D~]" END_C DEATH},
  };
  PLAY_ALL(rows, subscribe_another);
}

static void emission_send_again(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[ =1] C1 A9 B9 C9 A2 B2 C2" END_A END_B END_C DEATH},
      {IN_COMPLETED, VALUES END_A " B.[ =EENDED] B- B~" END_C DEATH},
      {IN_DISPOSED, VALUES " B-[ A9 C9 =0] B~ A2 C2" END_A END_C DEATH},
      {IN_FREE, VALUES " B- B~[ A9 C9 =0] A2 C2" END_A END_C DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[ =EENDED] B~" END_C DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[ =EENDED]" END_C DEATH},
  };
  PLAY_ALL(rows, send_again);
}

/* The event under way reaches everybody first. */
static void emission_release_the_signal(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[] C1 A- A~ B- B~ C- C~" DEATH},
      {IN_COMPLETED, VALUES END_A " B.[] B- B~" END_C DEATH},
      {IN_DISPOSED, VALUES " B-[ A- A~ C- C~] B~" DEATH},
      {IN_FREE, VALUES " B- B~[ A- A~ C- C~]" DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[] B~" END_C DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[]" END_C DEATH},
  };
  PLAY_ALL(rows, release_the_signal);
}

/* What is bound to the owner ends at once. The deinit waits until no callback of B is on the
   stack. */
static void emission_kill_the_owner(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[ B- C- C~] B~" DEATH " A2" END_A},
      {IN_COMPLETED, VALUES END_A " B.[ C- C~] B- B~" DEATH},
      {IN_DISPOSED, VALUES " B-[ C- C~] B~" DEATH " A2" END_A},
      {IN_FREE, VALUES " B- B~[ C- C~]" DEATH " A2" END_A},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[ C- C~] B~" DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[ C- C~]" DEATH},
  };
  PLAY_ALL(rows, kill_the_owner);
}

static void emission_stop_the_loop(void) {
  static const row rows[] = {
      {IN_NEXT, " A1 B1[] C1 | A2 B2 C2" END_A END_B END_C DEATH},
      {IN_COMPLETED, VALUES END_A " B.[] B- B~" END_C " |" DEATH},
      {IN_DISPOSED, VALUES " B-[] B~ | A2 C2" END_A END_C DEATH},
      {IN_FREE, VALUES " B- B~[] | A2 C2" END_A END_C DEATH},
      {IN_DISPOSED_AT_THE_END, VALUES END_A " B. B-[] B~" END_C " |" DEATH},
      {IN_FREE_AT_THE_END, VALUES END_A " B. B- B~[]" END_C " |" DEATH},
  };
  PLAY_ALL(rows, stop_the_loop);
}

static const test_case cases[] = {
    CASE(emission_nothing_is_done),    CASE(emission_dispose_self),
    CASE(emission_dispose_next),       CASE(emission_dispose_previous),
    CASE(emission_subscribe_another),  CASE(emission_send_again),
    CASE(emission_release_the_signal), CASE(emission_kill_the_owner),
    CASE(emission_stop_the_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
