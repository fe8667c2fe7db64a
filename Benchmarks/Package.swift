// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "stol-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // As the shipped command, so that both may share a folder.
    .package(name: "stol", path: "..", traits: ["Encryption"]),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .target(
      name: "Loads", dependencies: [.product(name: "STOLPack", package: "stol")], path: "Loads"),
    .executableTarget(
      name: "Kernels",
      dependencies: [
        "Loads",
        .product(name: "STOLPack", package: "stol"), .product(name: "STOL", package: "stol"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Kernels",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "Services",
      dependencies: [
        "Loads",
        .product(name: "STOLPack", package: "stol"), .product(name: "STOL", package: "stol"),
      ],
      path: "Services"),
  ]
    + ["Latency", "Ask", "Child", "Growth"].map { name in
      .executableTarget(
        name: name, dependencies: ["Loads", .product(name: "STOLPack", package: "stol")],
        path: name)
    })
