import STOLFormats

/// Why nobody reads a column, by its name.
enum UnreadColumn {
  /// The reason, for reports.
  ///
  /// - Complexity: O(length of `name`)
  static func reason(_ name: String) -> String { reasons[ColumnMap.key(name)] ?? other }

  /// Of a column that is in no table below.
  static let other = "no reader knows this column"
  /// Of the columns of a file of which nothing is kept.
  static let ofIgnoredFile = "no row of this file is kept"

  private static let reasons: [String: String] = {
    var reasons: [String: String] = [:]
    for (reason, names) in names {
      for name in names.split(whereSeparator: \.isWhitespace) { reasons[String(name)] = reason }
    }
    return reasons
  }()

  /// As `ColumnMap.key(_:)` makes them: small letters without "_", "-" and spaces.
  private static let names: [(reason: String, words: String)] = [
    (
      "dates of records are not kept",
      """
      modified created updated updatedate initialtimestamp lastmodified scrutinizerdate ltsdate
      measurementdetermineddate eventdate accordingtodate publishedondate
      """
    ),
    (
      "who made a record is not kept",
      """
      contributor contributors scrutinizer scrutinizerid ltsspecialist rightsholder owner publisher
      institutioncode institutionid recordedby identifiedby measurementdeterminedby modifiedby
      """
    ),
    (
      "licences and sources are those of the whole dataset",
      """
      license licence rights accessrights usageterms datasetname datasetid datasetkey collectioncode
      constituentkey sourceid sourcedatasetid sourceinfo sourcetaxonkey
      """
    ),
    (
      "addresses of records are not kept",
      "link url speciesurl references referencepageurl document"
    ),
    (
      "remarks are not kept",
      """
      remarks remark taxonremarks nameremarks occurrenceremarks additionaldata taxonomynotes taxnote
      notes note comment comments rlpcomments unacceptreason
      """
    ),
    (
      "a name keeps one id",
      """
      identifier alternativeid alternativeids scientificnameid localid tplid taxonconceptid gsdnameguid
      gsdtaxonguid ipniid nameid vernid taxonkey acceptedtaxonkey tropicosid
      """
    ),
    (
      "relations of names and taxa are not kept",
      """
      originalnameusageid originalnameusage originalnamecombination basionymid basionym basionymkey
      relatednameid relatedtaxonid relatedtaxonscientificname relationshipofresource relatedresourceid
      resourceid
      """
    ),
    (
      "areas are not kept",
      """
      area areaid gazetteer locality location locationid country countrycode stateprovince municipality
      region range occurrencestatus establishmentmeans degreeofestablishment pathway distributionelement
      distributionstatus standardinuse geographicarea decimallatitude decimallongitude
      """
    ),
    ("pages of references are not kept", "publishedinpage publishedinpagelink page referencepage"),
    ("references in this place are not read", "pub ref pagereferenceid accordingtoid"),
    (
      "said by another column",
      """
      uniquename uniqname verbatimscientificname gncanonicalsimple gnscientificnamestring nameandauthority
      canonicalname genericname uninomial specificepithet infraspecificepithet infragenericepithet
      genusorabove nothotype kingdomkey phylumkey classkey orderkey familykey genuskey specieskey
      acceptedtaxonid acceptedscientificname acceptedname basionymauthors basionymyear combinationauthors
      combinationyear unitind1 unitname1 unitind2 unitname2 unitind3 unitname3 unitind4 unitname4
      shortauthor hierarchystring level childrencount verbatimtaxonrank
      """
    ),
    ("its names have no ranks", "higherclassification"),
    ("higher taxa of this rank are not made of columns", "superkingdom"),
    (
      "the order of rows is not kept",
      "ordinal sequence sequenceindex sortname sort phylosort phylosortseq taxonorder"
    ),
    (
      "what sequences need is not kept",
      """
      emblcode divisionid inheriteddivflag geneticcodeid inheritedgcflag mitochondrialgeneticcodeid
      inheritedmgcflag genbankhiddenflag hiddensubtreerootflag plastidgeneticcodeid inheritedpgcflag
      specifiedspecies hydrogenosomegeneticcodeid inheritedhgcflag genome
      """
    ),
    (
      "how good a record is, and how it was made, is not kept",
      "origin issues credibilityrtng completenessrtng currencyrating flagged"
    ),
    (
      "type material of this form is not kept",
      """
      typestatus typespecimen typevoucher typekind typelocality typename typedesignationtype
      typedesignatedby
      """
    ),
    ("the standing of a name under its code is not read here", "nomstatus"),
    (
      "how something was measured is not kept",
      "measurementmethod measurementaccuracy measurementid measurementtypeid measurementvalueid measurementunitid"
    ),
    (
      "what Darwin Core says of records and finds is not kept",
      """
      bibliographiccitation type informationwithheld datageneralizations dynamicproperties basisofrecord
      occurrenceid catalognumber individualcount sex lifestage organismid eventid typifiedname
      """
    ),
  ]
}
