import HCIPackets
import TestSupport
import Testing

@testable import Host

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
}
