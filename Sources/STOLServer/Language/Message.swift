/// A sentence or a word of the explorer; what it says in each language is in `CExplorerAssets/words`.
enum Message: Int, CaseIterable, Sendable {
  // What all pages have, and counts.
  case siteName, skip, breadcrumb, mainNavigation, find, findName, sectionTree, sectionSearch
  case sectionCompare, sectionMatch, sectionFavorites, sectionJournal, sectionSettings
  case footerLocal, privacy, sources, forPrograms, languageTitle, rowOfPair, rowOfMore, percent
  case add, favorite, ofTaxon, lineage, wholeTree, pages, previous, next, pageOf, save, saveAs
  case aboutTaxon, about, forExample, sortedBy, byName, bySize, byProminence, species
  case speciesCount, genera, branches, otherBranches, roots, taxa, favorites, languages, pictures
  case results, more

  // The first page.
  case homeTitle, homeHeading, homeLead, homeSearch, homeDoors, homeMore, menuTree, menuTreeText
  case menuPicture, menuPictureBySpecies, menuPictureByTips, menuCompare, menuCompareTwo
  case menuMatch, menuMatchText, menuFavoritesText, days, months, years, watts, bytes, kilobytes
  case megabytes, gigabytes, calledAlso, calledByMistake, calledMisspelt, calledInPart

  // The page of a taxon.
  case rowOfPairBeforeI, cladeRanked, cladeNamed, kinApart, kinImplied, kinInside, kinBoth
  case kinAll, kinTie, extinct, extinctMeaning, extinctWild, extinctWildMeaning, extinctRegion
  case extinctRegionMeaning, critical, criticalMeaning, endangered, endangeredMeaning, vulnerable
  case vulnerableMeaning, nearThreatened, nearThreatenedMeaning, leastConcern
  case leastConcernMeaning, leastConcernOld, dataDeficient, dataDeficientMeaning, notEvaluated
  case notEvaluatedMeaning, notApplicable, notApplicableMeaning, dependent, dependentMeaning
  case nearThreatenedOld, otherStatusMeaning, inShort, factRanked, factUnranked, factRankedRoot
  case factUnrankedRoot, factBranches, factSpecies, factSpeciesGenera, factOneOf, factPartOf
  case factThreat, factStatus, factClosest, factClosestTie, factLanguages, factWeightAdult
  case factWeight, factAge, factActive, factInactive, factFood, factPlace, noteGenera
  case noteThreatened, legend, mergedFrom, compareWith, lookInside, lookInsideTaxon, asPicture
  case inTheTree, wayAsPicture, pictureOf, credit, creditSource, picturesTitle, allPictures
  case directlyBelow, firstByName, largestOnes, bestKnown, allOfThem, namesTitle, inLanguages
  case languageOrName, synonyms, noLanguage, traitsTitle, relatives, references, copy
  case drawingOfKind, drawingOfMember, drawingSign, drawingNone, drawingTitle, itsGroup

  // Search.
  case searchLabel, quoted, resultsTitle, orMore, showMore, searchHint, calledSo, onlyPart
  case onlyAlike, mergedText, nothingFound, nonePasses, deletedText, noneAlike, withoutFilters
  case tryBeginning, lookInTree, filters, rankTitle, conservationTitle, habitatTitle, anyChoice
  case show, bracketed

  // The tree.
  case treeTitle, jumpToName, foundBelow, taxaFound, leafHeading, nonePassesHere, showEverything
  case branchesFailed, showCountMore

  // Comparison.
  case tooManyToCompare, tooManyText, nothingToCompare, twoNeeded, repeatedTaxa, compareOthers
  case whichTwo, sameTwice, pairExample, firstField, secondField, anotherField, textOfOther
  case noNameLike, whichOne, lineagesMeet, flyFromTo, noAncestor, onlyImpliedRoot, holdsOther
  case holdsOthers, lastAncestor, traits, traitsSame, lastAncestors, ancestorsTitle, ofColumn
  case none, traitsSameOf, sameAndDifferent, traitsLabel, trait, isSame, notKnown, same
  case different, notKnownOfAll, howRelated, meetIn, meetNowhere, through, throughMore
  case commonAncestor, plusMore, andMore

  // Favourites.
  case noTaxonChosen, noTaxonChosenText, clearTitle, clearText, clearButton, keepButton
  case favoritesHint, findSpecies, onTheTree, exportNames, clearAsk, addedLast, scientificName
  case commonName, removeChosen, choose, favoritesTotal, alsoAddedAs, addedAs, addedAsMerged
  case addedByName, addedBySynonym, withdrawn, maybeSeveral, notInDatabase, fateSame, fateMerged
  case fateByName, fateBySynonym, fateAmbiguous, fateDeleted, fateAbsent, fate, noFavoriteAnyMore
  case noFavoritesAnyMore, putBack, favoriteWord, noFavoritesYet, favoritesInTree
  case noFavoritesThere, favoritesDrawn, favoritesOnTree, asListToSort

  // Pictures and their pages.
  case picturesOf, everyPicture, noPictureAny, noPictureOfIt, whatIsKept, picturesCount
  case picturesCountInside, noImage, noImageText

  // The picture of all life.
  case pictureTitle, sizedBySpecies, sizedByTips, shareHint, asTree, lifeLabel, flightWords
  case wayTo, wayDescription, savePicture, sameAsList, outTo, andBelow, cellsWideSpecies
  case cellsNarrowSpecies, cellsWideTips, cellsNarrowTips, notOneTaxon, notOneTaxonText
  case textOfOtherActive

