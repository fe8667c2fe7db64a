// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Tools/build sets STOL_STATIC for the shipped command: one file without shared libraries, which
// starts in a third of the time. STOL_LINK_ORDER names a file with the order of its functions, so that
// what a query runs lies together; STOL_ICU_DATA an object file with the tables of ICU that stol needs, 30 MB
// less than all. Packages that depend on stol never see these flags.
//
// The address of the command is fixed. With `-Xclang-linker -static-pie` it need not be, but 128,000
// relocations take 1.25 ms at every start (medians of 150: 5.7 for 4.5 ms) and 3 MB of its own memory.
let isStatic = Context.environment["STOL_STATIC"] == "1"
let order = Context.environment["STOL_LINK_ORDER"].map {
  ["-Xlinker", "--symbol-ordering-file=\($0)", "-Xlinker", "--no-warn-symbol-ordering"]
}
let tables = Context.environment["STOL_ICU_DATA"].map { [$0] }
let linkerSettings: [LinkerSetting] =
  isStatic
  ? [
    .unsafeFlags(
      [
        "-static-executable", "-use-ld=lld", "-Xlinker", "--gc-sections",
        "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/Tools/read-only-data.ld",
        // What libarchive's static library itself needs; `pkg-config` names it only on request.
        "-lnettle", "-llzma", "-lbz2", "-lzstd", "-lz",
      ] + (order ?? []) + (tables ?? [])
        + (Context.environment["STOL_SYMBOLS"] == "1" ? [] : ["-Xlinker", "-s"]))
  ] : []

/// A package that stol is built from.
///
/// Tools/build sets STOL_PINNED and takes exactly the versions of Tools/dependencies.tsv, those of the
/// packages that these need in turn too; packages that depend on stol see ranges.
struct Requirement {
  let address: String
  let least: Version
  let pinned: Version
  let traits: Set<Package.Dependency.Trait>

  init(
    _ address: String, from least: Version, pinned: Version,
    traits: Set<Package.Dependency.Trait> = [.defaults]
  ) {
    self.address = "https://github.com/" + address
    self.least = least
    self.pinned = pinned
    self.traits = traits
  }

  var dependency: Package.Dependency {
    isPinned
      ? .package(url: address, exact: pinned, traits: traits)
      : .package(url: address, from: least, traits: traits)
  }
}

let isPinned = Context.environment["STOL_PINNED"] == "1"
let direct = [
  Requirement("apple/swift-argument-parser", from: "1.8.0", pinned: "1.8.2"),
  Requirement("apple/swift-log", from: "1.6.0", pinned: "1.16.2"),
  Requirement("groue/GRDB.swift", from: "7.10.0", pinned: "7.10.0"),
  Requirement("jpsim/Yams", from: "6.2.0", pinned: "6.2.2"),
  Requirement("hummingbird-project/hummingbird", from: "2.28.0", pinned: "2.28.1", traits: []),
  Requirement("apple/swift-nio", from: "2.101.0", pinned: "2.101.2"),
  Requirement("apple/swift-nio-extras", from: "1.34.0", pinned: "1.35.2"),
  Requirement("apple/swift-http-types", from: "1.8.0", pinned: "1.8.0"),
  Requirement("swift-server/swift-service-lifecycle", from: "2.0.0", pinned: "2.13.0"),
  // For tests alone.
  Requirement("apple/swift-crypto", from: "4.5.2", pinned: "4.5.2"),
]
/// What those need in turn.
let indirect = [
  Requirement("swift-server/async-http-client", from: "1.37.0", pinned: "1.37.0"),
  Requirement("apple/swift-algorithms", from: "1.2.1", pinned: "1.2.1"),
  Requirement("apple/swift-asn1", from: "1.7.4", pinned: "1.7.4"),
  Requirement("apple/swift-async-algorithms", from: "1.1.4", pinned: "1.1.4"),
  Requirement("apple/swift-atomics", from: "1.3.0", pinned: "1.3.0"),
  Requirement("apple/swift-certificates", from: "1.21.1", pinned: "1.21.1"),
  Requirement("apple/swift-collections", from: "1.6.0", pinned: "1.6.0"),
  Requirement("apple/swift-configuration", from: "1.4.0", pinned: "1.4.0"),
  Requirement("apple/swift-distributed-tracing", from: "1.7.3", pinned: "1.7.3"),
  Requirement("apple/swift-http-structured-headers", from: "1.7.0", pinned: "1.7.0"),
  Requirement("apple/swift-metrics", from: "2.13.0", pinned: "2.13.0"),
  Requirement("apple/swift-nio-http2", from: "1.46.0", pinned: "1.46.0"),
  Requirement("apple/swift-nio-ssl", from: "2.37.6", pinned: "2.37.6"),
  Requirement("apple/swift-nio-transport-services", from: "1.28.0", pinned: "1.28.0"),
  Requirement("apple/swift-numerics", from: "1.1.1", pinned: "1.1.1"),
  Requirement("apple/swift-service-context", from: "1.5.1", pinned: "1.5.1"),
  Requirement("apple/swift-system", from: "1.8.1", pinned: "1.8.1"),
]

