import CDoor
import STOLPack

extension Pack {
  /// What `stol_facts` of stol.h says; its size is not set.
  var facts: stol_facts {
    var facts = stol_facts()
    facts.taxon_count = UInt64(taxonCount)
    facts.name_count = UInt64(nameCount)
    facts.byte_count = UInt64(byteCount)
    facts.format_version = Int32(clamping: Pack.formatVersion)
    facts.schema_version = Int32(clamping: schemaVersion)
    let view = view
    facts.has_text_ids = view.ids.areTexts ? 1 : 0
    facts.has_implied_root = taxonCount > 0 && view.isImplied(TaxonOrdinal(rawValue: 0)) ? 1 : 0
    // SAFETY: the buffer has the 32 bytes of the member, and the digest as many.
    unsafe withUnsafeMutableBytes(of: &facts.source_sha256) { bytes in
      for (index, byte) in source.sha256.prefix(bytes.count).enumerated() {
        unsafe bytes[index] = byte
      }
    }
    return facts
  }
}
