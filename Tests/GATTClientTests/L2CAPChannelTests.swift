import EventLoop
import Glibc
import Testing

@testable import GATTClient

@Suite(.timeLimit(.minutes(10))) struct L2CAPChannelTests {
  @EventLoop @Test func `packets keep their borders and their order, both ways`() async {
    let (left, right) = pairOfChannels()
    let (toLeft, toRight) = (Record(), Record())
    left.onReceive = { toLeft.add(hexadecimal($0)) }
    right.onReceive = { toRight.add(hexadecimal($0)) }
    left.send([1])
    left.send([2, 3])
    right.send([4])
    #expect(await toRight.lines(2) == ["01", "02 03"])
    #expect(await toLeft.lines(1) == ["04"])
  }

  @EventLoop @Test func `what the kernel does not take at once waits in order`() async {
    let (left, right) = pairOfChannels()
    left.onReceive = { _ in }
    let count = 600  // more than a socket holds
    for number in 0..<count { left.send([UInt8(number & 0xFF), UInt8(number >> 8)]) }
    let received = Record()
    right.onReceive = { received.add("\(Int($0[0]) | Int($0[1]) << 8)") }
    await left.flush()
    #expect(await received.lines(count) == (0..<count).map { "\($0)" })
  }

  @EventLoop @Test func `a peer that does not read is given up, and who waits for it goes on`() async {
    let (left, right) = pairOfChannels()
    let end = Record()
    left.onEnd = { end.add("\($0)") }
    left.onReceive = { _ in }
    for _ in 0..<5000 { left.send([0]) }
    #expect(await end.lines(1) == ["the peripheral takes no more"])
    #expect(left.end == .peerDoesNotRead)
    await left.flush()
    left.send([1])
    right.close()
  }

  @EventLoop @Test func `the end comes after the last packet, and once`() async {
    let (left, right) = pairOfChannels()
    let record = Record()
    left.onReceive = { record.add(hexadecimal($0)) }
    left.onEnd = { record.add("\($0)") }
    right.send([1])
    right.send([2])
    right.close()
    #expect(await record.lines(3) == ["01", "02", "the peripheral has ended the link"])
    left.close()
    #expect(record.lines.count == 3)
    #expect(left.end == .endedByPeer)
  }

  /// With packets unread at the other end, the kernel says ECONNRESET before it hands out what came.
  @EventLoop @Test func `an end with an error, too, comes after the last packet`() async {
    let (left, right) = pairOfChannels()
    let record = Record()
    left.send([9])
    right.send([1])
    right.close()
    left.onEnd = { record.add("\($0)") }
    left.onReceive = { record.add(hexadecimal($0)) }
    #expect(await record.lines(2) == ["01", "the peripheral has ended the link"])
  }

  @EventLoop @Test func `sending to a peer that has gone ends it`() async {
    let (left, right) = pairOfChannels()
    let record = Record()
    right.close()
    left.onEnd = { record.add("\($0)") }
    left.send([1])
    left.onReceive = { _ in }
    #expect(await record.lines(1) == ["the peripheral has ended the link"])
  }

  @EventLoop @Test func `a packet without bytes is not an end`() async {
    let (left, theirs) = pairOfSockets()
    let channel = L2CAPChannel(adopting: left)
    let record = Record()
    channel.onEnd = { record.add("\($0)") }
    channel.onReceive = { record.add(hexadecimal($0)) }
    #expect(send(theirs.rawValue, [] as [UInt8], 0, 0) == 0)
    #expect(send(theirs.rawValue, [7] as [UInt8], 1, 0) == 1)
    #expect(await record.lines(1) == ["07"])
    #expect(channel.end == nil)
  }

  @EventLoop @Test func `closing it tells the other side, and not its owner`() async {
    let (left, right) = pairOfChannels()
    let record = Record()
    right.onEnd = { record.add("right: \($0)") }
    right.onReceive = { _ in }
    left.onEnd = { record.add("left: \($0)") }
    left.onReceive = { [weak left] _ in left?.close() }
    right.send([1])
    right.send([2])
    #expect(await record.lines(1) == ["right: the peripheral has ended the link"])
    #expect(left.end == .closed)
  }

  @EventLoop @Test func `nothing is read before somebody takes it`() async {
    let (left, right) = pairOfChannels()
    right.send([1])
    right.close()
    let record = Record()
    left.onEnd = { record.add("\($0)") }
    await EventLoop.pause(.zero)
    #expect(record.lines == [])
    left.onReceive = { record.add(hexadecimal($0)) }
    #expect(await record.lines(2) == ["01", "the peripheral has ended the link"])
  }
}
