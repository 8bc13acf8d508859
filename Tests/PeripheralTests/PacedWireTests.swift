import Behavior
import DeviceModel
import EventLoop
import Framing
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// Records the bytes of a wire and their times.
@EventLoop
private final class TimedHost: WireHost {
  private let scheduler: ManualScheduler
  private(set) var arrivals: [(time: Int64, bytes: [UInt8])] = []
  private(set) var warnings: [String] = []

  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

  var bytes: [UInt8] { arrivals.flatMap(\.bytes) }
  var times: [Int64] { arrivals.map(\.time) }
  var sizes: [Int] { arrivals.map(\.bytes.count) }

  func receiveFromWire(_ bytes: [UInt8]) { arrivals.append((scheduler.now.microseconds, bytes)) }
  func warn(_ message: String) { warnings.append(message) }
  func report(_ event: WireEvent) {}
}

@Suite struct PacedWireTests {
  private let scheduler: ManualScheduler
  private let inner: LoopbackWire
  private let host: TimedHost

  @EventLoop init() {
    scheduler = ManualScheduler()
    inner = LoopbackWire("test")
    host = TimedHost(scheduler)
  }

  @EventLoop private func wire(
    _ baud: Int?, _ more: String = "wire: { bridge: FFE1 }", on transport: any Transport = LoopbackTransport()
  ) -> PacedWire {
    let device = definition(
      """
      link: { mtu: 23 }
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }
      \(more)
      """)
    let wire = PacedWire(inner, baud: baud, for: device, on: transport, scheduler: scheduler)
    wire.host = host
    wire.isReading = true
    return wire
  }

  /// Sends the bytes of one millisecond at a time, like a program that is faster than the line.
  @EventLoop private func feed(_ stream: [UInt8], for seconds: Int64) {
    for piece in Chunker(stream, size: 256) { inner.put(Array(piece)) }
    for _ in 0..<(seconds * 1000) { scheduler.advance(by: .milliseconds(1)) }
  }

  @EventLoop @Test(arguments: [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200])
  func `input arrives at the speed of a line, and no byte too early`(baud: Int) {
    let wire = wire(baud)
    let stream = numberedBytes(baud + 5000)
    feed(stream, for: 10)
    let count = host.bytes.count
    #expect(count <= baud)
    #expect(count >= baud - 20)
    #expect(host.bytes == Array(stream.prefix(count)))
    #expect(wire.isReading)
    var total: Int64 = 0
    let early = host.arrivals.filter { arrival in
      total += Int64(arrival.bytes.count)
      return arrival.time * Int64(baud) < total * 10_000_000
    }
    #expect(early.isEmpty)
  }

  @EventLoop @Test(arguments: [1200, 9600, 115_200])
  func `output leaves at the speed of a line`(baud: Int) {
    let wire = wire(baud)
    let stream = numberedBytes(baud + 5000)
    wire.write(stream)
    var least = 0
    for second in 1...10 {
      scheduler.advance(by: .seconds(1))
      #expect(inner.written.count <= baud * second / 10)
      least = baud * second / 10 - max(1, baud / 2000)
      #expect(inner.written.count >= least)
    }
    #expect(inner.written == Array(stream.prefix(inner.written.count)))
  }

  @EventLoop @Test func `a late timer does not delay later bytes`() {
    let wire = wire(9600)
    inner.put(numberedBytes(960))
    for _ in 0..<9 { scheduler.advance(by: .microseconds(107_001)) }
    #expect(host.bytes.count >= 920)
    scheduler.advance(by: .milliseconds(40))
    #expect(host.times.last! == 1_000_000)
    #expect(host.bytes == numberedBytes(960))
    #expect(wire.isReading)
  }

  @EventLoop @Test func `a burst arrives in whole values, and its rest at the end`() {
    let wire = wire(9600)
    inner.put(numberedBytes(45))
    scheduler.advance(by: .seconds(1))
    #expect(host.sizes == [20, 20, 5])
    #expect(host.times == [20_834, 41_667, 46_875])
    inner.put(Array("Foobar\r\n".utf8))
    scheduler.advance(by: .seconds(1))
    #expect(host.sizes.last == 8)
    #expect(host.times.last == 1_008_334)
    #expect(wire.isReading)
  }

  @EventLoop @Test func `a burst of framed input has no silences`() {
    let wire = wire(
      9600,
      "wire: { bridge: FFE1 }\nframing: { wire: { idle: 20ms } }\nmessages: { a: \"41\" }\nrules: [{ on: { receive: a, from: wire }, do: bridge }]"
    )
    inner.put(numberedBytes(100))
    scheduler.advance(by: .seconds(1))
    #expect(host.bytes == numberedBytes(100))
    #expect(zip(host.times, host.times.dropFirst()).allSatisfy { $1 - $0 < 10_000 })
    #expect(host.times.last == 104_167)
    #expect(wire.isReading)
  }

  @EventLoop @Test func `a new speed applies to later bytes, in both directions`() {
    let wire = wire(9600)
    inner.put(numberedBytes(48))
    wire.write(numberedBytes(48))
    scheduler.advance(by: .milliseconds(10))
    #expect(wire.label == "test, 9600 baud")
    wire.changeSpeed(to: 1200)
    #expect(wire.label == "test, 1200 baud")
    #expect(inner.speed == 1200)
    scheduler.advance(by: .milliseconds(40))
    #expect(host.bytes == numberedBytes(48))
    #expect(host.times.last == 50_000)
    #expect(inner.written == numberedBytes(48))
    inner.put(numberedBytes(12))
    wire.write(numberedBytes(12))
    scheduler.advance(by: .microseconds(99_999))
    #expect(host.bytes.count == 48)
    #expect(inner.written.count == 48 + 11)
    scheduler.advance(by: .microseconds(1))
    #expect(host.bytes.count == 60)
    #expect(inner.written.count == 60)
  }

