import Bluetooth
import HCIPackets
import TestSupport
import Testing

@Suite struct FrameAssemblerTests {
  /// Length, channel, payload
  private static let frame = bytes("07 00 04 00 1B 12 00 41 42 43 44")
  private static let read = L2CAPFrame(channel: 0x0004, payload: bytes("1B 12 00 41 42 43 44"))

  @Test(arguments: 1..<11)
  func `a frame that is cut anywhere is joined`(place: Int) {
    var assembler = FrameAssembler()
    #expect(assembler.take(Self.frame[..<place], isContinuation: false) == nil)
    #expect(assembler.take(Self.frame[place...], isContinuation: true) == Self.read)
    #expect(assembler.take(Self.frame[...], isContinuation: false) == Self.read)
    #expect(assembler.dropCount == 0)
  }

  @Test func `a frame comes in single bytes`() {
    var assembler = FrameAssembler()
    let frames = Self.frame.indices.map { assembler.take(Self.frame[$0...$0], isContinuation: $0 > 0) }
    #expect(frames.compactMap(\.self) == [Self.read])
  }

  @Test func `a frame without a payload is one`() {
    var assembler = FrameAssembler()
    #expect(
      assembler.take(bytes("00 00 04 00")[...], isContinuation: false) == L2CAPFrame(channel: 4, payload: []))
  }

  @Test func `what does not fit is dropped, and the next frame is whole`() {
    var assembler = FrameAssembler()
    // a continuation without a beginning
    #expect(assembler.take(bytes("01 02")[...], isContinuation: true) == nil)
    // a frame that is interrupted
    #expect(assembler.take(Self.frame[..<6], isContinuation: false) == nil)
    #expect(assembler.take(Self.frame[...], isContinuation: false) == Self.read)
    // more bytes than the frame has, at once and later
    #expect(assembler.take((Self.frame + [0])[...], isContinuation: false) == nil)
    #expect(assembler.take(Self.frame[..<6], isContinuation: false) == nil)
    #expect(assembler.take((Self.frame[6...] + [0]), isContinuation: true) == nil)
    #expect(assembler.dropCount == 4)
    #expect(assembler.take(Self.frame[...], isContinuation: false) == Self.read)
  }

  /// Each packet: the handle, `>` for the first of a frame or `+` for a continuation, and bytes. The frames: handle, channel, bytes.
  @Test(
    arguments: [
      (["1> 03 00 04 00 0A 03 00"], ["1 4: 0A 03 00"]),
      (["1> 00 00 05 00"], ["1 5: "]),
      (["1> 03 00 04 00 0A", "1+ 03", "1+ 00"], ["1 4: 0A 03 00"]),
      // even the head may come in pieces
      (["1> 03", "1+ 00 04", "1+ 00 0A 03 00"], ["1 4: 0A 03 00"]),
      (["1> ", "1+ 03 00 04 00 0A 03 00"], ["1 4: 0A 03 00"]),
      (["1> 02 00 04 00 AA", "2> 01 00 06 00 CC", "1+ BB"], ["2 6: CC", "1 4: AA BB"]),
      // dropped
      (["1+ AA BB"], ["dropped"]),
      (["1> 02 00 04 00 AA", "1> 01 00 04 00 CC", "1+ BB"], ["1 4: CC", "dropped", "dropped"]),
      (["1> 01 00 04 00 AA BB", "1+ CC"], ["dropped", "dropped"]),
    ])
  func `packets become frames`(packets: [String], frames: [String]) {
    var assemblers: [LinkHandle: FrameAssembler] = [:]
    let found = packets.compactMap { text -> String? in
      let handle = LinkHandle(text.prefix(1))!
      let boundary: ACLPacket.Boundary = text.dropFirst().first == "+" ? .continuation : .first
      let packet = ACLPacket(handle, boundary, hex(String(text.dropFirst(3))))
      return assemblers[handle, default: FrameAssembler()].take(packet).map {
        "\(handle) \($0.channel): \(hexadecimal($0.payload))"
      }
    }
    let dropCount = assemblers.values.reduce(0) { $0 + $1.dropCount }
    #expect(found + [String](repeating: "dropped", count: dropCount) == frames)
  }
}

extension FrameAssembler {
  fileprivate mutating func take(_ bytes: ArraySlice<UInt8>, isContinuation: Bool) -> L2CAPFrame? {
    take(bytes.span, isContinuation: isContinuation)
  }
}
