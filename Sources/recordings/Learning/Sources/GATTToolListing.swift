import Bluetooth
import Definitions
import Framing

/// What `gatttool --primary`, `--characteristics` and `--char-desc` print, and its interactive commands of these names, which
/// write `:` in place of `=`.
enum GATTToolListing {
  static func recognizes(_ line: String) -> Bool {
    line.hasPrefix("attr handle") || (line.hasPrefix("handle") && line.hasPart("uuid"))
  }

  static func read(
    _ lines: [TextListing.Line], _ file: ListingFile, into listing: inout DeviceListing
  ) throws(ListingMistake) {
    var lastRead: AttributeHandle?
    for line in lines {
      if let command = line.command { lastRead = readHandle(command) ?? lastRead }
      let values = Values(line.text)
      if line.text.hasPrefix("attr handle") {
        let words = try values.required(["attr handle", "end grp handle", "uuid"], line, file)
        listing.add(
          service: try uuid(words[2], line, file), at: try handle(words[0], line, file),
          upTo: try handle(words[1], line, file))
      } else if line.text.hasPrefix("handle"), values["char properties"] != nil {
        let words = try values.required(
          ["handle", "char properties", "char value handle", "uuid"], line, file)
        guard let properties = ListedText.bytes(words[1]), properties.count == 1 else {
          throw mistake("'\(words[1])' is not a byte of properties", line, file)
        }
        listing.add(
          characteristic: try uuid(words[3], line, file),
          CharacteristicProperties(rawValue: UInt16(properties[0])), at: try handle(words[0], line, file),
          value: try handle(words[2], line, file))
      } else if line.text.hasPrefix("handle"), values["uuid"] != nil {
        let words = try values.required(["handle", "uuid"], line, file)
        listing.add(attribute: try uuid(words[1], line, file), at: try handle(words[0], line, file))
      } else if let text = values["characteristic value/descriptor"], let handle = lastRead {
        guard let value = ListedText.bytes(text) else {
          throw mistake("'\(text)' is not bytes in hex", line, file)
        }
        listing.add(value: value, at: handle)
      }
    }
  }

  /// The handle of `char-read-hnd 0x0003`.
  private static func readHandle(_ command: String) -> AttributeHandle? {
    let words = command.split(separator: " ")
    guard words.first == "char-read-hnd", words.count > 1 else { return nil }
    return ListedText.handle(words[1])
  }

  private static func handle(
    _ word: String, _ line: TextListing.Line, _ file: ListingFile
  ) throws(ListingMistake) -> AttributeHandle {
    guard let handle = ListedText.handle(word) else { throw mistake("'\(word)' is not a handle", line, file) }
    return handle
  }

  private static func uuid(
    _ word: String, _ line: TextListing.Line, _ file: ListingFile
  ) throws(ListingMistake) -> BluetoothUUID {
    guard let uuid = ListedText.uuid(word) else {
      throw mistake("'\(word)' is not a UUID", line, file)
    }
    return uuid
  }

  private static func mistake(
    _ reason: String, _ line: TextListing.Line, _ file: ListingFile
  ) -> ListingMistake {
    ListingMistake(reason, in: file.name, at: SourcePosition(line: line.number, column: 1))
  }

  /// The names and values of a line such as `handle = 0x0002, uuid = 2a00`.
  private struct Values {
    private var values: [(name: String, value: String)] = []

    init(_ line: String) {
      // Before 'uuid', one of the lines has no comma.
      for part in line.split(separator: ",").flatMap({ Self.splitAtUUID(String($0)) }) {
        guard let separator = part.firstIndex(where: { $0 == "=" || $0 == ":" }) else { continue }
        let name = part[..<separator].trimmed.lowercased()
        values.append((name, part[part.index(after: separator)...].trimmed))
      }
    }

    private static func splitAtUUID(_ part: String) -> [String] {
      let words = part.split(separator: " ")
      guard let index = words.firstIndex(where: { $0.lowercased().hasPrefix("uuid") }), index > 0 else {
        return [part]
      }
      return [words[..<index].joined(separator: " "), words[index...].joined(separator: " ")]
    }

    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    /// The first word of each of these values; a person may have noted something after it.
    func required(
      _ names: [String], _ line: TextListing.Line, _ file: ListingFile
    ) throws(ListingMistake) -> [String] {
      var words: [String] = []
      for name in names {
        guard let word = self[name]?.split(separator: " ").first else {
          throw mistake("'\(name)' is missing in this line", line, file)
        }
        words.append(String(word))
      }
      return words
    }
  }
}
