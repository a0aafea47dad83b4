#include <uv.h>

#include <sys/inotify.h>
