import Definitions

/// Why a file is no listing, or a damaged one.
package struct ListingMistake: Error, Hashable, Sendable {
  /// What is wrong, as in `'2g' is not a handle`.
  package var reason: String
  package var hint: String?
  /// The name of the file.
  package var file: String
  /// nil: the whole file.
  package var place: SourcePosition?

  init(_ reason: String, hint: String? = nil, in file: String, at place: SourcePosition? = nil) {
    (self.reason, self.hint, self.file, self.place) = (reason, hint, file, place)
  }
}

/// A file with a listing.
package struct ListingFile: Hashable, Sendable {
  /// As a person gave it.
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}
