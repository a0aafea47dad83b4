/* Destroy notifications: A4-01 to A4-08, A4-20 to A4-24. */
#include "owned.h"
#include "worker.h"

typedef struct page {
  int number;  /* a scalar, which stays readable */
  char *title; /* a member, which the deinit frees */
} page;

static void end_page(void *object) {
  page *it = object;
  trace("deinit");
  free(it->title);
  it->title = NULL;
}
static void free_page(void *object) {
  trace("dealloc");
  free(object);
}

static void tell(void *user_info, const char *name, void *address) {
  trace("%s %s", name, user_info ? (const char *)user_info : "nothing");
}
static void set(belay_owner *owner, const char *name, const char *info) {
  CHECK_INT(belay_notice_set(owner, name, tell, (void *)info, info ? trace_free : NULL), 0);
}

/* ---- A4-01 ---- */
static void A4_01_any_owner_has_them_and_who_has_none_pays_nothing(void) {
  int object;
  belay_owner *created = traced_owner(NULL), *adopted = belay_owner_adopt(&object, NULL);
  set(created, "created", NULL);
  set(adopted, "adopted", NULL);
  belay_owner_release(created);
  CHECK_TRACE("deinit | created nothing | dealloc");
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  CHECK_TRACE("adopted nothing");
  belay_owner_release(adopted);

  /* An owner without notices is a single allocation of this size. */
  struct mallinfo2 before = mallinfo2();
  belay_owner *plain = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK(mallinfo2().uordblks - before.uordblks <= 208);
  belay_owner_release(plain);
}

static void A4_02_a_notice_is_set_with_a_name_and_with_user_info(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, "plain", NULL);
  set(owner, "rich", "info");
  CHECK_TRACE("");
  belay_owner_release(owner);
  CHECK_TRACE("deinit | plain nothing | rich info | free info | dealloc");
}

static void A4_03_all_of_it_between_the_statement_before_and_the_one_after(void) {
  belay_owner *owner = belay_owner_create(NULL, trace_deinit, NULL, NULL);
  set(owner, "notice", NULL);
  trace("before");
  belay_owner_release(owner);
  trace("after");
  CHECK_TRACE("before | deinit | notice nothing | after");
}

static page *told_page;
static void look_at_page(void *user_info, const char *name, void *address) {
  page *it = address;
  CHECK(it == told_page);
  trace("%s: number %d, title %s", name, it->number, it->title ? "there" : "gone");
}
static void A4_04_members_are_gone_scalars_and_the_address_are_there(void) {
  told_page = malloc(sizeof *told_page);
  *told_page = (page){.number = 7, .title = strdup("start")};
  belay_owner *owner = belay_owner_create(told_page, end_page, free_page, NULL);
  CHECK_INT(belay_notice_set(owner, "look", look_at_page, NULL, NULL), 0);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  watch(belay_owner_deallocated(owner), "deallocated");
  belay_owner_release(owner);
  CHECK_TRACE(
      "action bound | deinit | look: number 7, title gone | deallocated next null | "
      "deallocated completed | deallocated disposed | deallocated free | dealloc");
}

static belay_owner *told_owner;
static void look_around(void *user_info, const char *name, void *address) {
  CHECK(user_info == &told_owner);
  CHECK_STRING(name, "notice");
  CHECK(address == &told_page);
  CHECK_INT(belay_owner_is_dying(told_owner), 1);
  CHECK(belay_owner_object(told_owner) == NULL);
  trace("told");
}
static void A4_05_it_gets_name_user_info_and_address_and_no_owner(void) {
  belay_owner *owner = belay_owner_create(&told_page, NULL, NULL, NULL);
  belay_weak *weak = belay_weak_create(owner);
  told_owner = owner;
  CHECK_INT(belay_notice_set(owner, "notice", look_around, &told_owner, NULL), 0);
  belay_owner_release(owner);
  CHECK_TRACE("told");
  CHECK(belay_weak_upgrade(weak) == NULL);
  belay_weak_release(weak);
}

static void A4_06_a_name_that_is_set_again_replaces(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, "a", "first");
  set(owner, "b", "b");
  set(owner, "a", "second");
  CHECK_TRACE("free first");
  belay_owner_release(owner);
  CHECK_TRACE("deinit | b b | free b | a second | free second | dealloc");
}

static void A4_07_removing_cancels_and_an_unknown_name_changes_nothing(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, "a", "a");
  set(owner, "b", "b");
  CHECK_FAILS(belay_notice_remove(owner, "c"), BELAY_ENOENT);
  CHECK_INT(belay_notice_remove(owner, "a"), 0);
  CHECK_TRACE("free a");
  CHECK_FAILS(belay_notice_remove(owner, "a"), BELAY_ENOENT);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | b b | free b | dealloc");
}

static void A4_08_it_is_told_once(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, "a", "a");
  belay_owner_retain(owner);
  belay_owner *kept = belay_owner_retain(owner);
  CHECK_INT(belay_owner_add_child(told_owner = belay_owner_create(NULL, NULL, NULL, NULL), owner),
            0);
  belay_owner_release(told_owner); /* the owner dies with its parent, though there are references */
  CHECK_TRACE("deinit | a a | free a | dealloc");
  CHECK_FAILS(belay_notice_remove(owner, "a"), BELAY_ENOENT);
  belay_owner_release(owner);
  belay_owner_release(owner);
  belay_owner_release(kept);
  CHECK_TRACE("");
}

