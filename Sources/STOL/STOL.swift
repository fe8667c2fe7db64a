/// All that an app needs: the services, what they ask and give, and the engine below them.
///
/// `STOLIngest` makes databases of sources, `STOLServer` serves the explorer; both stand apart.

@_exported public import STOLCompare
@_exported public import STOLData
@_exported public import STOLDiagnostics
@_exported public import STOLFavorites
@_exported public import STOLImport
@_exported public import STOLMatch
@_exported public import STOLMedia
@_exported public import STOLPack
@_exported public import STOLSearch
@_exported public import STOLStore
@_exported public import STOLSystem
@_exported public import STOLTrust
