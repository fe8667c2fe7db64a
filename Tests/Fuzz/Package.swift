// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-parse-as-library"]),
]

// libFuzzer has a main of its own, which only lld drops for ours.
let linkerSettings: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"])]

let package = Package(
  name: "stol-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "stol", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),
    .target(
      name: "FuzzSupport", dependencies: ["CLibFuzzer"], path: "Support", swiftSettings: settings),
    .executableTarget(
      name: "FuzzPack", dependencies: ["FuzzSupport", .product(name: "STOLPack", package: "stol")],
      path: "Pack", swiftSettings: settings, linkerSettings: linkerSettings),
    .executableTarget(
      name: "FuzzContainer",
      dependencies: [
        "FuzzSupport", .product(name: "STOLPack", package: "stol"),
        .product(name: "STOL", package: "stol"),
      ],
      path: "Container", swiftSettings: settings, linkerSettings: linkerSettings),
    .executableTarget(
      name: "FuzzSearch",
      dependencies: ["FuzzSupport", .product(name: "STOLPack", package: "stol")],
      path: "Search", swiftSettings: settings, linkerSettings: linkerSettings),
    .executableTarget(
      name: "FuzzSources",
      dependencies: ["FuzzSupport", .product(name: "STOLIngest", package: "stol")],
      path: "Sources", swiftSettings: settings, linkerSettings: linkerSettings),
    .executableTarget(
      name: "FuzzNames",
      dependencies: [
        "FuzzSupport", .product(name: "STOLPack", package: "stol"),
        .product(name: "STOL", package: "stol"), .product(name: "STOLIngest", package: "stol"),
      ],
      path: "Names", swiftSettings: settings, linkerSettings: linkerSettings),
  ])
