import ArgumentParser
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

  var directory: DataDirectory { DataDirectory(override: dataDir) }
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
    let directory = home.directory
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
    return OpenedPack(pack: active.pack, path: active.packPath)
  }
}

/// A pack and where it lies.
struct OpenedPack {
  let pack: Pack
  let path: String

  /// The database that lies beside the pack, or nil.
  func database() throws -> SourceDatabase? {
    let stem = path.hasSuffix(".stolpack") ? String(path.dropLast(".stolpack".count)) : path
    do {
      return try SourceDatabase(beside: path, of: pack)
    } catch let error as PackError {
      throw CommandFailure(
        .usage,
        "\(stem).sqlite: \(error); compile it again: stol pack \(stem).sqlite -o \(path)")
    }
  }
}
