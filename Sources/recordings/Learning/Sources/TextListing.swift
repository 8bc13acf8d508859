import Definitions
import Framing

/// What terminals show of gatttool and bluetoothctl, in lines.
enum TextListing {
  /// The format of a text; nil: no line of it is of such a listing.
  static func format(of file: ListingFile) -> ListingFormat? {
    for line in lines(of: file) {
      if GATTToolListing.recognizes(line.text) { return .gatttool }
      if BluetoothctlListing.recognizes(line.text) { return .bluetoothctl }
    }
    return nil
  }

  static func read(
    _ file: ListingFile, _ format: ListingFormat, after earlier: DeviceListing?
  ) throws(ListingMistake) -> DeviceListing {
    var listing = earlier.flatMap { $0.format == format ? $0 : nil } ?? DeviceListing(format)
    if format == .gatttool {
      try GATTToolListing.read(lines(of: file), file, into: &listing)
    } else {
      try BluetoothctlListing.read(lines(of: file), file, into: &listing)
    }
    return listing
  }

  struct Line {
    /// Without colours, without a prompt, and without space at its ends.
    var text: String
    /// What the person typed after a prompt; nil: the line has no prompt.
    var command: String?
    /// Counted from 1.
    var number: Int
  }

  static func lines(of file: ListingFile) -> [Line] {
    let lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.enumerated().map { line(plain($1), number: $0 + 1) }
  }

  /// A prompt is `[AA:BB:CC:DD:EE:FF][LE]> ` or `[name]# `.
  private static func line(_ text: String, number: Int) -> Line {
    let trimmed = text.trimmed
    if trimmed.hasPrefix("["), !trimmed.hasPrefix("[NEW]"), !trimmed.hasPrefix("[CHG]") {
      for end in ["]>", "]#"] {
        if let rest = trimmed.rest(after: end)?.trimmed {
          return Line(text: rest, command: rest, number: number)
        }
      }
    }
    return Line(text: trimmed, command: nil, number: number)
  }

  /// Without the escape sequences of a terminal (ECMA-48, 5.4), and the bytes with which readline hides them.
  private static func plain(_ bytes: some Collection<UInt8>) -> String {
    var result: [UInt8] = []
    var isInEscape = false
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x1B {
        isInEscape = true
      } else if isInEscape {
        isInEscape = !((0x40...0x7E).contains(byte) && !(previous == 0x1B && byte == UInt8(ascii: "[")))
      } else if byte >= 0x20 || byte == 0x09 {
        result.append(byte)
      }
      previous = byte
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension StringProtocol {
  /// Without space at its ends.
  var trimmed: String {
    String(String(drop { $0.isWhitespace }).reversed().drop { $0.isWhitespace }.reversed())
  }
}
