/* Belay: signals, disposables, owners and their deaths, scheduled on libuv. Includes the rest. */
#ifndef BELAY_BELAY_H
#define BELAY_BELAY_H

#include "aggregating.h"
#include "base.h"
#include "binding.h"
#include "combining.h"
#include "command.h"
#include "creating.h"
#include "diagnostics.h"
#include "disposable.h"
#include "drawing.h"
#include "effects.h"
#include "error.h"
#include "filtering.h"
#include "flattening.h"
#include "loop.h"
#include "marbles.h"
#include "operator.h"
#include "owner.h"
#include "property.h"
#include "scheduler.h"
#include "sharing.h"
#include "signal.h"
#include "source.h"
#include "subject.h"
#include "timing.h"
#include "transforming.h"
#include "value.h"
#include "version.h"
#include "worker.h"

#endif
