@testable import Captures

extension FuzzTarget {
  /// Any bytes as a file of a recording: a file that is cut off has the same packets up to there.
  static let recording = FuzzTarget(
    name: "recording",
    run: { bytes in
      guard let file = try? CaptureFile(bytes) else { return }
      let packets = packets(of: file)
      let damage = file.notes.filter { $0.kind == .damage }
      try guarantee(damage.allSatisfy { $0.offset ?? 0 >= 0 }, "\(damage)")
      // The directory of a bug report is at its end, and the times of btsnooz count back from there.
      guard !file.format.hasPrefix("Android"), file.format != "btsnooz",
        let cut = try? CaptureFile(Array(bytes.prefix(bytes.count / 2)))
      else { return }
      let first = Self.packets(of: cut)
      try guarantee(packets.starts(with: first), "\(first) in the first half, and in the whole \(packets)")
      _ = Capture(try CaptureFile(bytes))
    },
    describe: { bytes in
      do {
        let file = try CaptureFile(bytes)
        let packets = packets(of: file)
        return ([file.format] + packets.map { "\($0)" } + file.notes.map { "\($0)" }).joined(separator: "\n")
      } catch {
        return "\(error)"
      }
    })

  private static func packets(of file: CaptureFile) -> [CapturedPacket] {
    var packets: [CapturedPacket] = []
    while let packet = file.next() { packets.append(packet) }
    return packets
  }
}
