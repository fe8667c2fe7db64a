extension Finding {
  /// What it is and what is done with it, for reports.
  package var rule: String {
    switch self {
    case .wrongColumnCount:
      "A row with more or fewer columns than its file has: missing ones are empty, further ones are ignored."
    case .rowTooLong:
      "A row that is longer than any row may be: left out."
    case .unclosedQuote:
      "A quoted field that never ends: the rest of the row is taken as it is."
    case .invalidEncoding:
      "Bytes that are not in the stated encoding: each is shown as U+FFFD."
    case .windows1252:
      "Bytes that are not UTF-8 in a table whose encoding nobody states: read as Windows-1252."
    case .unreadableMetadata:
      "A description of the dataset that is damaged or too long: what it would say stays unknown."
    case .missingTable:
      "A table that meta.xml names and that is not there: passed over."
    case .emptyName:
      "A row without a name: left out."
    case .markupInName:
      "Markup in a name: removed."
    case .controlCharactersInName:
      "Control characters in a name: removed."
    case .unfitID:
      "An id with control characters, or of more than 65,535 bytes: its row is left out."
    case .lineageTooLong:
      "A lineage of more than 200 names, or of more than 65,535 bytes: its row is left out."
    case .textTooLong:
      "A text of more bytes than a database may hold: its end was cut off."
    case .unknownRank:
      "A rank that no vocabulary has: kept as it is written, without a place among the others."
    case .unknownLanguage:
      "A language that no vocabulary has: \"und\"."
    case .unknownStatus:
      "A standing that no vocabulary has: what the links of the row say counts."
    case .unknownConservationCode:
      "A conservation status that is no category of the IUCN: left out."
    case .nameKeptWhole:
      "A name that is no scientific name, or cannot be read as one: kept whole."
    case .nameCaseRepaired:
      "A scientific name in capitals, or all in small letters: written as names are."
    case .impossibleYear:
      "A year that cannot be that of a description: left out."
    case .unknownNameClass:
      "A class of names that NCBI's dump had not when this was written: kept as a synonym of that class."
    case .authorityWithoutName:
      "An author of a name that the taxon does not have, or a second one of a name: left out."
    case .duplicateID:
      "An id that an earlier row has: the later row is left out; what else it says counts for the earlier one."
    case .bareName:
      "A name that is part of no tree: left out."
    case .synonymWithoutAccepted:
      "A synonym that names no accepted taxon: left out."
    case .missingAccepted:
      "A synonym whose accepted taxon is not there: left out."
    case .synonymOfBareName:
      "A synonym of a name that has no place itself: left out."
    case .chainedSynonym:
      "A synonym of a synonym: it becomes one of the accepted taxon."
    case .synonymCycle:
      "Synonyms of each other, so that none is accepted: left out."
    case .synonymProParte:
      "A synonym of several taxa: each of them gets the name, the id is ambiguous."
    case .missingParent:
      "A parent that is not there: what the columns of the row say takes its place, or the taxon becomes a root."
    case .parentIsSynonym:
      "A parent that is a synonym: its accepted taxon takes its place."
    case .parentIsBareName:
      "A parent that has no place itself: what the columns of the row say takes its place."
    case .parentCycle:
      "Taxa above each other: the highest one loses its parent."
    case .ambiguousName:
      "A link to a name that several taxa have: the first accepted one is taken."
    case .implicitTaxon:
      "A higher taxon that only columns name: a taxon is made."
    case .rankNotBelowParent:
      "A taxon whose rank is not below that of its parent: kept as it is."
    case .otherRoot:
      "A root beside others that no root is implied for: it stays a root."
    case .collapsedWithoutAncestor:
      "In schema 1, a taxon of a rank that is not kept, below no taxon of one that is: its children become roots."
    case .tooDeep:
      "A taxon with more than 200 ancestors: it is put beside its parent."
    case .homonym:
      "A name that several taxa have: all are kept."
    case .missingName:
      "A taxon whose name never came: it is named by its id."
    case .unknownTaxon:
      "A row about a taxon that the source does not have, or that found no place: left out."
    case .conflictingConservation:
      "Two IUCN codes for one taxon: the first is kept."
    case .mergedIntoUnknown:
      "A merged id that leads to no taxon: left out."
    case .aboutCollapsedTaxon:
      "An IUCN code in the row of a synonym, or in schema 1 a trait or code of a taxon of another rank: left out."
    case .retiredIDInUse:
      "A merged or deleted id that a row of the source has, or that is there twice: left out."
    case .unknownReference:
      "A reference that the source does not have: left out."
    case .otherNameOfID:
      "The same id for another name in the source that comes first: not taken for the same taxon."
    case .ambiguousMatch:
      "A name that several taxa of the first source have: nothing is added to any."
    case .acceptedIsSynonym:
      "Accepted here, a synonym in the first source: what is said of it goes to the accepted taxon there."
    case .otherAuthorship:
      "A name that the first source has with other authors: taken for another taxon, and added."
    case .possibleHomonym:
      "A name that the first source has in other groups, where a kingdom is not known of both: taken for another taxon, and added."
    case .otherPlace:
      "A taxon that the first source has elsewhere: it stays where that has it."
    case .conflictingSynonym:
      "A synonym that the sources before have as a taxon, or as a synonym of another one: not added, what they say stays."
    case .regroupsTaxa:
      "A taxon that the first source lacks, of taxa that it has: not added, they stay where they are."
    }
  }
}
