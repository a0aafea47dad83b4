#include <belay/belay.h>
