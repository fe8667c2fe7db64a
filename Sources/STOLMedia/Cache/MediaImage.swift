public import STOLPack

#if canImport(UIKit)
import Foundation
public import UIKit

/// An image as the platform shows it.
public typealias PlatformImage = UIImage
#elseif canImport(AppKit)
public import AppKit
import Foundation

/// An image as the platform shows it.
public typealias PlatformImage = NSImage
#endif

/// An image of a taxon: bytes that were checked and not decoded, and whom to thank for them.
public struct MediaImage: Equatable, Sendable {
  /// The bytes, as the maintainer of the pack signed them.
  public let bytes: [UInt8]
  /// What they are.
  public let type: MediaImageType
  /// The taxon that the image shows: the one that was asked for, or an ancestor.
  public let taxonID: TaxonID
  /// What the image shows, in words.
  public let title: String
  /// Who made it.
  public let author: String
  /// Under what licence it is.
  public let licence: String
  /// Where it comes from; may be empty.
  public let source: String
  /// The pack that it is in.
  public let packID: MediaPackID

  init(bytes: [UInt8], _ entry: MediaEntry, of taxonID: TaxonID, in packID: MediaPackID) {
    self.bytes = bytes
    type = entry.type
    self.taxonID = taxonID
    title = entry.about.title
    author = entry.about.author
    licence = entry.about.licence
    source = entry.about.source
    self.packID = packID
  }

  #if canImport(UIKit) || canImport(AppKit)
  /// The image as the platform shows it; nil if the platform cannot decode it.
  public var platformImage: PlatformImage? { PlatformImage(data: Data(bytes)) }
  #endif
}

/// What a pack says of an image, without the image.
public struct MediaCaption: Equatable, Sendable {
  /// What the image shows, in words.
  public let title: String
  /// Who made it.
  public let author: String
  /// Under what licence it is.
  public let licence: String
  /// Where it comes from; may be empty.
  public let source: String

  init(_ entry: MediaEntry) {
    title = entry.about.title
    author = entry.about.author
    licence = entry.about.licence
    source = entry.about.source
  }
}
