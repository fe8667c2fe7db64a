import CExplorerAssets

/// A file of the explorer that travels inside the program.
struct Asset: Sendable {
  let contentType: String
  let bytes: [UInt8]

  /// The files by their names.
  static let all: [String: Asset] = {
    var all: [String: Asset] = [:]
    for index in 0..<stol_asset_count {
      // SAFETY: the table has stol_asset_count rows, each with a name that ends in a zero and as many
      // constant bytes as it says.
      let row = unsafe stol_assets()[index]
      let name = unsafe String(cString: row.name)
      let bytes = unsafe [UInt8](
        UnsafeBufferPointer(start: row.bytes, count: row.byte_count))
      all[name] = Asset(contentType: contentType(of: name), bytes: bytes)
    }
    return all
  }()

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json; charset=utf-8"
    case "svg": "image/svg+xml; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}
