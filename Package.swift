// swift-tools-version: 6.2

import PackageDescription

// Runtime/Toolchain.swift refuses a compiler that Belay has not been tried with.
let isUntried = Context.environment["BELAY_UNTRIED_SWIFT"] == "1"

let package = Package(
  name: "belay",
  products: [
    .library(name: "Belay", targets: ["Belay", "BelayLoop", "BelayIO"]),
    .library(name: "BelayExchange", targets: ["BelayExchange"]),
    .library(name: "BelayTesting", targets: ["BelayTesting"]),
  ],
  targets: [
    .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CLibffi", pkgConfig: "libffi", providers: [.apt(["libffi-dev"])]),
    // An ordinary host's allocator and runtime are its own.
    .target(
      name: "CBelayShim", dependencies: ["CLibuv"],
      exclude: [
        "explore.c", "guard.c", "guard_faults.c", "memory.c", "only.c", "quarantine.c",
        "references.c",
      ]),
    .target(name: "CBelayClosure", dependencies: ["CBelayShim", "CLibffi"]),
    .target(
      name: "Belay", dependencies: ["CBelayClosure", "CBelayShim"],
      // Embedded has Embedded Swift's forms of what is in Ordinary.
      exclude: ["Absent", "Checked", "Embedded", "Explored"],
      swiftSettings: isUntried ? [.define("BELAY_UNTRIED_SWIFT")] : []),
    .target(
      name: "BelayLoop", dependencies: ["Belay", "CBelayShim", "CLibuv"], exclude: ["Explored"]),
    .target(
      name: "BelayIO", dependencies: ["Belay", "BelayLoop", "CBelayShim", "CLibuv"],
      exclude: ["Explored"]),
    // The structs of exchange.h. Nothing of the C library is linked.
    .systemLibrary(name: "CBelay", path: "include"),
    .target(name: "BelayExchange", dependencies: ["Belay", "CBelay"]),
    .target(name: "BelayTesting", dependencies: ["Belay"]),
    .executableTarget(
      name: "native-bench", dependencies: ["Belay"], path: "Benchmarks/Native"),
    .executableTarget(
      name: "hello", dependencies: ["Belay", "BelayLoop"], path: "Examples/hello",
      exclude: [
        "expected.txt", "test.sh", "hello.c", "hello.cpp", "hello.js", "hello.py", "hello.rs",
      ], sources: ["hello.swift"]),
    .executableTarget(
      name: "wordcount", dependencies: ["Belay", "BelayIO", "BelayLoop"],
      path: "Examples/wordcount",
      exclude: [
        "expected.txt", "input.txt", "test.sh", "wordcount.c", "wordcount.cpp", "wordcount.js",
        "wordcount.py",
        "wordcount.rs",
      ], sources: ["wordcount.swift"]),
    .executableTarget(
      name: "task-soak", dependencies: ["Belay", "BelayLoop"], path: "Tests/TaskSoak"),
    .testTarget(name: "BelayTests", dependencies: ["Belay", "BelayTesting", "CBelayShim"]),
    .testTarget(
      name: "BelayExchangeTests", dependencies: ["Belay", "BelayExchange", "BelayLoop", "CBelay"]),
    .testTarget(name: "BelayLoopTests", dependencies: ["Belay", "BelayIO", "BelayLoop", "CLibuv"]),
  ],
  swiftLanguageModes: [.v6]
)
