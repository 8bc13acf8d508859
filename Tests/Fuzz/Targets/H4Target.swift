import HCIPackets

extension FuzzTarget {
  /// Any bytes as those of a controller, cut anywhere: the packets are the same as without cuts, and together they are the bytes
  /// up to the first that is none.
  static let h4 = FuzzTarget(
    name: "h4",
    run: { bytes in
      var input = FuzzInput(bytes)
      let beginsWithReset = input.number(below: 2) == 1
      let cuts = input.bytes(input.number(below: 32)).map { Int($0) }
      let stream = input.bytes(bytes.count)
      let whole = read(stream, cuts: [], beginsWithReset)
      let parts = read(stream, cuts: cuts, beginsWithReset)
      try guarantee(
        whole.packets == parts.packets && whole.failure == parts.failure, "cuts \(cuts) change the packets")
      let read = whole.packets.flatMap(\.self)
      try guarantee(beginsWithReset || stream.starts(with: read), "the packets have other bytes")
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      let beginsWithReset = input.number(below: 2) == 1
      _ = input.bytes(input.number(below: 32))
      let (packets, failure) = read(input.bytes(bytes.count), cuts: [], beginsWithReset)
      return "\(packets)\(failure.map { ", then \($0)" } ?? "")"
    })

  private static func read(
    _ bytes: [UInt8], cuts: [Int], _ beginsWithReset: Bool
  ) -> (packets: [[UInt8]], failure: H4Stream.Failure?) {
    var stream = H4Stream(beginsWithReset: beginsWithReset)
    var (packets, rest, cuts): ([[UInt8]], ArraySlice<UInt8>, ArraySlice<Int>) = ([], bytes[...], cuts[...])
    while !rest.isEmpty {
      let part = rest.prefix(max(1, cuts.popFirst() ?? 8192))
      rest = rest.dropFirst(part.count)
      _ = stream.fill { memory in
        memory.copyBytes(from: part)
        return part.count
      }
      do throws(H4Stream.Failure) {
        while let packet = try stream.next() { packets.append(Array(packet)) }
      } catch {
        return (packets, error)
      }
    }
    return (packets, nil)
  }
}
