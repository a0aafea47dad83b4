import Belay

// Chooses between the core's and the standard library's, which have one name.
typealias Atomic = ExploredAtomic
