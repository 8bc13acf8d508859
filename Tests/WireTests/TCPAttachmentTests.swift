import EventLoop
import Glibc
import Peripheral
import Testing

@testable import Wire
import Behavior

/// Peers on the loopback interface.
@Suite(.timeLimit(.minutes(10))) struct TCPAttachmentTests {
  let host: RecordingHost
  let attachment: TCPAttachment

  @EventLoop init() throws {
    host = RecordingHost()
    signal(SIGPIPE, SIG_IGN)
    attachment = try TCPAttachment(at: SocketPlace("0")!)
    attachment.host = host
    attachment.isReading = true
    attachment.start()
  }

  @EventLoop func peer() -> TestDescriptor {
    let port = UInt16(attachment.label.split(separator: ":").last!)!
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    // A program that another test starts at the same time would inherit the connection.
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(status == 0, String(cString: strerror(errno)))
    return TestDescriptor(number)
  }

  @EventLoop @Test func `bytes pass in both directions`() async {
    let peer = peer()
    peer.startReading()
    let burst = numberedBytes(300_000)
    peer.write(burst)
    #expect(await host.bytes(burst.count) == burst)
    attachment.write(burst)
    #expect(await peer.received.bytes(burst.count) == burst)
    #expect(host.warnings == [])
    attachment.close()
  }

  @EventLoop @Test func `the next peer gets the bytes that waited`() async {
    var peer: TestDescriptor? = peer()
    peer?.write([1])
    #expect(await host.bytes(1) == [1])
    peer?.close()
    peer = nil
    #expect(await host.events(2).last.map(\.isClosing) == true)
    attachment.write([7, 8, 9])
    let other = self.peer()
    other.startReading()
    other.write([2])
    #expect(await host.bytes(2) == [1, 2])
    #expect(await other.received.bytes(3) == [7, 8, 9])
    other.close()
    attachment.close()
  }

  @EventLoop @Test func `the next peer gets the bytes written after the last one has hung up`() async {
    var first: TestDescriptor? = peer()
    first?.write([1])
    #expect(await host.bytes(1) == [1])
    first?.close()
    first = nil
    // Waits until the kernel knows. The loop does not run in between.
    for _ in 0..<100_000 where !attachment.port.hasHungUp { sched_yield() }
    attachment.write([7, 8, 9])
    #expect(await host.events(2).last.map(\.isClosing) == true)
    let other = peer()
    other.startReading()
    #expect(await other.received.bytes(3) == [7, 8, 9])
    other.close()
    attachment.close()
  }

  @EventLoop @Test func `a second peer is refused`() async {
    let first = peer()
    first.write([1])
    _ = await host.bytes(1)
    let second = peer()
    second.startReading()
    let events = await host.events(2)
    guard case .refused = events.last else {
      Issue.record("\(events)")
      return
    }
    first.write([2])
    #expect(await host.bytes(2) == [1, 2])
    first.close()
    second.close()
    attachment.close()
  }

  @EventLoop @Test func `the last bytes of a peer are read before the next peer is accepted`() async {
    attachment.isReading = false
    var first: TestDescriptor? = peer()
    first?.write([1, 2, 3])
    first?.close()
    first = nil
    let second = peer()
    second.write([4, 5])
    _ = await host.events(1)
    await oneTurn()
    #expect(host.events.count == 1)
    attachment.isReading = true
    #expect(await host.bytes(5) == [1, 2, 3, 4, 5])
    #expect(host.events.map(\.isClosing) == [false, true, false])
    second.close()
    attachment.close()
  }

  @EventLoop @Test func `a hang-up is noticed while the device does not read`() async {
    attachment.isReading = false
    var first: TestDescriptor? = peer()
    _ = await host.events(1)
    first?.close()
    first = nil
    #expect(await host.events(2).last?.isClosing == true)
    attachment.close()
  }

  @EventLoop @Test func `a peer is disconnected when its last bytes are discarded`() async {
    attachment.isReading = false
    var first: TestDescriptor? = peer()
    first?.write([1, 2, 3])
    first?.close()
    first = nil
    _ = await host.events(1)
    await oneTurn()
    #expect(attachment.discard() == 3)
    #expect(await host.events(2).last?.isClosing == true)
    attachment.close()
  }

  @EventLoop @Test func `a port in use is an error`() {
    let place = SocketPlace(String(attachment.label.dropFirst(4)))!
    let error = #expect(throws: WireError.self) { try TCPAttachment(at: place) }
    #expect(error?.message == "cannot listen on 127.0.0.1, port \(place.port): Address already in use")
    attachment.close()
  }
}

extension WireEvent {
  fileprivate var isClosing: Bool { if case .closed = self { true } else { false } }
}
