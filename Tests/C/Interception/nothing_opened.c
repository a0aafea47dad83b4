/* Slots where no file can be opened, and so /proc/self/maps cannot be read; and what stays in a table. */
#include "in_a_child.h"
#include "intercepted.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static struct rlimit normal;
static void open_nothing(void) {
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &normal), 0);
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, normal.rlim_max}), 0);
}
static void open_again(void) { CHECK_INT(setrlimit(RLIMIT_NOFILE, &normal), 0); }

static ops *in_memory(int protection) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  ops *table = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(table != MAP_FAILED);
  *table = the_ops;
  CHECK_INT(mprotect(table, page, protection), 0);
  return table;
}
static void unmap(ops *table) { munmap(table, (size_t)sysconf(_SC_PAGESIZE)); }

static void a_table_needs_no_file(void) {
  ops table = the_ops;
  belay_interface *interface = of_ops();
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "add", 0);
  belay_disposable *disposable = NULL;
  open_nothing();
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, &disposable), 0);
  CHECK(table.add != the_ops.add);
  end_subscription(disposable);
  CHECK(table.add == the_ops.add);
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, NULL), 0);
  CHECK(table.add != the_ops.add);
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK(table.add == the_ops.add);
  open_again();
  belay_slot_release(slot);
  belay_interface_release(interface);
}

static void nor_do_an_object_and_a_class(void) {
  ops table = the_ops;
  object it = {1, &table};
  belay_interface *interface = of_ops();
  belay_owner *owner = NULL;
  open_nothing();
  CHECK_INT(belay_owner_adopt_slot(&it, (belay_destroy_fn *)&table.close, NULL, &owner), 0);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, NULL), 0);
  CHECK(it.table != &table);
  belay_owner *constant = NULL;
  static const ops fixed = {0};
  static char other;
  CHECK_FAILS(belay_owner_adopt_slot(&other, (belay_destroy_fn *)&fixed.close, NULL, &constant),
              -EACCES);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK(it.table == &table);
  open_again();
  CHECK_INT(belay_owner_end(&other, NULL, NULL), 0);
  belay_owner_release(constant);
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

/* The protection of a table that has to be unprotected is read when Belay's function is put in. */
static void a_read_only_table_needs_one_when_it_is_intercepted(void) {
  ops *table = in_memory(PROT_READ);
  belay_interface *interface = of_ops();
  belay_slot *slot = belay_slot_create_in_table(interface, table, "add", BELAY_SLOT_UNPROTECT);
  belay_disposable *disposable = NULL;
  open_nothing();
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), -EMFILE);
  CHECK(table->add == the_ops.add);
  open_again();
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, &disposable), 0);
  open_nothing();
  end_subscription(disposable);
  CHECK(table->add == the_ops.add);
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, NULL), 0);
  CHECK(table->add != the_ops.add);
  CHECK_INT(belay_table_gone(table), 0);
  CHECK(table->add == the_ops.add);
  open_again();
  belay_slot_release(slot);
  /* It is read-only as before. */
  slot = belay_slot_create_in_table(interface, table, "add", 0);
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), BELAY_EROFS);
  CHECK_INT(belay_table_gone(table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
  unmap(table);
}

/* ---- in a child, because the function stays ---- */
static void protect_and_end(unsigned flags, int code) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  ops *table = in_memory(PROT_READ | PROT_WRITE);
  object it = {1, table};
  belay_interface *interface = of_ops();
  belay_slot *slot = belay_slot_create_in_table(interface, table, "add", 0);
  belay_signal *sent = belay_slot_sent(slot);
  belay_disposable *disposable = follow(belay_signal_retain(sent), "sent");
  CHECK_INT(mprotect(table, page, PROT_READ), 0);
  if (flags) belay_slot_release(belay_slot_create_in_table(interface, table, "add", flags));
  open_nothing();
  CHECK_INT(belay_table_gone(table), code);
  open_again();
  CHECK(table->add != the_ops.add);
  trace_clear();
  for (int i = 0; i < 3; i++) CHECK_INT(table->add(&it, 5), 6 + 5 * i);
  CHECK_TRACE("add 5 | add 5 | add 5");
  belay_last_error();
  belay_signal_release(sent);
  belay_disposable_release(disposable);
  belay_slot_release(slot);
  belay_interface_release(interface);
  CHECK_INT(table->add(&it, 5), 21);
  trace_clear();
}
static void protected_meanwhile(void) { protect_and_end(0, BELAY_EROFS); }
static void and_not_to_be_unprotected(void) { protect_and_end(BELAY_SLOT_UNPROTECT, -EMFILE); }
static const test_case in_the_child[] = {
    CASE(protected_meanwhile),
    CASE(and_not_to_be_unprotected),
};

static void what_cannot_be_taken_out_goes_on_to_the_original(void) {
  CHECK_INT(run_in_a_child(in_the_child, 2), 0);
}

static const test_case cases[] = {
    CASE(a_table_needs_no_file),
    CASE(nor_do_an_object_and_a_class),
    CASE(a_read_only_table_needs_one_when_it_is_intercepted),
    CASE(what_cannot_be_taken_out_goes_on_to_the_original),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
