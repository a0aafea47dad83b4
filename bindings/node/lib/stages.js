'use strict';
/* Operators behind a subject that delivers directly (direct.js): each is a step in JavaScript, without a call
 * of Belay's for each value. The memory of a step is in a closure, one for each subscription. Belay
 * has the same chain around the same closures, so it goes on with them when it has to deliver. An
 * operator that is not here, or whatever else asks such a signal for its handle, makes Belay
 * deliver for good. test/direct.test.js compares the two ways. */
const core = require('./core');
const { Signal, callsOf } = require('./signal');
const { unseen } = require('./keys');
const { Queue } = require('./queue');
const { callable, native, observing, optional, optionsOf } = core;

/* Each makes what makes a step for one subscription: `run` is the step, and `apply` the same in Belay. */
const mapping = (make) => () => {
  const map = make();
  return {
    run: (next) => (value) => next(map(value)),
    apply: (from) => native.op_map(from, map),
  };
};

const keeping = (make) => () => {
  const keep = make();
  return {
    run: (next) => (value) => {
      if (keep(value)) next(value);
    },
    apply: (from) => native.op_filter(from, keep),
  };
};

/* For a value it sends one or NONE. In Belay that is an object like others, which a filter takes out. */
const NONE = {};
const isSome = (value) => value !== NONE;
const sending = (make) => () => {
  const send = make();
  return {
    run: (next) => (value) => {
      const made = send(value);
      if (made !== NONE) next(made);
    },
    apply(from) {
      const sent = native.op_map(from, send);
      const made = native.op_filter(sent, isSome);
      native.give_back(sent); // it keeps the subject
      return made;
    },
  };
};

const pairing = (...first) =>
  sending(() => {
    let before = first; // the value before, if there is one
    return (value) => {
      const pair = before.length > 0 ? [before[0], value] : NONE;
      before = [value];
      return pair;
    };
  });

const ending = (make, isInclusive) => () => {
  const keep = make();
  return {
    run: (next, complete) => (value) => {
      const isLast = !keep(value);
      if (!isLast || isInclusive) next(value);
      if (isLast) complete();
    },
    apply: (from) => native.op_take_while(from, keep, isInclusive),
  };
};

const tapping = (call) => (observer, second, third) => {
  observing(call, second, third);
  if (typeof observer !== 'function') return undefined; // it hears of ends too
  return () => ({
    run: (next) => (value) => {
      observer(value);
      next(value);
    },
    apply: (from) => native.op_do(from, observer),
  });
};

const isCount = (count) => Number.isSafeInteger(count) && count > 0;

/* By the names of their methods, which take the same arguments. undefined: Belay has to do it. */
const STEPS = {
  map(map) {
    callable(map);
    return mapping(() => map);
  },
  mapTo: (value) => mapping(() => () => value),
  compactMap(map) {
    callable(map);
    return () => ({
      run: (next) => (value) => {
        const made = map(value);
        if (made !== null) next(made);
      },
      apply: (from) => native.op_compact_map(from, map),
    });
  },
  scan(seed, step) {
    callable(step);
    return mapping(() => {
      let state = seed;
      return (value) => (state = step(state, value));
    });
  },
  enumerated() {
    return mapping(() => {
      let index = 0;
      return (value) => [index++, value];
    });
  },
  pairwise: () => pairing(),
  pairwiseFrom: (start) => pairing(start),
  filter(keep) {
    callable(keep);
    return keeping(() => keep);
  },
  skip(count) {
    if (!isCount(count)) return undefined;
    return keeping(() => {
      let left = count;
      return () => left === 0 || left-- < 0;
    });
  },
  skipLast(count) {
    if (!isCount(count)) return undefined;
    return sending(() => {
      const waiting = new Queue();
      return (value) => {
        waiting.push(value);
        return waiting.size > count ? waiting.shift() : NONE;
      };
    });
  },
  skipWhile(drop) {
    callable(drop);
    return keeping(() => {
      let isOpen = false;
      return (value) => isOpen || (isOpen = !drop(value));
    });
  },
  distinct(key) {
    optional(key);
    return keeping(() => unseen(key));
  },
  distinctUntilChanged(equal = Object.is) {
    callable(equal);
    return keeping(() => {
      let [hasLast, last] = [false, undefined];
      return (value) => {
        if (hasLast && equal(last, value)) return false;
        [hasLast, last] = [true, value];
        return true;
      };
    });
  },
  take(count) {
    if (!isCount(count)) return undefined;
    return ending(() => {
      let left = count;
      return () => --left > 0;
    }, true);
  },
  takeWhile(keep, options) {
    const { inclusive = false } = optionsOf('takeWhile', options, ['inclusive']);
    callable(keep);
    return ending(() => keep, Boolean(inclusive));
  },
  do: tapping('do'),
  tap: tapping('tap'),
};

/* The signal of one of these operators. */
class Staged extends Signal {
  #source;
  #make;
  #operator;
  #made;

  /* `operator` applies it in Belay. */
  constructor(source, make, operator) {
    super(undefined);
    this.#source = source;
    this.#make = make;
    this.#operator = operator;
  }

  get _handle() {
    return (this.#made ??= this.#operator()._handle);
  }

  get _direct() {
    return this.#source._direct;
  }

  get _steps() {
    return [...this.#source._steps, this.#make];
  }

  subscribe(observer, options, third) {
    const direct = this._direct;
    const calls = callsOf(observer, options, third);
    // Where a batch arrives as one, each operator has seen all of it before the next one: Belay does that.
    if (!direct || calls.nextBatch) return super.subscribe(observer, options);
    return direct.subscribe(calls, options, this._steps.map((make) => make()));
  }
}

/* Gives a class the operators. Its `_direct` is the object that delivers, if Belay does not. */
function addSteps(to) {
  for (const [name, step] of Object.entries(STEPS)) {
    const operator = Signal.prototype[name];
    const value = function (...given) {
      const make = this._direct && step(...given);
      return make ? new Staged(this, make, () => operator.apply(this, given)) : operator.apply(this, given);
    };
    Object.defineProperty(to.prototype, name, { value, writable: true, configurable: true });
  }
}

core.bare.add(Staged.prototype);
addSteps(Staged);

module.exports = { addSteps };
