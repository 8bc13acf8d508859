import Framing

/// A recording in a file: its packets one after the other, however large it is.
package final class CaptureFile {
  private let stream: ByteStream
  private var reader: any RecordReader
  private var isAtEnd = false
  /// What surrounds the format, as in `, gzip`.
  private let wrapping: String
  private var loss = LossCounter()
  private var leadingNotes: [CaptureNote]
  private var damage: CaptureNote?

  init(_ source: CaptureSource) throws(CaptureFileError.Reason) {
    stream = source.stream
    reader = try Self.reader(of: source.stream)
    (wrapping, leadingNotes) = (source.wrapping, source.notes)
  }

  /// Its format, as in `btsnoop (HCI, H4), gzip`.
  package var format: String { reader.format + wrapping }

  /// What a person must know about the file. It is complete after the last packet.
  package var notes: [CaptureNote] {
    leadingNotes + loss.notes + foreignNotes + (damage.map { [$0] } ?? [])
  }

  /// The next packet; nil: there is none, or the file is damaged from here on.
  package func next() -> CapturedPacket? {
    guard !isAtEnd else { return nil }
    do throws(CaptureDamage) {
      while let record = try reader.next(stream) {
        if let packet = loss.count(record, offset: stream.recordStart) { return packet }
      }
    } catch {
      damage = CaptureNote(.damage, error.text, offset: stream.recordStart)
    }
    isAtEnd = true
    return nil
  }

  private var foreignNotes: [CaptureNote] {
    let types = reader.foreignLinkTypes.sorted().map(LinkType.describe)
    guard !types.isEmpty else { return [] }
    return [CaptureNote(.other, "Packets of link type \(types.joined(separator: ", ")) are left out.")]
  }
}

// MARK: Opening

extension CaptureFile {
  /// Opens a recording in any of the formats.
  package static func open(_ path: String) throws(CaptureFileError) -> CaptureFile {
    do throws(CaptureFileError.Reason) {
      return try CaptureFile(CaptureSource(FileOnDisk(path: path)))
    } catch {
      throw CaptureFileError(path: path, error)
    }
  }

  /// A recording in memory.
  package convenience init(_ bytes: [UInt8]) throws(CaptureFileError.Reason) {
    try self.init(CaptureSource(BytesInMemory(bytes)))
  }

  /// PacketLogger is last: its files have no mark of their own.
  private static let readers: [any RecordReader.Type] = [BTSnoopReader.self]

  private static func reader(of stream: ByteStream) throws(CaptureFileError.Reason) -> any RecordReader {
    let start: ArraySlice<UInt8>
    do throws(CaptureDamage) { start = try stream.peek(16) } catch { throw .damaged(error.text) }
    guard !start.isEmpty else { throw .empty }
    guard let type = readers.first(where: { $0.recognizes(start) }) else { throw .notARecording }
    return try type.init(stream)
  }
}
