/* What marble sources cannot do: be sent into by who listens to them, and go without an end. */
#include "marbles.h"

enum { MOST_SUBSCRIPTIONS = 64 };

typedef struct kept_place {
  kept_source *source;
  belay_subscriber *subscriber; /* NULL: gone */
} kept_place;

struct kept_source {
  belay_signal *signal;
  belay_disposable *feeding;
  belay_value interruption;
  kept_place places[MOST_SUBSCRIPTIONS];
  int begun, open, is_ending;
};

static void let_go(kept_place *place) {
  belay_subscriber *subscriber = place->subscriber;
  place->subscriber = NULL;
  belay_subscriber_release(subscriber);
}

static void leave(void *ctx) {
  kept_place *place = ctx;
  place->source->open--;
  let_go(place);
}

static belay_disposable *keep_subscriber(void *ctx, belay_subscriber *subscriber) {
  kept_source *source = ctx;
  CHECK(source->begun < MOST_SUBSCRIPTIONS);
  if (source->begun == MOST_SUBSCRIPTIONS) return NULL;
  kept_place *place = &source->places[source->begun++];
  *place = (kept_place){source, belay_subscriber_retain(subscriber)};
  source->open++;
  return belay_disposable_create(leave, place, NULL);
}

/* Those who subscribe meanwhile get nothing of it. */
static void send_to_all(kept_source *source, void (*send)(belay_subscriber *, const void *),
                        const void *what) {
  int count = source->begun;
  for (int i = 0; i < count; i++) {
    belay_subscriber *subscriber = belay_subscriber_retain(source->places[i].subscriber);
    if (subscriber) send(subscriber, what);
    belay_subscriber_release(subscriber);
  }
}

static void send_next(belay_subscriber *subscriber, const void *value) {
  belay_subscriber_next(subscriber, belay_value_retain(*(const belay_value *)value));
}
static void send_error(belay_subscriber *subscriber, const void *error) {
  belay_subscriber_error(subscriber, error);
}
static void send_completed(belay_subscriber *subscriber, const void *nothing) {
  belay_subscriber_completed(subscriber);
}

static void feed_next(void *ctx, belay_value value) {
  kept_source *source = ctx;
  if (!belay_value_equal(value, source->interruption)) {
    send_to_all(source, send_next, &value);
    return;
  }
  for (int i = 0; i < source->begun; i++) let_go(&source->places[i]);
}
static void feed_error(void *ctx, const belay_error *error) {
  kept_source *source = ctx;
  source->is_ending++;
  send_to_all(source, send_error, error);
  source->is_ending--;
}
static void feed_completed(void *ctx) {
  kept_source *source = ctx;
  source->is_ending++;
  send_to_all(source, send_completed, NULL);
  source->is_ending--;
}

kept_source *kept_create(belay_signal *hot, belay_value interruption) {
  kept_source *source = calloc(1, sizeof *source);
  source->interruption = interruption;
  source->signal = belay_signal_create(keep_subscriber, source, NULL, NULL);
  belay_observer feeder = {.size = sizeof feeder, .next = feed_next, .error = feed_error,
                           .completed = feed_completed, .ctx = source};
  CHECK_INT(belay_signal_subscribe(hot, &feeder, &source->feeding), 0);
  belay_signal_release(hot);
  return source;
}

belay_signal *kept_signal(kept_source *source) { return source->signal; }

void kept_send(kept_source *source, char mark, belay_value value) {
  if (mark == '|') return feed_completed(source);
  if (mark != '#') return send_to_all(source, send_next, &value);
  belay_error *error = belay_error_create(BELAY_ERANGE, NULL, "inside", belay_null(), NULL);
  feed_error(source, error);
  belay_error_release(error);
}

/* One that is ending is torn down when its end has been delivered. */
int kept_open_count(const kept_source *source) { return source->is_ending ? 0 : source->open; }

void kept_free(kept_source *source) {
  belay_disposable_dispose(source->feeding);
  belay_disposable_release(source->feeding);
  for (int i = 0; i < source->begun; i++) let_go(&source->places[i]);
  belay_signal_release(source->signal);
  CHECK_INT(source->open, 0);
  free(source);
}

/* ---- who listens ---- */

static struct {
  const char *script;
  marble_run *run;
  belay_value interruption;
  belay_subscriber *subscriber;
  belay_disposable *subscription;
  int is_over; /* ended, or disposed of */
} inside;

/* The next word of the script. */
static void react(void) {
  while (*inside.script == ' ') inside.script++;
  while (*inside.script && *inside.script != ' ') {
    char name = *inside.script++;
    if (name == '.') continue;
    if (name != '!') {
      kept_source *source = marble_kept(inside.run, name);
      char mark = *inside.script++;
      CHECK(source && mark);
      if (source && mark)
        kept_send(source, mark, mark == '|' || mark == '#' ? belay_null()
                                                          : marble_meaning(inside.run, mark));
      continue;
    }
    inside.is_over = 1;
    belay_disposable_dispose(inside.subscription);
    for (char letter = 'a'; letter <= 'z'; letter++) {
      kept_source *source = marble_kept(inside.run, letter);
      if (source) CHECK_INT(kept_open_count(source), 0);
    }
  }
}

static int depth;
static void enter(void) {
  CHECK_INT(depth, 0); /* one event at a time */
  CHECK_INT(inside.is_over, 0);
  depth++;
}

static void inside_next(void *ctx, belay_value value) {
  enter();
  belay_subscriber_next(inside.subscriber, belay_value_retain(value));
  react();
  depth--;
}
static void inside_error(void *ctx, const belay_error *error) {
  enter();
  inside.is_over = 1;
  belay_subscriber_error(inside.subscriber, error);
  depth--;
}
static void inside_completed(void *ctx) {
  enter();
  inside.is_over = 1;
  belay_subscriber_completed(inside.subscriber);
  depth--;
}
static void inside_disposed(void *ctx) {
  if (inside.is_over) return;
  inside.is_over = 1;
  /* Refused when the test has disposed of it. */
  belay_subscriber_next(inside.subscriber, belay_value_retain(inside.interruption));
}
static void inside_free(void *ctx) {
  belay_subscriber_release(inside.subscriber);
  belay_disposable_release(inside.subscription);
  inside.subscriber = NULL;
  inside.subscription = NULL;
}

static belay_disposable *listen(void *ctx, belay_subscriber *subscriber) {
  belay_disposable *subscription = NULL;
  CHECK(inside.subscriber == NULL);
  inside.subscriber = belay_subscriber_retain(subscriber);
  inside.is_over = 0;
  belay_observer observer = {.size = sizeof observer, .next = inside_next, .error = inside_error,
                             .completed = inside_completed, .disposed = inside_disposed,
                             .ctx_free = inside_free};
  CHECK_INT(belay_signal_subscribe(ctx, &observer, &subscription), 0);
  if (inside.subscriber) inside.subscription = belay_disposable_retain(subscription);
  return subscription;
}

belay_signal *inside_of(marble_run *run, belay_signal *signal, const char *script,
                        belay_value interruption) {
  inside.run = run;
  inside.script = script ? script : "";
  inside.interruption = interruption;
  return belay_signal_create(listen, signal, release_signal, NULL);
}
