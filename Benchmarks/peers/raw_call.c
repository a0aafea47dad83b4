/* A call through a table, and one through a closure of libffi's that calls the function on. */
#include <ffi.h>

#include "../bench.h"
#include "raw_parts.h"

void raw_hear(void *it, int64_t value) { ((bench_tally *)it)->heard += (uint64_t)value; }

uint64_t raw_call_through(raw_hear_fn volatile *place, bench_tally *tally, bench_run *run) {
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) (*place)(tally, (int64_t)i);
  bench_end(run);
  return bench_checksum(*tally);
}

static uint64_t call(raw_hear_fn function, bench_run *run) {
  bench_tally tally = {0};
  return raw_call_through(&function, &tally, run);
}

uint64_t bench_raw_call(bench_run *run) { return call(raw_hear, run); }

static void pass(ffi_cif *cif, void *result, void **arguments, void *function) {
  ffi_call(cif, *(void (**)(void))function, result, arguments);
}

uint64_t bench_raw_call_passed(bench_run *run) {
  ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint64};
  void (*function)(void) = (void (*)(void))raw_hear;
  void *code;
  ffi_cif cif;
  ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
  if (!closure || ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 2, &ffi_type_void, types) != FFI_OK ||
      ffi_prep_closure_loc(closure, &cif, pass, &function, code) != FFI_OK)
    return 0;
  uint64_t checksum = call((raw_hear_fn)(uintptr_t)code, run);
  ffi_closure_free(closure);
  return checksum;
}
