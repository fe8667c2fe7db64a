import ArgumentParser
import STOLAnswers
import STOLData
import STOLDiagnostics
import STOLPack
import STOLSystem

/// Where stol keeps its files.
struct HomeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where stol keeps its files (default: $STOL_HOME, else the platform's folder).",
      valueName: "folder"),
    completion: .directory)
  var dataDir: String?

  /// The folder, which nobody but the user can have put anything into.
  var directory: DataDirectory {
    get throws {
      let directory = DataDirectory(override: dataDir)
      try directory.check()
      return directory
    }
  }
}

/// Which pack answers.
struct LocationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The pack to ask (default: $STOL_PACK, else the active database).", valueName: "file"),
    completion: .file(extensions: ["stolpack"]))
  var pack: String?

  @OptionGroup var home: HomeOptions

  /// The pack that was named, or nil for the active database.
  var namedPack: String? {
    let named = pack ?? environmentValue("STOL_PACK")
    return named?.isEmpty == false ? named : nil
  }

  /// Opens `path`, else `--pack`, else `STOL_PACK`, else the reference database if it is active, else
  /// the built-in taxonomy.
  ///
  /// Temporary files are removed when the command is interrupted, unless it is one with many threads.
  func open(
    _ path: String? = nil, removingWhenInterrupted: Bool = true
  ) throws -> OpenedPack {
    if let named = path ?? namedPack {
      return OpenedPack(pack: try about(named) { try Pack(path: named) }, path: named)
    }
    let directory = try home.directory
    ReferenceStore(in: directory).recover()
    let active = try DatabaseSnapshot(
      in: directory,
      onPreparing: {
        if removingWhenInterrupted { TemporaryFiles.removeWhenInterrupted() }
        if Terminal.isError {
          writeStandardError("stol: preparing the taxonomy, this once ...\n")
        }
      },
      onFallback: {
        writeStandardError("stol: \($0)\n")
        CommandLog.note(.db, $0)
      })
    return OpenedPack(
      pack: active.pack, path: active.packPath ?? BundledDatabase.title,
      bundled: active.source == .bundled ? BundledDatabase(in: directory) : nil,
      isInstalled: active.source != .bundled)
  }
}

/// A pack and where it lies.
struct OpenedPack {
  let pack: Pack
  /// What it is called in messages.
  let path: String
  /// The built-in taxonomy, if it is that.
  var bundled: BundledDatabase?
  /// Whether it is the reference that was installed.
  var isInstalled = false

  /// The database that lies beside the pack, or nil; where the built-in one cannot be unpacked, or that of
  /// the reference was lost, that is said.
  func database() throws -> SourceDatabase? {
    if let bundled {
      do {
        return try SourceDatabase(of: bundled)
      } catch let failure as BundledDatabase.Failure {
        writeStandardError("stol: without references: \(failure)\n")
        return nil
      }
    }
    let stem = path.hasSuffix(".stolpack") ? String(path.dropLast(".stolpack".count)) : path
    do {
      let database = try SourceDatabase(beside: path, of: pack)
      guard database == nil, isInstalled else { return database }
    } catch let error as PackError where !isInstalled {
      throw CommandFailure(
        .usage,
        "\(stem).sqlite: \(error); compile it again: stol pack \(stem).sqlite -o \(path)")
    } catch is PackError {
      // Another one than was installed is as good as none.
    }
    let lost = ReferenceStore.Failure.databaseLost(path: stem + ".sqlite")
    writeStandardError("stol: without references: \(Escaping.terminal(lost.description))\n")
    return nil
  }
}
