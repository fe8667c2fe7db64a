import Foundation
import STOLAnswers
import STOLCompare
import STOLData
import STOLFormats
import STOLGzip
import STOLImport
import STOLIngest
import STOLMedia
import STOLPack
import STOLSearch
import STOLStore
import STOLSystem
import STOLTrust
import Testing

@Suite("Kinds of errors")
struct ErrorKindTests {
  @Test(arguments: [
    (ErrorKind.notFound, 1, 404), (.usage, 2, 400), (.damaged, 3, 500), (.untrusted, 4, 403),
    (.older, 5, 409), (.inputOutput, 6, 500),
  ])
  func eachHasAnExitCodeAndAStatus(_ kind: ErrorKind, _ exitCode: Int32, _ status: Int) {
    #expect(kind.exitCode == exitCode)
    #expect(kind.httpStatus == status)
    #expect(!kind.title.isEmpty)
  }

  private static let system = SystemError(operation: "open", path: "/x", code: .noSuchFile)

  /// Of each room an error of each kind that it has.
  private static let errors: [(any StolError, ErrorKind)] = [
    (system, .inputOutput), (PackError.notAPack, .damaged),
    (PackError.unsupportedVersion(got: 9, expected: 1), .usage),
    (PackError.wrongSource(expected: "a", got: "b"), .usage),
    (CompileError.unreadable(path: "/x", reason: "y"), .damaged), (CompileError.empty, .usage),
    (GzipError.truncated, .damaged), (SearchError.queryTooLong(byteCount: 600), .usage),
    (CompareError.countOutOfRange(0), .usage),
    (TaxonomyError.unknownTaxon(TaxonID(rawValue: 1)), .notFound),
    (ReferenceStore.Failure.notInstalled, .notFound),
    (ReferenceStore.Failure.stateDamaged(path: "/x"), .damaged),
    (BundledDatabase.Failure.unwritable(system), .inputOutput),
    (ContainerError.fileUnreadable(system), .inputOutput), (ContainerError.notAStolFile, .damaged),
    (ContainerError.newerFormat(version: 9), .usage),
    (ImportError.downgrade(installed: 2, offered: 1), .older),
    (ContainerError.unknownKey(nil), .untrusted), (ContainerError.signatureInvalid, .untrusted),
    (KeyError.system(system), .inputOutput), (KeyError.wrongPassphrase, .usage),
    (KeyError.noSecretKeyFiles, .usage),
    (KeyError.signatureInvalid, .untrusted), (KeyError.invalidPublicKey, .damaged),
    (KeyError.olderKeyring(version: 1, applied: 2), .older),
    (ContainerWriter.Failure.file(system), .inputOutput),
    (ContainerWriter.Failure.key(.wrongPassphrase), .usage),
    (ContainerWriter.Failure.notADatabase(path: "/x"), .damaged),
    (ContainerWriter.Failure.changed(path: "/x"), .usage),
    (MediaError.container(.signatureInvalid), .untrusted), (MediaError.file(system), .inputOutput),
    (MediaError.tooLarge(limit: 1), .usage), (MediaError.notAnArchive, .damaged),
    (StoreError.busy(path: "/x"), .inputOutput),
    (StoreError.damaged(path: "/x", reason: "y"), .damaged),
    (StoreError.newerVersion(path: "/x", got: 9, expected: 1), .usage),
    (FormatError.system(system), .inputOutput), (IngestError.noTaxa(path: "/x"), .usage),
    (FormatError.unreadable(path: "/x", reason: "y"), .damaged),
  ]

  @Test func everyRoomSaysOfWhichKindAnErrorIs() {
    for (error, kind) in Self.errors {
      #expect(error.kind == kind, "\(error)")
      #expect(!error.description.isEmpty && !error.description.contains("\n"))
      // What an app shows, which asks Foundation.
      let shown = (error as any Error).localizedDescription
      #expect(shown == error.description)
    }
    #expect(Set(Self.errors.map(\.1)) == Set(ErrorKind.allCases))
  }
}
