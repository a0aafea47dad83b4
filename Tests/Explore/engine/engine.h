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
  long schedules; /* how many are played by chance */
  /* stores overtake each other in every schedule; else in half of those by chance */
  bool weak;
  bool watches;   /* accesses to plain memory */
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

/* A decision that differs from the usual one. */
typedef struct decision {
  uint32_t at;   /* the step before which, or at which, it was taken */
  char kind;     /* s switch, d drain, b buffer, f which thread goes on, t a time limit runs out */
  uint8_t which; /* the thread */
  uint8_t entry; /* the entry of its buffer */
} decision;

typedef struct line {
  belay_explore_step step;
  uint64_t result;
  uint8_t thread;
  bool isBuffered, isDrain, isSwitch;
  uint32_t at;
  const char *note; /* what the scenario says */
  void *owner;      /* the metadata of the object that has the word, or NULL */
  int ordinal, offset;
  void *frames[most_frames];
} line;

typedef struct report {
  char message[400];
  uint32_t step;
  uint64_t schedules[most_preemptions + 1]; /* by the number of pre-emptions */
  uint64_t byChance;
  int complete;     /* with so many pre-emptions all were explored; -1: not even those with none */
  uint32_t longest; /* steps */
  uint32_t decisionCount;
  decision decisions[most_decisions];
  uint64_t progress; /* schedules */
  bool isTraced, isWeak;
  uint32_t lineCount;
  line lines[most_lines];
} report;
extern report *told;

/* Ends the process with a report that this schedule shows a fault. */
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
  const void *word; /* asleep: the futex's word */
  bool isTimed;     /* asleep: with a time limit */
  bool isWoken;
  bool (*isReady)(const void *argument); /* awaiting */
  const void *argument;
  int priority;
  bool hasRecord;
  belay_explore_current current;
  pending buffer[buffer_room];
  int buffered;
  uint32_t allocations;
  void *calls[most_calls]; /* the callers of the functions that are running */
  int callDepth;
  bool isStarted;
  jmp_buf place;
  ucontext_t context;
  char *stack;
} fiber;

extern fiber fibers[explore_most_threads];
extern int fiberCount;
/* NULL: the engine itself, or a thread of the system that belongs to something else */
extern __thread fiber *running;
extern bool isExploring;
extern uint32_t now; /* how many steps this schedule has taken */

void run_threads(const explore_scenario *scenario);
void switch_to(fiber *next);
/* The running thread cannot go on, so another one does. */
void go_on_elsewhere(void);
bool can_run(const fiber *fiber);
/* Other threads run until `isReady` answers true. */
bool explore_wait(bool (*isReady)(const void *), const void *argument);
bool is_on_stack_of(const fiber *fiber, const void *address);

/* ---- steps.c ---- */
uint64_t take_step(const belay_explore_step *step);
void drain(fiber *fiber, int entry);
void drain_all(fiber *fiber);
/* Whether this entry of the buffer may arrive in memory now. */
bool may_arrive(const fiber *fiber, int entry);
/* Whether stores overtake each other in this schedule, as on ARM. Otherwise they arrive in
   order. */
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
/* Gives the memory back. Answers how many blocks were never freed. */
int forget_blocks(void);
const block *left_block(int index);
/* Notes that the running thread touches a word. Answers whether more than one thread does, as far
   as is known. */
bool is_contended(const void *word);
/* Answers whether such a word was found meanwhile. The next schedule knows it. */
bool learn_contended(void);
void forget_contended(void);

/* ---- races.c ---- */
extern bool watches_memory;
void begin_watching(void);
void order_step(const belay_explore_step *step);
/* The running thread has waited for the others by means that are not the library's. */
void order_after_all(void);
/* Orders the running thread's accesses and those of all others, both ways. */
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
/* An access to plain memory. `isNow`: the running thread makes it, so its callers are known. */
void trace_access(int thread, const void *address, const char *what, void *place, bool isNow);
/* The last `most` lines of the trace. */
void print_trace(FILE *out, uint32_t most);

/* ---- run.c ---- */
/* Of a clock that only goes forward. */
double seconds(void);
extern __thread bool isEngine; /* whether this thread of the system is the engine's */
void run_schedule(const explore_scenario *scenario);
/* Explores, or replays the schedule if there is one. Does not return. */
_Noreturn void explore_in_process(const explore_scenario *scenario, const char *replayed);

extern const explore_scenario *const explore_registry[];

#endif
