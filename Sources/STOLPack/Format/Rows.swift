/// A row of the rank table.
public typealias RankRow = TableRow<TaxonRank>
/// A row of the status table.
public typealias StatusRow = TableRow<TaxonStatus>
/// A row of the conservation table.
public typealias ConservationRow = TableRow<ConservationCode>
/// A row of the language table.
public typealias LanguageRow = TableRow<Language>
/// A row of the table of authorships.
public typealias AuthorRow = TableRow<Authorship>
/// A row of the table of nomenclatural codes.
public typealias CodeRow = TableRow<NomenclaturalCode>
/// The number of a pair of key, value and unit: PACK.md section 9.
public typealias TraitPair = TableRow<Trait>

/// Marks the table of conservation codes.
public enum ConservationCode {}
/// Marks the table of nomenclatural codes.
public enum NomenclaturalCode {}
/// Marks the table of languages.
public enum Language {}
/// Marks the table of authorships.
public enum Authorship {}
/// Marks tables whose rows nothing refers to but the pack itself.
public enum AnyText {}