/* Uses by name: a request with two lifetimes, a dialog. */
static void dismiss(void *dialog, const char *name, void *address) {
  trace("%s dismissed with %s", (const char *)dialog, name);
}
static void A4_09_a_dialog_is_dismissed_with_its_page(void) {
  belay_owner *page_owner = traced_owner(NULL);
  CHECK_INT(belay_notice_set(page_owner, "page", dismiss, "dialog", NULL), 0);
  belay_signal *request = belay_subject_create(NULL);
  belay_observer global = rendering("global"), bound = rendering("bound");
  CHECK_INT(belay_signal_subscribe(request, &global, NULL), 0);
  bound.owner = page_owner;
  CHECK_INT(belay_signal_subscribe(request, &bound, NULL), 0);
  belay_owner_release(page_owner);
  CHECK_TRACE("bound disposed | bound free | deinit | dialog dismissed with page | dealloc");
  belay_subject_next(request, belay_int32(1));
  belay_signal_release(request);
  CHECK_TRACE("global next 1 | global disposed | global free");
}

/* ---- A4-20: the whole of it ---- */
static void list(void *ctx, const char *name, void *user_info) {
  trace("%s=%s", name, user_info ? (const char *)user_info : "nothing");
}
static void list_and_change(void *ctx, const char *name, void *user_info) {
  list(ctx, name, user_info);
  if (strcmp(name, "a") == 0) {
    belay_notice_remove(ctx, "b");
    belay_notice_set(ctx, "c", tell, "c", NULL);
  }
}
static void A4_20_set_get_remove_enumerate(void) {
  belay_owner *owner = traced_owner(NULL);
  CHECK_INT(belay_notice_each(owner, list, NULL), 0);
  CHECK(belay_notice_user_info(owner, "a") == NULL);
  set(owner, "b", "1");
  set(owner, "a", "2");
  CHECK_INT(belay_notice_each(owner, list, NULL), 2);
  CHECK_TRACE("b=1 | a=2");
  CHECK_STRING(belay_notice_user_info(owner, "a"), "2");
  CHECK_INT(belay_notice_remove(owner, "b"), 0);
  CHECK_TRACE("free 1");
  set(owner, "b", "3");
  /* The callback changes the notices: of those at the beginning, the ones that are left are
     shown. */
  CHECK_INT(belay_notice_each(owner, list_and_change, owner), 1);
  CHECK_TRACE("a=2 | free 3");
  CHECK_INT(belay_notice_each(owner, NULL, NULL), 2);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | a 2 | free 2 | c c | dealloc");
}

static void A4_21_several_are_told_in_the_order_of_setting(void) {
  char names[100][8], expected[2000] = "";
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  for (int i = 0; i < 100; i++) {
    snprintf(names[i], sizeof names[i], "%d", 99 - i);
    set(owner, names[i], NULL);
    snprintf(expected + strlen(expected), 20, "%s%d nothing", i ? " | " : "", 99 - i);
  }
  belay_owner_release(owner);
  CHECK_TRACE(expected);
}

/* ---- A4-22: any thread, at once ---- */
enum { THREADS = 3, ROUNDS = 3000 };
typedef struct crowd {
  belay_owner *owner;
  int told, freed;
} crowd;
static void count_told(void *ctx, const char *name, void *address) {
  __atomic_add_fetch(&((crowd *)ctx)->told, 1, __ATOMIC_RELAXED);
}
static void count_freed(void *ctx) {
  __atomic_add_fetch(&((crowd *)ctx)->freed, 1, __ATOMIC_RELAXED);
}
static void change_at_random(void *ctx) {
  crowd *it = ctx;
  for (int i = 0; i < ROUNDS; i++) {
    char name[] = {(char)('a' + i % 7), 0};
    int code = belay_notice_set(it->owner, name, count_told, it, count_freed);
    CHECK(code == 0 || code == BELAY_EDEAD);
    belay_notice_user_info(it->owner, name);
    belay_notice_each(it->owner, NULL, NULL);
    if (i % 3 == 0) belay_notice_remove(it->owner, name);
    if (i == ROUNDS / 2) belay_owner_release(it->owner);
  }
  belay_last_error();
}
static void A4_22_from_several_threads_while_the_owner_dies(void) {
  crowd it = {.owner = belay_owner_create(NULL, NULL, NULL, NULL)};
  routine threads[THREADS];
  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add_child(parent, it.owner), 0);
  /* The threads' references keep the handle. Each thread releases one. */
  for (int i = 0; i < THREADS; i++) belay_owner_retain(it.owner);
  for (int i = 0; i < THREADS; i++) start_thread(&threads[i], change_at_random, &it);
  belay_owner_release(parent);
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(it.freed, THREADS * ROUNDS);
  CHECK(it.told <= 7);
  belay_owner_release(it.owner);
}

