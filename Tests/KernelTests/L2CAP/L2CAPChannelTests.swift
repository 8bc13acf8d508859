import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) struct L2CAPChannelTests {
  @EventLoop @Test func `packets keep their borders and their order, both ways`() async throws {
    let (left, right) = pairOfChannels()
    let (toLeft, toRight) = (Arrivals<String>(), Arrivals<String>())
    left.onReceive = { toLeft.add(hexadecimal($0)) }
    right.onReceive = { toRight.add(hexadecimal($0)) }
    left.send([1])
    left.send([2, 3])
    right.send([4])
    #expect(try await toRight.wait(for: 2) == ["01", "02 03"])
    #expect(try await toLeft.wait(for: 1) == ["04"])
  }

  @EventLoop @Test func `packets that the kernel does not take at once wait in order`() async throws {
    let (left, right) = pairOfChannels()
    left.onReceive = { _ in }
    let count = 600  // more than a socket holds
    for number in 0..<count { left.send([UInt8(number & 0xFF), UInt8(number >> 8)]) }
    let received = Arrivals<String>()
    right.onReceive = { received.add("\(Int($0[0]) | Int($0[1]) << 8)") }
    #expect(await left.flush())
    #expect(try await received.wait(for: count) == (0..<count).map { "\($0)" })
  }

  @EventLoop @Test func `a peer that does not read is given up, and the waiting task continues`() async throws
  {
    let (left, right) = pairOfChannels()
    let end = Arrivals<String>()
    left.onEnd = { end.add("\($0)") }
    left.onReceive = { _ in }
    for _ in 0..<5000 { left.send([0]) }
    #expect(try await end.wait(for: 1) == ["the peripheral has stopped reading"])
    #expect(left.end == .peerDoesNotRead)
    #expect(await left.flush() == false)
    left.send([1])
    right.close()
  }

  @EventLoop @Test func `packets that are taken have been sent, whatever ends the channel then`() async throws
  {
    let (left, right) = pairOfChannels()
    for _ in 0..<1000 { left.send([0]) }
    #expect(left.isCongested)
    let received = Arrivals<Int>()
    right.onReceive = { _ in
      received.add(0)
      if received.values.count == 1000 { right.close() }
    }
    let ends = Arrivals<String>()
    left.onReceive = { _ in }
    left.onEnd = { ends.add("\($0)") }
    #expect(await left.flush())
    #expect(try await ends.wait(for: 1) == ["the peripheral has ended the link"])
    #expect(await left.flush() == false)
  }

  @EventLoop @Test func `the end comes after the last packet, and once`() async throws {
    let (left, right) = pairOfChannels()
    let record = Arrivals<String>()
    left.onReceive = { record.add(hexadecimal($0)) }
    left.onEnd = { record.add("\($0)") }
    right.send([1])
    right.send([2])
    right.close()
    #expect(try await record.wait(for: 3) == ["01", "02", "the peripheral has ended the link"])
    left.close()
    #expect(record.values.count == 3)
    #expect(left.end == .endedByPeer)
  }

  /// With packets unread at the other end, the kernel reports ECONNRESET before it returns the received packets.
  @EventLoop @Test func `an end with an error, too, comes after the last packet`() async throws {
    let (left, right) = pairOfChannels()
    let record = Arrivals<String>()
    left.send([9])
    right.send([1])
    right.close()
    left.onEnd = { record.add("\($0)") }
    left.onReceive = { record.add(hexadecimal($0)) }
    #expect(try await record.wait(for: 2) == ["01", "the peripheral has ended the link"])
  }

  @EventLoop @Test func `sending to a peer that has gone ends it`() async throws {
    let (left, right) = pairOfChannels()
    let record = Arrivals<String>()
    right.close()
    left.onEnd = { record.add("\($0)") }
    left.send([1])
    left.onReceive = { _ in }
    #expect(try await record.wait(for: 1) == ["the peripheral has ended the link"])
  }

  @EventLoop @Test func `a packet without bytes is not an end`() async throws {
    let (left, theirs) = pairOfSockets()
    let channel = L2CAPChannel(adopting: left)
    let record = Arrivals<String>()
    channel.onEnd = { record.add("\($0)") }
    channel.onReceive = { record.add(hexadecimal($0)) }
    #expect(send(theirs.rawValue, [] as [UInt8], 0, 0) == 0)
    #expect(send(theirs.rawValue, [7] as [UInt8], 1, 0) == 1)
    #expect(try await record.wait(for: 1) == ["07"])
    #expect(channel.end == nil)
  }

  @EventLoop @Test func `closing it is reported to the other side, not to its owner`() async throws {
    let (left, right) = pairOfChannels()
    let record = Arrivals<String>()
    right.onEnd = { record.add("right: \($0)") }
    right.onReceive = { _ in }
    left.onEnd = { record.add("left: \($0)") }
    left.onReceive = { [weak left] _ in left?.close() }
    right.send([1])
    right.send([2])
    #expect(try await record.wait(for: 1) == ["right: the peripheral has ended the link"])
    #expect(left.end == .closed)
  }

  @EventLoop @Test func `nothing is read before there is a handler`() async throws {
    let (left, right) = pairOfChannels()
    right.send([1])
    right.close()
    let record = Arrivals<String>()
    left.onEnd = { record.add("\($0)") }
    await EventLoop.pause(.zero)
    #expect(record.values == [])
    left.onReceive = { record.add(hexadecimal($0)) }
    #expect(try await record.wait(for: 2) == ["01", "the peripheral has ended the link"])
  }
}
