// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// One file that needs no Swift where it runs, and shows the functions of stol.h alone.
let linkerSettings: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "-s",
      "-Xlinker", "-soname=libstol.so.1",
      // The runtime of Swift cannot be unloaded: dlclose leaves the library where it is.
      "-Xlinker", "-z", "-Xlinker", "nodelete",
      "-Xlinker", "--version-script=\(Context.packageDirectory)/stol.map",
      // Where some functions of OldGlibc are before glibc 2.34; nothing here would ask for these files.
      "-Xlinker", "--no-as-needed", "-l:libdl.so.2", "-l:libpthread.so.0",
      "-Xlinker", "--as-needed",
    ], .when(platforms: [.linux]))
]

let package = Package(
  name: "stol-door-c",
  platforms: [.macOS(.v15)],
  products: [.library(name: "stolc", type: .dynamic, targets: ["Door"])],
  dependencies: [.package(name: "stol", path: "../..")],
  targets: [
    // The header alone.
    .systemLibrary(name: "CDoor", path: "include"),
    // Old versions of functions of the system, so that the library runs on older ones.
    .target(name: "OldGlibc", cSettings: [.unsafeFlags(["-fno-builtin"])]),
    .target(
      name: "Door",
      dependencies: [
        "CDoor", "OldGlibc", .product(name: "STOLPack", package: "stol"),
        .product(name: "STOLMatch", package: "stol"),
      ],
      swiftSettings: settings, linkerSettings: linkerSettings),
  ])
