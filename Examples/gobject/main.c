/* A GLib program with objects of its own. Belay runs in its GMainContext, makes signals of the
   objects' signals and properties, and ends what listens to an object together with that. */
#include <belay/glib.h>
#include <stdio.h>
#include <stdlib.h>

#include "download.h"

static int of_ten(void *ctx, belay_value percent) {
  int32_t number = 0;
  return belay_value_get_int32(percent, &number) == 0 && number % 10 == 0;
}

static void show_percent(void *name, belay_value percent) {
  int32_t number = 0;
  belay_value_get_int32(percent, &number);
  printf("%s: %d %%\n", (char *)name, number);
}

static void show_text(void *name, belay_value text) {
  belay_view view;
  if (belay_value_get_string(text, &view) == 0) printf("%s: %s\n", (char *)name, view.data);
}

static void cancel(void *download, belay_value percent) { download_cancel(download); }

static int is_thirty(void *ctx, belay_value percent) {
  int32_t number = 0;
  return belay_value_get_int32(percent, &number) == 0 && number == 30;
}

/* Progress in tens, until a cancel. It ends with the object: nothing is disconnected by hand. */
static void show(Download *download, char *name) {
  belay_owner *owner = belay_glib_owner(download, NULL);
  belay_signal *progress = belay_signal_chain(
      belay_glib_property(download, "percent"), belay_op_filter(of_ten, NULL, NULL),
      belay_op_take_until(belay_glib_signal(download, "cancelled", 0)));
  belay_signal *finished = belay_glib_signal(download, "finished", 0);
  belay_signal_subscribe(
      progress, &BELAY_INIT(belay_observer, .next = show_percent, .ctx = name, .owner = owner),
      NULL);
  belay_signal_subscribe(
      finished, &BELAY_INIT(belay_observer, .next = show_text, .ctx = name, .owner = owner), NULL);
  belay_signal_release(finished);
  belay_signal_release(progress);
  belay_owner_release(owner);
}

static void quit(void *main_loop) { g_main_loop_quit(main_loop); }

int main(void) {
  GMainLoop *main_loop = g_main_loop_new(NULL, FALSE);
  belay_loop *loop = belay_loop_create(&BELAY_INIT(belay_loop_options, .label = "downloads"));
  GSource *source = belay_glib_source_create(loop);
  g_source_attach(source, NULL);

  Download *book = download_new("book"), *film = download_new("film");
  show(book, "book");
  show(film, "film");
  /* The film is cancelled at 30 %; nothing of it is shown after that. */
  belay_signal *thirty = belay_signal_chain(belay_glib_property(film, "percent"),
                                            belay_op_filter(is_thirty, NULL, NULL));
  belay_signal_subscribe(thirty, &BELAY_INIT(belay_observer, .next = cancel, .ctx = film), NULL);
  belay_signal_release(thirty);
  download_start(film);
  download_start(book);

  /* The program ends 10 ms after the book is there: Belay's timer in GLib's loop. */
  belay_signal *over =
      belay_signal_chain(belay_glib_signal(book, "finished", 0),
                         belay_op_delay(belay_loop_get_scheduler(loop), 0.01), belay_op_take(1));
  belay_signal_subscribe(over, &BELAY_INIT(belay_observer, .completed = quit, .ctx = main_loop),
                         NULL);
  belay_signal_release(over);
  g_main_loop_run(main_loop);

  g_object_unref(book);
  g_object_unref(film);
  g_source_destroy(source);
  g_source_unref(source);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  g_main_loop_unref(main_loop);
  printf("%zu left\n", belay_live_count(BELAY_LIVE_KINDS));
  return EXIT_SUCCESS;
}
