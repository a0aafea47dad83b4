/* A class as a GLib program has it: a download that tells of its progress and of its end. */
#ifndef DOWNLOAD_H
#define DOWNLOAD_H

#include <glib-object.h>

G_DECLARE_FINAL_TYPE(Download, download, EXAMPLE, DOWNLOAD, GObject)

/* Properties: "percent", an int; "name". Signals: "finished", with a message; "cancelled". */
Download *download_new(const char *name);
/* Begins: from now on GLib's main loop moves it on, one percent at a time. */
void download_start(Download *self);
void download_cancel(Download *self);

#endif
