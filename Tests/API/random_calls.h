/* What the functions that scripts/api calls prints draw from. A player is a thread; usually there is one. A seed
 * determines what each player draws. Timers and other threads decide when callbacks come, so a failing seed may have to
 * be played often. Callbacks on threads that do not play answer quietly: they make no calls.
 *
 * A player never gives the library what its rules forbid: a handle without a reference, or a cycle of references.
 * What has to stay finite is bounded where it is drawn. */
#ifndef RANDOM_CALLS_H
#define RANDOM_CALLS_H

#include <belay/belay.h>
#include <belay/testing.h>

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the game ---- */

/* A tidy seed makes no cycles of references, and must leave nothing behind. */
extern int is_tidy;
extern char folder[64]; /* where its files are */
extern size_t high_water;
void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints with --verbose what a call is given. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether the budget of callbacks is used up: they then end what they can. */
int is_drained(void);
extern _Thread_local int player; /* 1 to players; 0 on a thread that does not play */
enum { MOST_PLAYERS = 8 };
extern int players;
extern const char *only; /* what is in the name of each call at random; or NULL */
void begin_player(int number, uint64_t seed, int calls);
void tell(int depth, const char *kind, const char *name);
long calls_told(void);
void count_call(size_t index);
uint64_t draw(uint64_t below); /* 0 to below - 1; also on other threads */
static inline int flip(void) { return (int)draw(2); }
static inline int rarely(void) { return draw(20) == 0; }
#define ONE_OF(array) ((array)[draw(sizeof(array) / sizeof *(array))])

/* ---- handles ---- */

enum { POOL = 10 };
typedef struct pool {
  const char *name;
  void *(*retain)(void *handle); /* NULL: a handle has one reference */
  void (*release)(void *handle);
  struct pool *parent; /* of a kind of handles: all of that type */
  void *items[POOL];
  atomic_int count;
} pool;
extern pool *const pools[];
/* These are generated. */
extern pool subject_pool, virtual_pool, compound_pool, belay_signal_pool, belay_disposable_pool, belay_op_pool,
    belay_owner_pool, belay_loop_pool, belay_scheduler_pool, belay_weak_pool, belay_error_pool, belay_stream_pool,
    belay_bag_pool, belay_subscriber_pool, belay_property_pool, belay_interface_pool, belay_slot_pool,
    belay_proxy_pool, belay_invocation_pool, belay_type_pool, belay_worker_pool, belay_listener_pool;
typedef struct call {
  const char *name;
  void (*play)(void);
  pool *makes;
} call;
extern const call calls[];
extern const size_t call_count;

/* A handle that lives at least until the call begins; now and then NULL. */
void *pick(pool *pool);
/* A reference that is given away; now and then NULL. */
void *take(pool *pool);
/* A handle that the pool has, without a reference where one player plays, or NULL. */
void *peek(pool *pool);
/* Any handle of the pool, with the pool's reference, or NULL. */
void *take_any(pool *pool);
/* All of them, with a reference each; answers how many. */
int hold_all(pool *pool, void *handles[POOL]);
/* Puts a handle with its reference into the pool. */
void put(pool *pool, void *handle);
/* What a call has given. With is_own, NULL needs a failure that the call has recorded. */
void made(pool *pool, const char *function, void *handle, int is_own);
/* Keeps a borrowed handle, perhaps. */
void lend_handle(int quiet, pool *pool, void *handle);
/* Of all disposables that calls have given. */
void dispose_hoard(void), release_hoard(void);

/* ---- contexts ---- */

typedef struct token {
  atomic_int freed, running;
  int may_stay; /* the call may have left it alone */
  const char *call;
  long number;
} token;
/* A context, and its ctx_free, which may be NULL. */
token *give(void **ctx, belay_free_fn *ctx_free);
void free_token(void *ctx);
/* One whose ctx_free has not run and must, or NULL. */
const token *kept_token(void);

/* ---- around each call and each callback ---- */

/* Releases what callbacks outside of all calls have answered with. */
void drop_pins(void);
void begin_call(const char *name);
void ready(void); /* the arguments are there */
void end_call(void);
void check_code(const char *function, int result);
void play_one(void); /* if calls are left */
int has_calls_left(void);
void stop_playing(void);
int enter(const char *callback, void *ctx); /* whether the callback has to be quiet */
void leave(void *ctx);
void act(void);
void leave_with_failure(int quiet);
belay_value answer_value(int quiet);
int answer_int(int quiet);
int answer_iteration(int quiet, void *ctx, belay_value *out);
belay_signal *answer_signal(int quiet, belay_signal *lent);
belay_signal *answer_with(int quiet, belay_signal *own);
belay_function answer_function(int quiet, const char *method);
void *answer_pointer(int quiet);

/* ---- values ---- */

belay_value draw_value(void);
belay_signal *fresh_signal(void); /* that has nothing of the game */
/* The first values of a signal. Where it may lead back to itself, it would go on for ever inside of a call. */
belay_signal *cut(belay_signal *signal);
void lend_value(int quiet, belay_value value);
void give_back(belay_value value);
int draw_code(void);
int is_drawn_code(int code);

/* ---- structs ---- */

typedef struct drawn {
  union {
    max_align_t aligned;
    unsigned char bytes[1024];
  } room;
  size_t size;
  int is_null, is_wrong;
  token *token;
} drawn;
void *begin_struct(drawn *drawn, size_t size);
void *end_struct(drawn *drawn);
void check_size(const char *function, drawn *drawn, int failed);

/* ---- everything else ---- */

const char *draw_text(void), *draw_label(void), *draw_shape(void), *draw_method(void), *draw_diagram(void);
const char *draw_key_path(void), *draw_path(void), *draw_host(void), *draw_service(void);
const void *draw_key(void);
void *draw_address(void), *draw_room(void), *draw_buffer(size_t *size), *draw_array(void);
int draw_int(void), draw_descriptor(void), draw_signum(void), draw_enum(void);
unsigned draw_unsigned(void), draw_uv_version(void);
size_t draw_size(void), draw_few(void), draw_count(void);
uint64_t draw_uint64(void);
int64_t draw_int64(void);
uint16_t draw_port(void);
char draw_mark(void);
double draw_seconds(void), draw_advance(void), draw_date(void), draw_wait(void);
belay_queue_policy draw_policy(void);
int wants(void); /* whether an argument for a disposable is given */
void look_at(const char *text);
void look_at_resources(const belay_open_resource *const *resources, size_t count);
const belay_observer *draw_belay_observer(drawn *drawn);
const belay_source_options *draw_belay_source_options(drawn *drawn);
const belay_queue_options *draw_belay_queue_options(drawn *drawn);
const belay_loop_options *draw_belay_loop_options(drawn *drawn);
const belay_owner_options *draw_belay_owner_options(drawn *drawn);
const belay_stream_options *draw_belay_stream_options(drawn *drawn);
const belay_worker_options *draw_belay_worker_options(drawn *drawn);

/* What the calls by hand keep, and give back at the end of a seed: before the pools, and after. */
void begin_by_hand(void);
void end_objects(void);
void end_tables(void);
void end_by_hand(void);
/* The loops of a player's thread. */
void begin_thread(void);
void end_thread(void);
extern _Thread_local belay_loop *keeper; /* a user of the thread's loop, which stays to the end; or NULL */
int is_keeper(void *handle); /* of any player */

#endif
