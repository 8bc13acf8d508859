/// Packets that there is something to say about.
struct NotedPackets {
  private var count = 0
  /// The place of the first.
  private var offset: Int?

  mutating func add(_ count: Int = 1, at offset: Int) {
    guard count > 0 else { return }
    self.count += count
    self.offset = self.offset ?? offset
  }

  /// `1 packet`
  var packets: String { count == 1 ? "1 packet" : "\(count) packets" }
  /// `3 times`
  var times: String { count == 1 ? "once" : "\(count) times" }

  /// nil: there are none.
  func note(_ text: @autoclosure () -> String) -> CaptureNote? {
    count == 0 ? nil : CaptureNote(.loss, text(), offset: offset)
  }
}

/// Counts what a file lacks while its records are read.
struct LossCounter {
  private var lost = NotedPackets()
  private var unreadable = NotedPackets()

  /// The packet of a record; nil: it is unreadable.
  mutating func count(_ record: Record, offset: Int) -> CapturedPacket? {
    lost.add(record.lost, at: offset)
    let packet = record.packet(offset: offset)
    if packet == nil { unreadable.add(at: offset) }
    return packet
  }

  var notes: [CaptureNote] {
    [
      lost.note("The recorder lost \(lost.packets)."),
      unreadable.note(
        "\(unreadable.packets) cannot be read: too short for the headers, or still whitened."),
    ].compactMap(\.self)
  }
}
