/* The parts of the engine: threads.c runs the scenario's threads in turns, steps.c performs their
 * steps behind store buffers, blocks.c knows the memory and races.c watches it, choices.c decides,
 * trace.c tells, pool.c stands for libuv's pool.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

#include "../../../Sources/CBelayShim/include/explore.h"
#include "../explore.h"

/* ---- settings ---- */
typedef struct settings {
  int preemptions;
  double seconds;
  uint64_t seed;
  long schedules; /* random ones */
  bool weak;      /* every schedule; else half of those by chance */
  bool watches;   /* plain memory */
  int jobs;
} settings;
extern settings chosen;

/* ---- what is shared with the process that watches ---- */
enum {
  most_decisions = 4096,
  most_lines = 40000,
  most_frames = 12,
  most_preemptions = 6,
  most_calls = 256
};

/* A decision that was not the usual one. */
typedef struct decision {
  uint32_t at;   /* the step before which, or at which, it was taken */
  char kind;     /* s switch, d drain, b buffer, f who goes on, t time runs out */
  uint8_t which; /* thread */
  uint8_t entry; /* of its buffer */
} decision;

typedef struct line {
  belay_explore_step step;
  uint64_t result;
  uint8_t thread;
  bool isBuffered, isDrain, isSwitch;
  uint32_t at;
  const char *note; /* what a scenario says */
  void *owner;      /* the metadata of the object that the word is in, or NULL */
  int ordinal, offset;
  void *frames[most_frames];
} line;

typedef struct report {
  char message[400];
  uint32_t step;
  uint64_t schedules[most_preemptions + 1]; /* by the number of pre-emptions */
  uint64_t byChance;
  int complete;     /* with so many pre-emptions all were explored; -1: not even with none */
  uint32_t longest; /* steps */
  uint32_t decisionCount;
  decision decisions[most_decisions];
  uint64_t progress; /* schedules */
  bool isTraced, isWeak;
  uint32_t lineCount;
  line lines[most_lines];
} report;
extern report *told;

/* Ends the process: this schedule shows a fault. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- threads.c ---- */
typedef struct pending {
  belay_explore_step step;
} pending;

enum { buffer_room = 16 };

typedef struct fiber {
  int number;
  enum { resting, ready, asleep, awaiting, over } state;
  const explore_thread *code;
  const void *word; /* asleep: of the futex */
  bool isTimed;     /* asleep: with a limit */
  bool isWoken;
  bool (*isReady)(const void *argument); /* awaiting */
  const void *argument;
  int priority;
  bool hasRecord;
  belay_explore_current current;
  pending buffer[buffer_room];
  int buffered;
  uint32_t allocations;
  void *calls[most_calls]; /* who called the functions that are running */
  int callDepth;
  bool isStarted;
  jmp_buf place;
  ucontext_t context;
  char *stack;
} fiber;

extern fiber fibers[explore_most_threads];
extern int fiberCount;
/* NULL: the engine itself, or a thread of the system that is not its own. */
extern __thread fiber *running;
extern bool isExploring;
extern uint32_t now; /* steps of this schedule */

void run_threads(const explore_scenario *scenario);
void switch_to(fiber *next);
/* The running thread cannot go on; another does. */
void go_on_elsewhere(void);
bool can_run(const fiber *fiber);
/* Other threads run until `isReady` answers true. */
bool explore_wait(bool (*isReady)(const void *), const void *argument);
bool is_on_stack_of(const fiber *fiber, const void *address);

/* ---- steps.c ---- */
uint64_t take_step(const belay_explore_step *step);
void drain(fiber *fiber, int entry);
void drain_all(fiber *fiber);
/* Whether this entry of the buffer may arrive now. */
bool may_arrive(const fiber *fiber, int entry);
/* Whether stores overtake each other in this schedule, as on ARM; else they arrive in their order.
 */
extern bool isWeak;

/* ---- blocks.c ---- */
typedef struct block {
  char *start;
  uint32_t size;
  uint32_t ordinal;
  uint8_t thread;
  bool isFreed;
} block;

void *allocate(size_t size);
void release(void *memory);
block *block_of(const void *address);
/* Gives the memory back; answers how many blocks nobody has freed. */
int forget_blocks(void);
const block *left_block(int index);
/* Notes who touches a word; whether more than one thread does, as far as is known. */
bool is_contended(const void *word);
/* Whether such a word was found since; the next schedule knows it. */
bool learn_contended(void);
void forget_contended(void);

/* ---- races.c ---- */
extern bool watches_memory;
void begin_watching(void);
void order_step(const belay_explore_step *step);
/* The running thread has waited for the others by other means than the library's. */
void order_after_all(void);
/* What the running thread has done is known to all, and the other way round. */
void order_for_all(void);
void watch_release(const block *freed);

/* ---- choices.c ---- */
typedef enum strategy { exhaustive, by_chance, replaying } strategy;
extern strategy strategy_in_use;
extern int bound; /* of pre-emptions, exhaustive */

void begin_choices(void);
/* Before a step: lets another thread run, or a store arrive. */
void choose_before_step(bool isContended);
bool chooses_to_buffer(bool isContended);
fiber *choose_who_goes_on(fiber *const *able, int count);
void replay_from(const char *text);
void write_decisions(FILE *out);
bool next_exhaustive(void); /* false: all have been explored */
void begin_exhaustive(int newBound);
void begin_by_chance(uint64_t seed, uint32_t expectedSteps);
void replay_last(void);

/* ---- trace.c ---- */
void trace_step(const belay_explore_step *step, uint64_t result, bool isBuffered);
void trace_arrival(const fiber *fiber, const belay_explore_step *step);
void trace_switch(int thread);
/* An access to plain memory. `isNow`: by the running thread, whose callers are known. */
void trace_access(int thread, const void *address, const char *what, void *place, bool isNow);
/* The last lines of it, `most` of them. */
void print_trace(FILE *out, uint32_t most);

/* ---- run.c ---- */
extern __thread bool isEngine; /* this thread of the system is the engine's */
void run_schedule(const explore_scenario *scenario);
/* Explores, or replays when there is something to; does not return. */
_Noreturn void explore_in_process(const explore_scenario *scenario, const char *replayed);

extern const explore_scenario *const explore_registry[];

#endif
