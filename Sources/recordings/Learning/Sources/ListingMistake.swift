import Definitions
import Framing

/// Why a file is no listing, or a damaged one.
package struct ListingMistake: Error, Hashable, Sendable {
  /// What is wrong, as in `'2g' is not a handle`, without control characters, which the file may have.
  package let reason: String
  package let hint: String?
  /// The name of the file.
  package let file: String
  /// nil: the whole file.
  package let place: SourcePosition?

  init(_ reason: String, hint: String? = nil, in file: String, at place: SourcePosition? = nil) {
    self.reason = VisibleText.escape(reason)
    (self.hint, self.file, self.place) = (hint, file, place)
  }
}

/// A file with a listing.
package struct ListingFile: Hashable, Sendable {
  /// As a person gave it.
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}
