import Bluetooth
import Definitions
import Framing

/// Reads listings of any format. The content tells which it is.
package enum ListingReader {
  /// Reads files of one device, such as the output of several commands.
  package static func read(_ files: [ListingFile]) throws(ListingMistake) -> [DeviceListing] {
    var listings: [DeviceListing] = []
    for file in files {
      var listing = try read(file, after: listings.last { $0.format.isInPieces })
      if listing.format.isInPieces {
        listings.removeAll { $0.format == listing.format }
      } else if listing.hasAttributes, let other = listings.first(where: \.hasAttributes) {
        throw ListingMistake(
          "the attributes are already known from \(other.format.name)", hint: "import one of the files",
          in: file.name)
      }
      if listing.name?.isEmpty == true { listing.name = nil }
      listings.append(listing)
    }
    if let last = files.last {
      for listing in listings where listing.hasStrayAttributes {
        throw ListingMistake(
          "there are characteristics, but no service that contains them",
          hint: "add the output of 'primary'", in: last.name)
      }
    }
    return listings
  }

  /// - Parameter earlier: pieces of a listing that this file may continue.
  static func read(_ file: ListingFile, after earlier: DeviceListing?) throws(ListingMistake) -> DeviceListing
  {
    switch file.bytes.first(where: { $0 > 0x20 }) {
    case nil: throw ListingMistake("the file is empty", in: file.name)
    case UInt8(ascii: "<"): return try ServerConfiguration.read(file)
    default:
      if let recording = recording(file.bytes) {
        throw ListingMistake(
          "this is a recording (\(recording))", hint: "'blemu learn' makes a device of it", in: file.name)
      }
      guard let format = TextListing.format(of: file) else {
        throw ListingMistake(
          "blemu does not know this format", hint: "'blemu help import' lists the formats", in: file.name)
      }
      return try TextListing.read(file, format, after: earlier)
    }
  }

  /// The format of a recording, by its first bytes.
  private static func recording(_ bytes: [UInt8]) -> String? {
    let signatures: [(String, [UInt8])] = [
      ("btsnoop", Array("btsnoop\0".utf8)), ("pcapng", [0x0A, 0x0D, 0x0D, 0x0A]),
      ("pcap", [0xD4, 0xC3, 0xB2, 0xA1]), ("pcap", [0xA1, 0xB2, 0xC3, 0xD4]),
      ("pcap", [0x4D, 0x3C, 0xB2, 0xA1]), ("a bug report", [0x50, 0x4B, 0x03, 0x04]), ("gzip", [0x1F, 0x8B]),
    ]
    return signatures.first { bytes.starts(with: $0.1) }?.0
  }
}

extension DeviceListing {
  /// Whether it lists characteristics with handles that are in no service.
  fileprivate var hasStrayAttributes: Bool { hasHandles && table.services.isEmpty }
}

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
