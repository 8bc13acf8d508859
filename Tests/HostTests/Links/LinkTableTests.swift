import Framing
import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct LinkTableTests {
  private static func link(_ handle: LinkHandle) -> HostLink {
    let peer = LinkAddress(DeviceAddress("4C:32:75:0A:11:9E")!)
    return HostLink(
      EstablishedLink(
        handle, isCentral: false, peer: peer,
        parameters: ConnectionParameters(interval: 24, latency: 0, supervisionTimeout: 42)),
      local: peer, set: 0)
  }

  private static func table(_ handles: [LinkHandle], size: Int = 27, count: Int) -> LinkTable {
    var table = LinkTable(packetSize: size, packetCount: count)
    for handle in handles { table.begin(link(handle)) }
    return table
  }

  private static func frame(_ payload: [UInt8]) -> L2CAPFrame {
    L2CAPFrame(channel: 0x0004, payload: payload)
  }

  /// The packets of a batch.
  private static func packets(_ batch: PacketBatch) -> [ACLPacket] {
    var fields = ByteReader(batch.bytes)
    var packets: [ACLPacket] = []
    while fields.byte() == 0x02, let packet = ACLPacket(in: &fields) {
      packets.append(packet)
      _ = fields.skip(packet.bytes.count)
    }
    return packets
  }

  /// Handle 0x0040; boundary 0 for the beginning of a frame, 1 for the rest
  @Test func `a frame is cut into packets for the controller`() {
    var (table, batch) = (Self.table([0x40], size: 6, count: 10), PacketBatch())
    table.send(Self.frame(bytes("1B 12 00 41 42 43 44")), on: 0x40, to: &batch)
    #expect(batch.bytes == bytes("02 40 00 06 00 07 00 04 00 1B 12  02 40 10 05 00 00 41 42 43 44"))
    #expect(table[0x40]?.isCongested == false)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 27])
  func `packets of any size are joined again`(size: Int) {
    var (table, batch) = (Self.table([0x40], size: size, count: 100), PacketBatch())
    let payload = [UInt8](0..<40)
    table.send(Self.frame(payload), on: 0x40, to: &batch)
    var assembler = FrameAssembler()
    let frames = Self.packets(batch).map {
      assembler.take($0.bytes.span, isContinuation: $0.boundary == .continuation)
    }
    #expect(frames.compactMap(\.self) == [Self.frame(payload)])
    #expect(frames.last != .some(nil))
  }

  @Test func `a frame waits for a buffer, in order, and the link is congested until none waits`() {
    var (table, batch) = (Self.table([0x40], count: 3), PacketBatch())
    for number in 0..<4 { table.send(Self.frame([UInt8(number)]), on: 0x40, to: &batch) }
    #expect(Self.packets(batch).map(\.bytes.last) == [0, 1])
    #expect(table[0x40]?.isCongested == true)
    table.completed(1, on: 0x40)
    table.sendParts(to: &batch)
    #expect(Self.packets(batch).map(\.bytes.last) == [0, 1, 2])
    #expect(table.takeDrained() == [])
    table.completed(1, on: 0x40)
    table.sendParts(to: &batch)
    #expect(Self.packets(batch).map(\.bytes.last) == [0, 1, 2, 3])
    #expect(table.takeDrained() == [0x40])
    #expect(table.takeDrained() == [])
  }

  @Test func `a peer that does not listen leaves a buffer to each other link`() {
    var (table, batch) = (Self.table([0x40, 0x41, 0x42], count: 5), PacketBatch())
    for _ in 0..<10 { table.send(Self.frame([0x40]), on: 0x40, to: &batch) }
    #expect(Self.packets(batch).count == 3)
    for handle in [0x41, 0x42] as [LinkHandle] { table.send(Self.frame([0]), on: handle, to: &batch) }
    #expect(Self.packets(batch).map(\.handle) == [0x40, 0x40, 0x40, 0x41, 0x42])
    #expect(table[0x41]?.isCongested == false)
  }

  @Test(arguments: [2, 3, 8])
  func `a peer that does not listen leaves a buffer to a link that is to come`(count: Int) {
    var (table, batch) = (Self.table([0x40], count: count), PacketBatch())
    for _ in 0..<10 { table.send(Self.frame([0x40]), on: 0x40, to: &batch) }
    #expect(Self.packets(batch).count == count - 1)
    table.begin(Self.link(0x41))
    for number in 1...4 {
      table.send(Self.frame([0x41]), on: 0x41, to: &batch)
      #expect(Self.packets(batch).count(where: { $0.handle == 0x41 }) == number)
      table.completed(1, on: 0x41)
    }
  }

  @Test(arguments: [1, 2, 3])
  func `all links together use no more buffers than there are`(count: Int) {
    let handles: [LinkHandle] = [0x40, 0x41, 0x42, 0x43]
    var (table, batch) = (Self.table(handles, count: count), PacketBatch())
    for handle in handles + handles { table.send(Self.frame([0]), on: handle, to: &batch) }
    #expect(Self.packets(batch).count == count)
    table.completed(1, on: 0x40)
    table.sendParts(to: &batch)
    #expect(Self.packets(batch).count == count + 1)
  }

  @Test func `links take turns`() {
    var (table, batch) = (Self.table([0x40, 0x41], count: 1), PacketBatch())
    for handle in [0x40, 0x40, 0x41, 0x41] as [LinkHandle] {
      table.send(Self.frame([0]), on: handle, to: &batch)
    }
    for handle in [0x40, 0x41, 0x40] as [LinkHandle] {
      table.completed(1, on: handle)
      table.sendParts(to: &batch)
    }
    #expect(Self.packets(batch).map(\.handle) == [0x40, 0x41, 0x40, 0x41])
  }

  @Test func `the buffers of a link that has ended are free`() {
    var (table, batch) = (Self.table([0x40, 0x41], count: 3), PacketBatch())
    table.send(Self.frame([0]), on: 0x40, to: &batch)
    table.send(Self.frame([0]), on: 0x41, to: &batch)
    table.send(Self.frame([1]), on: 0x41, to: &batch)
    #expect(table.end(0x40) != nil && table.end(0x40) == nil)
    table.sendParts(to: &batch)
    #expect(Self.packets(batch).map(\.handle) == [0x40, 0x41, 0x41])
  }

  @Test func `a controller cannot free more buffers than a link uses`() {
    var (table, batch) = (Self.table([0x40, 0x41], count: 2), PacketBatch())
    table.send(Self.frame([0]), on: 0x40, to: &batch)
    table.completed(0xFFFF, on: 0x40)
    table.completed(0xFFFF, on: 0x41)
    table.completed(1, on: 0x99)
    for _ in 0..<5 { table.send(Self.frame([1]), on: 0x40, to: &batch) }
    #expect(Self.packets(batch).count == 2)
  }

  @Test func `nothing is sent on a link that is about to end`() {
    var (table, batch) = (Self.table([0x40], count: 2), PacketBatch())
    table.change(0x40) { $0.end = Instant() }
    table.send(Self.frame([0]), on: 0x40, to: &batch)
    table.send(Self.frame([0]), on: 0x99, to: &batch)
    #expect(batch.isEmpty)
  }
}

/// At no time in particular.
extension LinkTable {
  fileprivate mutating func send(_ frame: L2CAPFrame, on handle: LinkHandle, to batch: inout PacketBatch) {
    _ = send(frame, on: handle, at: Instant(), to: &batch)
  }

  fileprivate mutating func sendParts(to batch: inout PacketBatch) { sendParts(at: Instant(), to: &batch) }

  fileprivate mutating func completed(_ count: Int, on handle: LinkHandle) {
    completed(count, on: handle, at: Instant())
  }
}
