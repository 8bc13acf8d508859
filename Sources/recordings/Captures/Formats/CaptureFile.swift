import Framing

/// A recording in a file: its packets one after the other, however large it is.
package final class CaptureFile {
  /// What surrounds the recording.
  private enum Container {
    case none, gzip, bugReport
  }

  private let container: Container
  private let parts: [CapturePart]
  /// The part to read from.
  private var current = 0
  private let openingNotes: [CaptureNote]

  /// Opens a recording in any of the formats.
  package static func open(_ path: String) throws(CaptureFileError) -> CaptureFile {
    do throws(CaptureFileError.Reason) {
      return try CaptureFile(FileOnDisk(path: path))
    } catch {
      throw CaptureFileError(path: path, error)
    }
  }

  /// A recording in memory.
  package convenience init(_ bytes: [UInt8]) throws(CaptureFileError.Reason) {
    try self.init(BytesInMemory(bytes))
  }

  init(_ bytes: any StoredBytes, _ limit: InflationLimit = InflationLimit())
    throws(CaptureFileError.Reason)
  {
    let start: [UInt8]
    do throws(CaptureDamage) { start = try bytes.bytes(in: 0..<4) } catch { throw .damaged(error.text) }
    let whole = StoredPart(bytes, 0..<bytes.count)
    if ZipArchive.recognizes(start) {
      let report = try BugReport(bytes, limit)
      (container, parts, openingNotes) = (.bugReport, report.parts, report.notes)
    } else if start.starts(with: InflatedBytes.gzipSignature) {
      (container, parts, openingNotes) = (
        .gzip, [try CapturePart(InflatedBytes(whole, .gzip, limit), limit)], []
      )
    } else {
      (container, parts, openingNotes) = (.none, [try CapturePart(whole, limit)], [])
    }
  }

  /// Its format, as in `btsnoop (HCI, H4), gzip`. It is complete after the last packet: pcapng may have link types later.
  package var format: String {
    let format = parts.first?.format ?? ""
    return switch container {
    case .none: format
    case .gzip: "\(format), gzip"
    case .bugReport: "Android bug report, \(format)"
    }
  }

  /// What a person must know about the file. They are complete after the last packet.
  package var notes: [CaptureNote] { openingNotes + parts.flatMap(\.notes) }

  /// The next packet; nil: there is none, or the file is damaged from here on.
  package func next() -> CapturedPacket? {
    while current < parts.count {
      if let packet = parts[current].next() { return packet }
      current += 1
    }
    return nil
  }
}
