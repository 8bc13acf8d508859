import Framing

/// Android's bug report: a zip archive with the logs of Bluetooth, of which the phone keeps an earlier one.
struct BugReport {
  /// The logs, in the order of their times; at least one.
  let parts: [CapturePart]
  let notes: [CaptureNote]

  init(_ bytes: any StoredBytes) throws(CaptureFileError.Reason) {
    let (kind, logs) = try Self.bestLogs(in: bytes)
    var (parts, notes) = ([CapturePart](), kind.notes)
    for (name, contents) in logs {
      do throws(CaptureFileError.Reason) {
        let part = try CapturePart(contents, name: name)
        // Some phones keep a log in two folders.
        if let first = part.first, !parts.contains(where: { $0.first == first }) { parts.append(part) }
      } catch .empty {
      } catch {
        notes.append(CaptureNote(.damage, "\(CaptureFileError(path: name, error))"))
      }
    }
    guard !parts.isEmpty else { throw .noRecordingInZip }
    parts.sort { ($0.first?.time ?? Instant()) < ($1.first?.time ?? Instant()) }
    let names = parts.compactMap(\.name).joined(separator: ", then ")
    notes.append(CaptureNote(.other, "The bug report has \(names)."))
    (self.parts, self.notes) = (parts, notes)
  }

  /// Each log of the best kind that is there: its name, and what it contains.
  private static func bestLogs(in bytes: any StoredBytes) throws(CaptureFileError.Reason) -> (
    Kind, [(String, any ByteSource)]
  ) {
    let archive: ZipArchive
    var logs: [(String, any ByteSource)] = []
    do throws(CaptureDamage) { archive = try ZipArchive(bytes) } catch { throw .damaged(error.text) }
    let kinds = archive.entries.map { Kind($0.name) }
    guard let best = Kind.allCases.first(where: kinds.contains) else { throw .noRecordingInZip }
    do throws(CaptureDamage) {
      for entry in archive.entries where Kind(entry.name) == best {
        if let contents = try archive.contents(of: entry) { logs.append((entry.name, contents)) }
      }
    } catch {
      throw .damaged(error.text)
    }
    return (best, logs)
  }
}

extension BugReport {
  /// The kinds of logs, the best first.
  private enum Kind: CaseIterable {
    case whole, filtered, short

    /// nil: it is no log of Bluetooth.
    init?(_ path: String) {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix("btsnoop_hci") {
        self = name.split(separator: ".").contains("filtered") ? .filtered : .whole
      } else if name.hasPrefix("btsnooz_hci") {
        self = .short
      } else {
        return nil
      }
    }

    var notes: [CaptureNote] {
      switch self {
      case .whole: []
      case .filtered:
        [CaptureNote(.loss, "The phone filtered its log, so values may be missing. \(Self.advice)")]
      case .short:
        [CaptureNote(.loss, "The phone kept only the beginnings of packets. \(Self.advice)")]
      }
    }

    private static let advice = "Set \"Bluetooth HCI snoop log\" to \"Enabled\" in the developer options."
  }
}
