// The compilers with which Belay has been built and tested. Other compilers may miscompile it: see
// the last section of docs/architecture.md, and Tests/Toolchain. CMake and SwiftPM both rely on
// this check.
#if !BELAY_UNTRIED_SWIFT && !(compiler(>=6.3.1) && compiler(<6.3.2))
  #error(
    "Belay has not been tried with this Swift compiler, only with 6.3.1. To go on, set BELAY_UNTRIED_SWIFT=1 in the environment; then run the tests."
  )
#endif
