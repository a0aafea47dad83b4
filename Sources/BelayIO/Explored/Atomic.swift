@_spi(Engine) import Belay

// Both the core and the standard library have a type of this name; this chooses the core's.
typealias Atomic = ExploredAtomic
