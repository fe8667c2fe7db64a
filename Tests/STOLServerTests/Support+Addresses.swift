@testable import STOLPack
@testable import STOLServer

/// The short form, for tests.
extension TaxonAddress: ExpressibleByIntegerLiteral {
  /// The short form with this number.
  public init(integerLiteral value: Int64) { self.init(short: TaxonID(rawValue: value)) }
}