static pthread_t told_on;
static void note_thread(void *user_info, const char *name, void *address) {
  told_on = pthread_self();
}
static void A4_22_it_is_told_on_the_thread_of_the_last_release(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_notice_set(owner, "n", note_thread, NULL, NULL), 0);
  routine other;
  start_thread(&other, release_owner, owner);
  pthread_t thread = other.thread;
  join_thread(&other);
  CHECK(pthread_equal(told_on, thread));
}

/* ---- A4-23: nobody can hold one back ---- */
static void A4_23_nothing_delays_it_past_the_death(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, "a", "a");
  belay_owner *kept = belay_owner_retain(owner);
  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add_child(parent, owner), 0);
  CHECK(belay_notice_user_info(kept, "a") != NULL);
  belay_owner_release(parent);
  CHECK_TRACE("deinit | a a | free a | dealloc");
  CHECK(belay_notice_user_info(kept, "a") == NULL);
  CHECK_INT(belay_notice_each(kept, list, NULL), 0);
  belay_owner_release(kept);
  belay_owner_release(owner);
}

static void A4_24_no_name_is_an_error(void) {
  int freed = 0;
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_FAILS(belay_notice_set(owner, NULL, tell, &freed, count_free), BELAY_EINVAL);
  CHECK_INT(freed, 1);
  CHECK_FAILS(belay_notice_remove(owner, NULL), BELAY_EINVAL);
  CHECK(belay_notice_user_info(owner, NULL) == NULL);
  set(owner, "", "empty");
  belay_owner_release(owner);
  CHECK_TRACE(" empty | free empty");
}

/* ---- at the wrong time ---- */
static void set_more(void *owner, const char *name, void *address) {
  int freed = 0;
  trace("%s", name);
  CHECK_FAILS(belay_notice_set(owner, "late", tell, &freed, count_free), BELAY_EDEAD);
  CHECK_INT(freed, 1);
  CHECK_INT(belay_notice_remove(owner, "removed"), 0);
}
static void set_in_deinit(void *object) {
  set(told_owner, "from the deinit", NULL);
  trace("deinit");
}
static void rule_1_4_notices_are_taken_up_to_the_deinit(void) {
  told_owner = belay_owner_create(NULL, set_in_deinit, NULL, NULL);
  belay_owner *kept = belay_owner_retain(told_owner);
  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add_child(parent, kept), 0);
  CHECK_INT(belay_notice_set(told_owner, "first", set_more, told_owner, NULL), 0);
  set(told_owner, "removed", "removed");
  belay_owner_release(parent);
  CHECK_TRACE("deinit | first | free removed | from the deinit nothing");
  int freed = 0;
  CHECK_FAILS(belay_notice_set(kept, "dead", tell, &freed, count_free), BELAY_EDEAD);
  CHECK_INT(freed, 1);
  belay_owner_release(kept);
  belay_owner_release(told_owner);
}

static belay_owner *other_owner;
static void kill_other(void *owner, const char *name, void *address) {
  trace("%s", name);
  belay_owner_release(owner);
  trace("%s ends", name);
}
static void rule_1_4_a_notice_may_kill_another_owner_and_let_go_of_its_own(void) {
  belay_owner *owner = traced_owner(NULL);
  other_owner = traced_owner(NULL);
  set(other_owner, "other", NULL);
  CHECK_INT(belay_notice_set(owner, "kills", kill_other, other_owner, NULL), 0);
  CHECK_INT(belay_notice_set(owner, "own", kill_other, belay_owner_retain(owner), NULL), 0);
  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add_child(parent, owner), 0);
  belay_owner_release(parent);
  CHECK_TRACE(
      "deinit | kills | deinit | other nothing | dealloc | kills ends | own | own ends | "
      "dealloc");
  belay_owner_release(owner);
}

static const test_case cases[] = {
    CASE(A4_01_any_owner_has_them_and_who_has_none_pays_nothing),
    CASE(A4_02_a_notice_is_set_with_a_name_and_with_user_info),
    CASE(A4_03_all_of_it_between_the_statement_before_and_the_one_after),
    CASE(A4_04_members_are_gone_scalars_and_the_address_are_there),
    CASE(A4_05_it_gets_name_user_info_and_address_and_no_owner),
    CASE(A4_06_a_name_that_is_set_again_replaces),
    CASE(A4_07_removing_cancels_and_an_unknown_name_changes_nothing),
    CASE(A4_08_it_is_told_once),
    CASE(A4_09_a_dialog_is_dismissed_with_its_page),
    CASE(A4_20_set_get_remove_enumerate),
    CASE(A4_21_several_are_told_in_the_order_of_setting),
    CASE(A4_22_from_several_threads_while_the_owner_dies),
    CASE(A4_22_it_is_told_on_the_thread_of_the_last_release),
    CASE(A4_23_nothing_delays_it_past_the_death),
    CASE(A4_24_no_name_is_an_error),
    CASE(rule_1_4_notices_are_taken_up_to_the_deinit),
    CASE(rule_1_4_a_notice_may_kill_another_owner_and_let_go_of_its_own),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