let package = Package(
  name: "stol",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    // The engine alone.
    .library(name: "STOLPack", targets: ["STOLPack"]),
    // What the engine knows of names as people write them.
    .library(name: "STOLMatch", targets: ["STOLMatch"]),
    // What an app imports.
    .library(
      name: "STOL",
      targets: [
        "STOL", "STOLData", "STOLMatch", "STOLSearch", "STOLCompare", "STOLDiagnostics",
        "STOLImport", "STOLFavorites", "STOLMedia", "STOLTrust", "STOLStore", "STOLSystem",
      ]),
    // What an app imports that keeps a journal. It reads tables, archives and photos by libraries of C.
    .library(name: "STOLJournal", targets: ["STOLJournal"]),
    .library(name: "STOLIngest", targets: ["STOLIngest", "STOLFormats", "STOLNames"]),
    .library(name: "STOLServer", targets: ["STOLServer", "STOLAnswers"]),
    .executable(name: "stol", targets: ["stol"]),
  ],
  traits: [
    .trait(
      name: "Encryption",
      description: """
        A journal that is encrypted can be made and read. All SQLite is then SQLite3 Multiple Ciphers, which \
        Tools/fetch-sqlite3mc gets; without it such a journal is an error that says so.
        """)
  ],
  dependencies: direct.map(\.dependency) + (isPinned ? indirect.map(\.dependency) : []),
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CLibWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    // SQLite that can encrypt. Its objects are linked with whatever uses them, and so come before the system's library,
    // which GRDB names: one SQLite does everything.
    .target(
      name: "CSQLiteMC",
      cSettings: [.define("STOL_ENCRYPTION", .when(traits: ["Encryption"]))],
      linkerSettings: [
        .linkedLibrary("m", .when(platforms: [.linux], traits: ["Encryption"]))
      ]),
    // Errors of libjpeg are jumps, which no Swift may see.
    .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
    // Pictures of media packs made small, for the explorer.
    .target(name: "CPictures", dependencies: ["CJPEG", "CLibWebP", "CLibPNG"]),
    // The C++ library libmarisa, which has no door for C.
    .target(name: "CMarisa", linkerSettings: [.linkedLibrary("marisa")]),
    .target(
      name: "CDefaultDatabase",
      exclude: ["LICENCES.md", "default.sqlite.gz", "default.stolpack"]),
    .target(
      name: "CExplorerAssets",
      exclude: [
        "complete.js", "copy.js", "dark.css", "filter.js", "gallery.js", "heart.js", "hero.svg",
        "icon.svg",
        "import.js", "journal-done.js", "journal-draft.js", "journal-entry.js", "journal-forget.js",
        "journal-map.js", "journal.css", "keys.js",
        "life-boxes.js", "life-camera.js", "life-drawing.js",
        "life-guide.js", "life-hands.js", "life-labels.js", "life.js", "look.css", "main.js",
        "match.js", "names.js", "openapi.json", "pictures.css", "png.js", "say.js", "tree-rows.js",
        "tree.js", "words", "words.js",
      ]),
    .target(
      name: "STOLGzip", dependencies: ["STOLSystem", "CZlib", "CDefaultDatabase"],
      swiftSettings: settings),
    .target(name: "STOLSystem", swiftSettings: settings),
    .target(name: "STOLPack", dependencies: ["STOLSystem"], swiftSettings: settings),
    .target(
      name: "STOLData",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLGzip", "STOLTrust", "STOLNames",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLSearch", dependencies: ["STOLSystem", "STOLPack", "STOLMatch", "STOLData"],
      swiftSettings: settings),
    .target(
      name: "STOLCompare", dependencies: ["STOLSystem", "STOLPack", "STOLData"],
      swiftSettings: settings),
    .target(
      name: "STOLDiagnostics",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLData", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLTrust",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLGzip", "CSQLite",
        .target(name: "CSQLiteMC", condition: .when(traits: ["Encryption"])),
        // Apple's systems have CryptoKit instead.
        .target(name: "CSodium", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLImport",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLData", "STOLTrust",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLStore",
      dependencies: [
        "STOLSystem", "STOLTrust", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLFavorites",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLData", "STOLStore",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLMedia",
      dependencies: [
        "STOLTrust", "STOLSystem", "STOLPack", "STOLData",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLFormats",
      dependencies: ["STOLSystem", "STOLGzip", "CArchive", "CExpat", "CZstd"],
      swiftSettings: settings),
    .target(name: "STOLNames", dependencies: ["STOLPack"], swiftSettings: settings),
    .target(
      name: "STOLMatch", dependencies: ["STOLPack", "STOLNames"], swiftSettings: settings),
    .target(
      name: "STOLJournal",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLTrust", "STOLNames", "STOLMatch", "STOLData", "STOLStore",
        "STOLFormats", "STOLMedia", "CJPEG",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "STOLIngest",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLFormats", "STOLNames", "CMarisa",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    // What is asked and answered, and how an answer is written in every format.
    .target(
      name: "STOL",
      dependencies: [
        "STOLSystem", "STOLGzip", "STOLPack", "STOLMatch", "STOLData", "STOLStore", "STOLTrust",
        "STOLSearch", "STOLCompare", "STOLDiagnostics", "STOLImport", "STOLFavorites", "STOLMedia",
      ],
      swiftSettings: settings),
    .target(
      name: "STOLAnswers",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLGzip", "STOLData", "STOLCompare", "STOLSearch", "STOLMatch",
        "STOLFormats",
      ],
      swiftSettings: settings),
    .target(
      name: "STOLServer",
      dependencies: [
        "STOLTrust", "STOLSystem", "STOLPack", "STOLData", "STOLMatch", "STOLSearch", "STOLCompare",
        "STOLAnswers", "STOLFavorites", "STOLFormats", "STOLJournal", "STOLStore",
        "STOLMedia",
        "STOLImport", "STOLDiagnostics", "CExplorerAssets", "CPictures",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["LOOK.md"], swiftSettings: settings),
    .executableTarget(
      name: "stol",
      dependencies: [
        "STOLSystem", "STOLPack", "STOLData", "STOLStore", "STOLTrust", "STOLSearch", "STOLCompare",
        "STOLAnswers", "STOLDiagnostics", "STOLGzip",
        "STOLImport", "STOLFavorites", "STOLJournal", "STOLMedia", "STOLIngest", "STOLServer",
        "STOLMatch", "STOLFormats",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings, linkerSettings: linkerSettings),
    .target(
      name: "TestSupport",
      dependencies: ["STOLData", .product(name: "GRDB", package: "GRDB.swift")],
      path: "Tests/Support", swiftSettings: settings),
    .testTarget(
      name: "STOLServicesTests",
      dependencies: [
        "STOLSystem", "TestSupport", "STOLData", "STOLPack", "STOLSearch", "STOLCompare",
        "STOLDiagnostics",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Words"], swiftSettings: settings),
    // What an app can see, with the settings of any app: nothing that the package keeps to itself.
    .testTarget(
      name: "SampleAppTests",
      dependencies: ["STOL", "STOLJournal", .product(name: "Logging", package: "swift-log")],
      path: "Tests/SampleApp", packageAccess: false,
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    // Answers what the engine answers without a system: Tools/tests/wasm_test.py.
    .executableTarget(
      name: "EngineAnswers", dependencies: ["STOLPack"], path: "Tests/EngineAlone",
      exclude: ["Wasm"], swiftSettings: settings),
    .testTarget(
      name: "STOLPackTests",
      dependencies: [
        "STOLSystem", "TestSupport", "STOLPack",
      ], swiftSettings: settings),
    .testTarget(
      name: "STOLMatchTests", dependencies: ["TestSupport", "STOLMatch", "STOLNames", "STOLPack"],
      swiftSettings: settings),
    .testTarget(
      name: "STOLDataTests",
      dependencies: [
        "STOLSystem", "TestSupport", "STOLData", "STOLPack", "STOLTrust",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    // The half of STOLTrust that is for Apple's systems, by swift-crypto.
    .testTarget(
      name: "STOLTrustTests",
      dependencies: [
        "STOLTrust", "STOLSystem", .product(name: "Crypto", package: "swift-crypto"),
        .target(name: "CSodium", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings + [.define("STOL_SWIFT_CRYPTO", .when(platforms: [.linux]))]),
    .testTarget(
      name: "STOLImportTests",
      dependencies: [
        "STOLTrust", "STOLSystem", "TestSupport", "STOLImport", "STOLData", "STOLPack", "STOLGzip",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "STOLFavoritesTests",
      dependencies: [
        "STOLStore", "TestSupport", "STOLFavorites", "STOLData", "STOLPack",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // A large journal, for Tools/bench.
    .executableTarget(
      name: "JournalLoads",
      dependencies: ["TestSupport", "STOLJournal", "STOLData", "STOLPack", "STOLTrust", "CJPEG"],
      path: "Benchmarks/Journal", swiftSettings: settings),
    // What tests of the journal kill.
    .executableTarget(
      name: "JournalWriter",
      dependencies: ["TestSupport", "STOLJournal", "STOLData", "STOLStore", "STOLTrust"],
      path: "Tests/JournalWriter", swiftSettings: settings),
    .testTarget(
      name: "STOLJournalTests",
      dependencies: [
        "TestSupport", "JournalWriter", "STOLJournal", "STOLData", "STOLPack", "STOLStore",
        "STOLSystem", "STOLFormats", "STOLMedia", "STOLTrust",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["REQUIREMENTS.md"], swiftSettings: settings),
    .testTarget(
      name: "STOLMediaTests",
      dependencies: [
        "STOLTrust", "STOLSystem", "TestSupport", "STOLMedia", "STOLImport", "STOLData", "STOLPack",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "STOLIngestTests",
      dependencies: [
        "STOLSystem", "TestSupport", "STOLIngest", "STOLFormats", "STOLNames", "STOLData",
        "STOLPack", "STOLGzip",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "STOLAnswersTests",
      dependencies: [
        "TestSupport", "STOLAnswers", "STOLCompare", "STOLData", "STOLFavorites", "STOLGzip",
        "STOLSystem", "STOLStore", "STOLTrust", "STOLFormats", "STOLImport", "STOLIngest",
        "STOLMedia", "STOLPack", "STOLSearch",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "STOLServerTests",
      dependencies: [
        "TestSupport", "STOLServer", "STOLAnswers", "STOLData", "STOLJournal", "STOLMatch",
        "STOLMedia", "STOLPack", "STOLSearch", "STOLSystem", "STOLTrust",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "stolTests",
      dependencies: [
        "TestSupport", "stol", "STOLSystem", "STOLPack", "STOLData",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ])
