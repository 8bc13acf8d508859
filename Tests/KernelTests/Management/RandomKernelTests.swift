import EventLoop
import Framing
import TestSupport
import Testing

@testable import Kernel

/// A kernel that sends whatever comes to its mind.
@Suite(.timeLimit(.minutes(10))) struct RandomKernelTests {
  @EventLoop @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no message brings the socket down`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (socket, kernel) = socket("> 05 00 CD AB 00 00\n< 01 00 CD AB 03 00  05 00 00")
    for _ in 0..<100 { kernel.send(random.message()) }
    #expect(try await socket.perform(.setPowered, on: 0xABCD) == [])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no return parameters bring a command down`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let parameters = random.bytes(Int.random(in: 0...40, using: &random))
      var fields = ByteReader(parameters)
      _ = AdvertisingFeatures(reading: &fields)
      fields = ByteReader(random.bytes(Int.random(in: 0...300, using: &random)))
      _ = ControllerInformation(reading: &fields)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a message is read as it was written`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let message = ManagementMessage(
      code: .random(in: 0...UInt16.max, using: &random),
      controller: .random(in: 0...UInt16.max, using: &random),
      parameters: random.bytes(Int.random(in: 0...600, using: &random)))
    #expect(ManagementMessage(message.bytes) == message)
    #expect(ManagementMessage(message.bytes.dropLast()) == nil)
  }
}

extension SplitMix64 {
  /// Often the form of an event, rarely with the right length.
  fileprivate mutating func message() -> [UInt8] {
    let body = bytes(Int.random(in: 0...60, using: &self))
    guard Int.random(in: 0...9, using: &self) > 0 else { return body }
    let isRight = Int.random(in: 0...4, using: &self) > 0
    let count = isRight ? body.count : Int.random(in: 0...300, using: &self)
    return [UInt8.random(in: 0...0x30, using: &self), 0, 0, 0, UInt8(truncatingIfNeeded: count), 0] + body
  }
}