  @EventLoop @Test func `bytes of the new speed stay after those of the old one`() {
    let wire = wire(9600)
    wire.write(numberedBytes(96))
    wire.changeSpeed(to: 1200)
    wire.write([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    scheduler.advance(by: .milliseconds(100))
    #expect(inner.written.count == 96)
    scheduler.advance(by: .milliseconds(50))
    #expect(inner.written.count == 96 + 6)
    scheduler.advance(by: .milliseconds(50))
    #expect(inner.written.suffix(12) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  }

  @EventLoop @Test func `a wire without a line has no speed`() {
    let wire = wire(nil)
    wire.changeSpeed(to: 1200)
    #expect(wire.label == "test")
    #expect(inner.speed == 1200)
    inner.put(numberedBytes(1000))
    wire.write(numberedBytes(1000))
    scheduler.advance(by: .zero)
    #expect(host.bytes.count == 1000)
    #expect(inner.written.count == 1000)
  }

  @EventLoop @Test func `the line stops while the device does not read`() {
    let wire = wire(9600)
    inner.put(numberedBytes(960))
    scheduler.advance(by: .milliseconds(500))
    let count = host.bytes.count
    #expect(count == 480)
    wire.isReading = false
    scheduler.advance(by: .seconds(5))
    #expect(host.bytes.count == count)
    wire.isReading = true
    scheduler.advance(by: .milliseconds(100))
    #expect(host.bytes.count <= count + 96)
    scheduler.advance(by: .milliseconds(401))
    #expect(host.bytes == numberedBytes(960))
  }

  @EventLoop @Test func `a writer that is faster than the line waits`() {
    let wire = wire(9600)
    for piece in Chunker(numberedBytes(10_000), size: 256) { inner.put(Array(piece)) }
    #expect(!inner.isReading)
    #expect(inner.hasWaiting)
    scheduler.advance(by: .seconds(11))
    #expect(!inner.hasWaiting)
    #expect(host.bytes == numberedBytes(10_000))
    #expect(wire.isReading)
  }

  @EventLoop @Test func `without a speed bytes pass at once, up to the capacity of a fast link`() {
    let wire = wire(nil)
    inner.put([1])
    inner.put([2, 3])
    #expect(host.sizes == [1, 2])
    scheduler.advance(by: .seconds(60))
    feed(numberedBytes(1_000_000), for: 1)
    #expect(host.bytes.count <= 3 + 4_000 + 40_000)
    #expect(host.bytes.count >= 3 + 4_000 + 39_000)
    for _ in 0..<10_000 { scheduler.advance(by: .milliseconds(1)) }
    #expect(host.bytes.count <= 3 + 4_000 + 440_000)
    #expect(host.bytes.count >= 3 + 4_000 + 439_000)
    wire.write(numberedBytes(100_000))
    #expect(inner.written.count == 100_000)
  }

  @EventLoop @Test func `without a speed a transport with flow control takes bytes as fast as it can`() {
    let transport = CongestingTransport()
    let wire = wire(nil, on: transport)
    let stream = numberedBytes(100_000)
    for piece in Chunker(stream, size: 256) { inner.put(Array(piece)) }
    while scheduler.performNext(until: scheduler.now) {}
    #expect(host.bytes.count >= 79_980)
    feed(numberedBytes(1_000_000), for: 1)
    #expect(host.bytes.count >= 800_000)
    let isUnchanged = host.bytes.starts(with: stream)  // a failure prints the operands
    #expect(isUnchanged)
    wire.isReading = false
    let count = host.bytes.count
    scheduler.advance(by: .seconds(1))
    #expect(host.bytes.count == count)
  }

  @EventLoop @Test
  func `a machine that is behind delivers a little at a time, with other calls in between`() {
    let wire = wire(4_000_000)
    inner.put(numberedBytes(20_000))
    var turns: [Int] = []
    scheduler.stall(for: .milliseconds(50))
    while host.bytes.count < 20_000 {
      turns.append(host.bytes.count)
      // Each call handles the bytes due at one instant.
      guard scheduler.performNext(until: scheduler.now) else { break }
    }
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $1 - $0 <= EventLoop.Slice.bytes + 256 })
    #expect(turns.count >= 5)
    #expect(host.bytes == numberedBytes(20_000))
    #expect(wire.isReading)
  }

  @EventLoop @Test func `discarded bytes never arrive`() {
    let wire = wire(9600)
    inner.put(numberedBytes(1000))
    inner.put(numberedBytes(1000))
    scheduler.advance(by: .milliseconds(500))
    wire.isReading = false
    #expect(wire.discard() == 2000 - 480)
    wire.isReading = true
    inner.put([7])
    scheduler.advance(by: .seconds(5))
    #expect(host.bytes.dropFirst(480) == [7])
  }

  @EventLoop @Test func `the output that waits is bounded, and is written at the end`() async {
    let wire = wire(1200)
    wire.write(numberedBytes(1 << 20))
    wire.write([1])
    wire.write([2])
    #expect(
      host.warnings == ["wire side: 1048576 bytes wait for the line; blemu drops more until there is room"])
    await wire.close()
    #expect(inner.written == numberedBytes(1 << 20))
    #expect(inner.isClosed)
  }
}
