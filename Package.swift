// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "stol",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "STOLPack", targets: ["STOLPack"]),
  ],
  targets: [
    .target(name: "STOLPack", swiftSettings: settings),
  ])
