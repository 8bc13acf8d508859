import Framing

/// Android's bug report: a zip archive with the logs of Bluetooth, of which the phone keeps an earlier one, or with a text that has
/// the last packets.
struct BugReport {
  /// The logs, in the order of their times; at least one.
  let parts: [CapturePart]
  let notes: [CaptureNote]

  init(_ bytes: any StoredBytes, _ limit: InflationLimit) throws(CaptureFileError.Reason) {
    let archive: ZipArchive
    do throws(CaptureDamage) { archive = try ZipArchive(bytes, limit) } catch { throw .damaged(error.text) }
    for kind in Kind.allCases {
      let (parts, notes) = try Self.logs(kind, in: archive)
      guard !parts.isEmpty else { continue }
      let names = parts.compactMap(\.name).joined(separator: ", then ")
      self.parts = parts
      self.notes = kind.notes + notes + [CaptureNote(.other, "The bug report has \(names).")]
      return
    }
    throw limit.rest == 0 ? limit.damage.reason : .noRecordingInZip
  }

  /// The logs of this kind that have packets, and notes about those that cannot be read.
  private static func logs(_ kind: Kind, in archive: ZipArchive) throws(CaptureFileError.Reason) -> (
    [CapturePart], [CaptureNote]
  ) {
    var (parts, notes) = ([CapturePart](), [CaptureNote]())
    for entry in archive.entries where Kind(entry.name) == kind {
      do throws(CaptureFileError.Reason) {
        guard let part = try log(entry, in: archive), let first = part.first else { continue }
        // Some phones keep a log in two folders.
        if !parts.contains(where: { $0.first == first }) { parts.append(part) }
      } catch .empty {
      } catch .notARecording where kind == .text {
      } catch {
        notes.append(CaptureNote(.damage, "\(CaptureFileError(path: entry.name, error))"))
      }
    }
    return (parts.sorted { ($0.first?.time ?? Instant()) < ($1.first?.time ?? Instant()) }, notes)
  }

  /// nil: blemu cannot decompress it.
  private static func log(_ entry: ZipArchive.Entry, in archive: ZipArchive) throws(CaptureFileError.Reason)
    -> CapturePart?
  {
    let contents: (any ByteSource)?
    do throws(CaptureDamage) { contents = try archive.contents(of: entry) } catch {
      throw error.reason
    }
    guard let contents else { return nil }
    return try CapturePart(contents, archive.limit, name: entry.name)
  }
}

extension BugReport {
  /// The kinds of logs, the best first.
  private enum Kind: CaseIterable {
    case whole, filtered, short, text

    /// nil: it is no log of Bluetooth.
    init?(_ path: String) {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix("btsnoop_hci") {
        self = name.split(separator: ".").contains("filtered") ? .filtered : .whole
      } else if name.hasPrefix("btsnooz_hci") {
        self = .short
      } else if name.hasSuffix(".txt"), ["bugreport", "dumpstate"].contains(where: name.hasPrefix) {
        self = .text
      } else {
        return nil
      }
    }

    var notes: [CaptureNote] {
      switch self {
      case .whole, .text: []
      case .filtered:
        [CaptureNote(.loss, "The phone filtered its log, so values may be missing. \(CaptureNote.advice)")]
      case .short: [.onlyBeginnings]
      }
    }
  }
}

extension CaptureNote {
  static let onlyBeginnings = CaptureNote(.loss, "The phone kept only the beginnings of packets. \(advice)")
  fileprivate static let advice = "Set \"Bluetooth HCI snoop log\" to \"Enabled\" in the developer options."
}
