import Framing

/// One recording: the whole of a file, or one of the logs of a bug report.
final class CapturePart {
  /// In its archive; nil: it is a file.
  let name: String?
  private let stream: ByteStream
  private var reader: any RecordReader
  private var isAtEnd = false
  private var loss = LossCounter()
  private var damage: [CaptureNote] = []
  /// Its first packet, until somebody takes it.
  private(set) lazy var first: CapturedPacket? = read()

  init(_ source: any ByteSource, _ limit: InflationLimit, name: String? = nil) throws(CaptureFileError.Reason)
  {
    self.name = name
    stream = ByteStream(source, limit)
    reader = try Self.reader(of: stream)
  }

  var format: String { reader.format }

  /// What a person must know about it. They are complete after the last packet.
  var notes: [CaptureNote] {
    (loss.notes + reader.notes + damage).map { note in
      name.map { CaptureNote(note.kind, "\($0): \(note.text)", offset: note.offset) } ?? note
    }
  }

  func next() -> CapturedPacket? {
    guard let packet = first else { return nil }
    first = read()
    return packet
  }

  private func read() -> CapturedPacket? {
    while !isAtEnd {
      do throws(CaptureDamage) {
        while let record = try reader.next(stream) {
          if let packet = loss.count(record, offset: stream.recordStart) { return packet }
        }
        isAtEnd = true
      } catch {
        recover(from: error)
      }
    }
    return nil
  }

  /// More damage than this is not repaired.
  private static let mostDamage = 16

  /// Notes damage, and goes on after it if there is another record.
  private func recover(from error: CaptureDamage) {
    let place = stream.recordStart
    let found = damage.count < Self.mostDamage ? try? reader.findRecord(in: stream) : nil
    let rest = found.map { " \($0) bytes are left out." } ?? ""
    damage.append(CaptureNote(.damage, error.text + rest, offset: place))
    isAtEnd = found == nil
  }
}

// MARK: Formats

extension CapturePart {
  /// The last two have no mark of their own at the beginning.
  private static let readers: [any RecordReader.Type] = [
    BTSnoopReader.self, PcapReader.self, PcapngReader.self, PacketLoggerReader.self, BTSnoozReader.self,
  ]

  private static func reader(of stream: ByteStream) throws(CaptureFileError.Reason) -> any RecordReader {
    let start: ArraySlice<UInt8>
    do throws(CaptureDamage) { start = try stream.peek(16) } catch { throw error.reason }
    guard !start.isEmpty else { throw .empty }
    guard let type = readers.first(where: { $0.recognizes(start) }) else { throw .notARecording }
    return try type.init(stream)
  }
}
