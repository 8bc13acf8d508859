/// Counts what a file lacks while its records are read.
struct LossCounter {
  private struct Count {
    var number = 0
    /// The place of the first.
    var offset: Int?

    mutating func add(_ count: Int, at offset: Int) {
      guard count > 0 else { return }
      number += count
      self.offset = self.offset ?? offset
    }

    func note(_ text: (_ packets: String) -> String) -> CaptureNote? {
      number == 0
        ? nil : CaptureNote(.loss, text(number == 1 ? "1 packet" : "\(number) packets"), offset: offset)
    }
  }

  private var lost = Count()
  private var unreadable = Count()

  /// The packet of a record; nil: it is unreadable.
  mutating func count(_ record: Record, offset: Int) -> CapturedPacket? {
    lost.add(record.lost, at: offset)
    let packet = record.packet(offset: offset)
    if packet == nil { unreadable.add(1, at: offset) }
    return packet
  }

  var notes: [CaptureNote] {
    [
      lost.note { "The recorder lost \($0)." },
      unreadable.note { "\($0) cannot be read: too short for the headers, or still whitened." },
    ].compactMap { $0 }
  }
}
