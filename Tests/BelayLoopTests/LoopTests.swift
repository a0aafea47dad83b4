import BelayLoop
import Testing

/// Everything here is in this suite: live counts are the process's, and a test that compares them
/// must be alone.
@Suite(.serialized, .alone)
struct LoopTests {}

/// Opens what the process keeps from its first loop.
func warmUp() { _ = try? Loop().close { _ in } }