  // What goes wrong.
  case unknownLanguage, unknownTheme, oneOf, unknownAction, somethingWrong, notHere, goneDeleted
  case goneAbsent, severalTaxa, severalTaxaText, otherDatabase, otherDatabaseText
  case nothingToChange, onlyLooking, treeFromRoots, noSuchPage, nothingLies, unreadableAddress
  case unreadableAddressText

  // Further errors.
  case cannotBeMatched, nothingToMatch, pasteNames, tooMuch, tooMuchText, unreadableForm
  case cannotBeDone, isDamaged, notTrusted, isOlder, notReadOrWritten

  // Settings.
  case lookTitle, languageAuto, themeTitle, themeSystem, themeLight, themeDark, apply, unreviewed
  case settingsDatabases, settingsDatabasesText, taxaCount, settingsStorage, settingsStorageText
  case settingsFavoritesText, settingsJournalText, settingsPrivacyText, licencesTitle, licencesText
  case diagnosticsTitle
  case diagnosticsText, programsText, databaseBuiltIn, databaseReference, databasePack

  // The pages below the settings.
  case storageKept, what, sizeTitle, delete, deleteAsk, packsOfImages, images, partBundled
  case partReference, partImages, partKeys, nothingThere, stays, logOn
  case logOff, reportHolds, saveReport, turnLogOff, turnLogOn, emptyLog, databaseAnswers
  case seeFavorites, startedForPack, installedReference, madeOn, itAnswers, itIsKept
  case switchToBuiltIn, switchTo, noneInstalled, importDatabase, importRuns, seeHowFar
  case databaseWaits, seeChanges, importHint, importButton, chooseFile, filePath, takeOlder
  case takeOther, whomYouTrust, keys, noKey, cannotSwitch, startedForOnePack
  case deleteReferenceTitle, deleteReferenceText, cannotImport, noFileNamed, sayWhere, noImport
  case importing, haveArrived, progressStage, cancel, importThis, canBeInstalled, installIt
  case isInstalled, answersNow, notImported, progressLabel, privacyLead
  case privacyStays, privacyOwn, privacyInternet, privacyNobody, privacyKept, privacyFavorites
  case privacyChoices, privacyDatabases, privacyLog, privacyFolder, privacyAbsent
  case privacyNoAccount, privacyNoUpdate, privacyOthers, privacySites, privacyPrograms
  case seeAndDelete, datasetName, datasetRelease, datasetLicence, datasetSource, datasetCitation
  case namesAndTree, builtInSources, saysNoMore, madeFrom, drawingsAndPhotos, ownLicence
  case programTitle, programLicence

  // Packs of images and keys, and why a file is refused.
  case settingsMediaText, settingsKeysText, noPack, releaseMade, ofLicence, signedWith
  case packKeyRevoked, installPack, fileWaits, decide, installing, packInstalled, fileRefused
  case deletePackTitle, deletePackText, noSuchPack, noPackCalled, changedElsewhere, signedUnnamed
  case signedWaiting, signedDatabase, signedPack, keysLead, keyOfProgram, keyRevoked
  case signsKeyrings, maySign, maySignAll, digitsTitle, stopTrusting, unnamedFiles, addKey
  case addKeyHint, lookAtKey, orItsLine, isSecretKey, isNoKey, whoMadeIt, saysItIs, saysNothing
  case waitsForYou, letItGo, trustTitle, trustText, nameOfKey, compareHint, whatItSigned
  case signedNothing, whatItMaySign, trustButton, otherNames, haveCompared, doNotTrust
  case compareFirst, sayWhatItMaySign, stopTitle, stopText, stopButton, neverAgain, neverAgainText
  case neverAgainButton, signsOther, noSuchKey, refusedOtherFile, refusedDatabase, refusedImages
  case refusedNotArrived, refusedDamaged, refusedSignature, refusedRevoked, refusedNewer
  case refusedOlder, refusedOtherDataset, refusedFaulty, refusedUnkept, refusedCancelled
  case refusedTooLong, nothingLost

  // Matching names.
  case matchedNames, matchLead, yourNames, matchOthers, noNameColumn, whichColumn, matchButton
  case namesField, orFile, matchLimits, options, leastScore, columnsToAdd, fromScanner, threeCats
  case aTable, rows, rowsTotal, names, lookAtNames, noneNeedsLook, rowByRow, chooseMeaning
  case onlyRowsToLook, applyDecisions, downloadTable, downloadDecisions, columnRow, columnStatus
  case columnScore, columnWhy, columnAccepted, columnFamily, columnDecision, rowsLabel, noName
  case asInRow, whatMeans, idOrNone, notDecided, asAnswered, noneOfThese, rankIn, matchExact
  case matchSynonym, matchFuzzy, matchPartial, matchAmbiguous, matchNotFound, matchInvalid
  case meansExact, meansSynonym, meansFuzzy, meansPartial, meansAmbiguous, meansNotFound
  case meansInvalid, orPath, chooseFirst, fileNotTaken, sent, noAnswer, fileIsSent, anotherImport
  case serverGone, importingStep

  // What scripts say.
  case suggestionsLabel, noSuggestions, suggestions, isChosen, noFile, copied, notCopied
  case couldNotCopy, noneHasLetters, ofThem, previousPicture, nextPicture, close, picture
  case cannotShow, numberOf, addedToFavorites, removedFromFavorites, saveAsPng, pictureSaved
  case pictureNotDrawn, notDrawn, lifeKeys, map, notLoaded, notFoundHere, pictureNotLoaded
  case whereYouAre, zoom, zoomIn, zoomOut, outToHolder, allLife, lifeLegend, lifeList, loading
  case leafSentence, insideOf

  /// The messages by their keys, which are their names here.
  static let named = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}
