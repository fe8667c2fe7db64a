extension Message {
  /// What scripts say; a test looks for them in the scripts.
  static let ofScripts: [Message] = [
    .aboutTaxon, .add, .addedToFavorites, .allLife, .anotherImport, .asTree, .branchesFailed,
    .calledAlso, .cannotShow, .chooseFirst, .close, .copied, .couldNotCopy, .critical,
    .dataDeficient, .dependent, .endangered, .extinct, .extinctRegion, .extinctWild, .favorite,
    .fileIsSent, .fileNotTaken, .genera, .importingStep, .insideOf, .isChosen, .leafSentence,
    .leastConcern, .lifeKeys, .lifeLegend, .lifeList, .loading, .lookInside, .lookInsideTaxon,
    .map, .nearThreatened, .nextPicture, .noAnswer, .noFile, .noSuggestions, .noneHasLetters,
    .notApplicable, .notCopied, .notDrawn, .notEvaluated, .notFoundHere, .notLoaded, .noteGenera,
    .noteThreatened, .numberOf, .ofThem, .orPath, .outToHolder, .percent, .picture,
    .pictureNotDrawn, .pictureNotLoaded, .pictureSaved, .plusMore, .previousPicture,
    .progressLabel, .progressStage, .removedFromFavorites, .saveAsPng, .sent, .serverGone,
    .showCountMore, .speciesCount, .suggestions, .suggestionsLabel, .vulnerable, .whereYouAre,
    .zoom, .zoomIn, .zoomOut,
  ]
}
