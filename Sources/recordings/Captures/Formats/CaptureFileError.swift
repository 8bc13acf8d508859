import Framing

/// Why a file cannot be read as a recording.
package struct CaptureFileError: Error, Hashable {
  package enum Reason: Error, Hashable {
    case missing
    case directory
    case noPermission
    /// A device, a named pipe or a socket.
    case notRegularFile
    /// The system's words.
    case unusable(String)
    case empty
    /// None of the formats.
    case notARecording
    /// It has a format, but it is damaged before its first record: a sentence.
    case damaged(String)
    /// It expands to more than blemu reads before its first record: a sentence.
    case tooLong(String)
    /// A zip archive that is no Android bug report, or whose log of Bluetooth was switched off.
    case noRecordingInZip
    /// A data link of btsnoop.
    case foreignDataLink(UInt32)
    /// The link types of pcap and pcapng, in order.
    case foreignLinkTypes([UInt32])
  }

  package var path: String
  package var reason: Reason

  package init(path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }
}

extension CaptureFileError: CustomStringConvertible {
  /// What happened, and what to do: sentences for a person, without control characters, which a path may have.
  package var description: String { VisibleText.escape(sentences) }

  private var sentences: String {
    switch reason {
    case .missing: "There is no file \(path)."
    case .directory: "\(path) is a folder. Name the recording in it."
    case .noPermission: "You may not read \(path). Change its permissions, or copy it."
    case .notRegularFile: "\(path) is not a regular file. Save the recording to a file first."
    case .unusable(let text): "\(path) cannot be opened: \(text)."
    case .empty: "\(path) is empty."
    case .notARecording: "\(path) is not a recording of Bluetooth. \(Self.formats)"
    case .damaged(let text): "\(path) is damaged at its beginning. \(text)"
    case .tooLong(let text): "\(path) has no recording at its beginning. \(text)"
    case .noRecordingInZip: "\(path) has no recording of Bluetooth. \(Self.bugReport)"
    case .foreignDataLink(let number):
      "\(path) is a btsnoop file with data link \(number)\(Self.names[number].map { " (\($0))" } ?? ""). "
        + "blemu reads 1001 (H1), 1002 (H4) and 2001 (Linux monitor)."
    case .foreignLinkTypes(let numbers):
      "\(path) is a recording of \(Self.list(numbers)), not of Bluetooth LE. blemu reads the link types 187, 192, "
        + "201, 251, 254, 256 and 272."
    }
  }

  private static let formats =
    "blemu reads btsnoop, Android bug reports (zip or text), PacketLogger (.pklg), pcap and pcapng, each also with gzip."

  private static let bugReport =
    "blemu looked for btsnoop_hci.log in FS/data/misc/bluetooth/logs and FS/data/log/bt, and for a log in the report's text. "
    + "Switch on \"Bluetooth HCI snoop log\" in the developer options, switch Bluetooth off and on, and make a new bug report."

  private static let names: [UInt32: String] = [1003: "BCSP", 1004: "H5"]

  private static func list(_ numbers: [UInt32]) -> String {
    let names = numbers.map(LinkType.describe)
    return (names.count == 1 ? "link type " : "link types ") + names.joined(separator: ", ")
  }
}
