import Definitions
import EventLoop
import Exact
import Glibc
import Kernel
import Peripheral

/// The whole path of a value on blemu's own host: from `read` on the socket of its controller to `write`.
@EventLoop
final class ExactPath {
  private let controller: BenchController

  private init(_ exchange: Exchange, rounds: Int) { controller = BenchController(exchange, rounds: rounds) }

  /// Returns after so many values.
  nonisolated static func run(_ exchange: Exchange, _ rounds: Int) {
    let status = EventLoop.run { @EventLoop in
      do { return try await ExactPath(exchange, rounds: rounds).serve() } catch { fatalError("\(error)") }
    }
    guard status == 0 else { fatalError("the central got other bytes than it expects") }
  }

  /// Serves until the controller stops the loop.
  private func serve() async throws -> Int32 {
    let loaded = DefinitionLoader.load(SourceText(name: "exact.yaml", text: Self.device), folder: NoFiles())
    guard let definition = loaded.definition else { fatalError(loaded.report) }
    let imitation = ImitatedController("bench") { [controller] in
      ControllerConnection(adopting: FileDescriptor(owning: controller.start()), of: .adapter(0))
    }
    let peripheral = LivePeripheral(
      definition, settings: [], transport: HostTransport(imitation), wire: nil, sinks: [])
    try await peripheral.start()
    while true { await EventLoop.pause(.seconds(3600)) }
  }

  /// `tools/bench.d/bench.yaml` without a wire side, with fixed handles and with a message that makes it send a hundred values.
  private static let device = """
    blemu: 1
    name: Benchmark
    link: { mtu: 23 }
    services:
      - uuid: FFE0
        handle: 0x0020
        characteristics:
          - uuid: FFE1
            properties: [read, write, write-without-response, notify]
            handle: 0x0022
            text: Twenty bytes of text
    messages:
      echo: "45 {rest: bytes}"
      stream: "53"
      sample: "{number: u32le} 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A 2A"
    rules:
      - on: { receive: echo }
        do: { send: echo }
      - on: { receive: stream }
        do: { repeat: \(Exchange.burst), index: i, do: { send: sample, with: { number: i } } }
    """
}

/// What a central does again and again.
enum Exchange: String, CaseIterable {
  /// Writes a value that comes back.
  case echo
  case read
  /// Writes a value to which no rule answers.
  case write
  /// Gets values from a `repeat` in a rule.
  case `repeat`

  /// The values of one `repeat`.
  static let burst = 100
}

/// A controller and a central at the other end of a socket, on a thread of their own. They wait in the kernel and move ready-made bytes, so
/// they hardly count. The next packet comes once the device has read and answered the last one: each value takes the same way.
private final class BenchController: Sendable {
  private let exchange: Exchange
  private let rounds: Int
  /// The host's end, and this one.
  private let (host, socket): (Int32, Int32)

  init(_ exchange: Exchange, rounds: Int) {
    (self.exchange, self.rounds) = (exchange, rounds)
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { fatalError("socketpair") }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (host, socket) = (ends[0], ends[1])
  }

  /// Starts the thread, and returns the host's end of the socket.
  func start() -> Int32 {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { controller in
        Unmanaged<BenchController>.fromOpaque(controller!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    return host
  }

  private func run() {
    answerCommands()
    write(Self.connected)
    answerCommands()  // the link has ended the advertising
    var isContent = repeats(1, Self.data([0x12, 0x23, 0, 1, 0]), Self.data([0x13]))
    write(Self.completed)
    let value = [0x45] + [UInt8](repeating: 0x2A, count: 19)
    switch exchange {
    case .echo:
      isContent =
        repeats(rounds, Self.data([0x52, 0x22, 0] + value), Self.data([0x1B, 0x22, 0] + value)) && isContent
    case .read:
      let answer = Self.data([0x0B] + "Twenty bytes of text".utf8)
      isContent = repeats(rounds, Self.data([0x0A, 0x22, 0]), answer) && isContent
    case .write:
      let packet = Self.data([0x52, 0x22, 0, 0x2A] + value.dropFirst())
      for _ in 0..<rounds {
        write(packet)
        awaitReading()
      }
    case .repeat:
      let values = (0..<UInt8(Exchange.burst)).flatMap {
        Self.data([0x1B, 0x22, 0, $0, 0, 0, 0] + [UInt8](repeating: 0x2A, count: 16))
      }
      isContent = repeats(rounds / Exchange.burst, Self.data([0x52, 0x22, 0, 0x53]), values) && isContent
    }
    let status: Int32 = isContent ? 0 : 1
    EventLoop.perform { EventLoop.stop(status: status) }
  }

  /// Sends a packet in each round, and compares what comes back. The host's packets are completed with the next one.
  private func repeats(_ rounds: Int, _ packet: [UInt8], _ answer: [UInt8]) -> Bool {
    let completed = [[UInt8]](repeating: Self.completed, count: max(1, answer.count / 32)).flatMap(\.self)
    var buffer = [UInt8](repeating: 0, count: answer.count)
    var packets = packet
    for round in 0..<rounds {
      write(packets)
      guard read(into: &buffer), memcmp(buffer, answer, answer.count) == 0 else { return false }
      if round == 0 { packets = completed + packet }
    }
    return true
  }
}

// MARK: Bytes

extension BenchController {
  /// Number Of Completed Packets: one, of handle 0x0040
  private static let completed: [UInt8] = [0x04, 0x13, 5, 1, 0x40, 0, 1, 0]
  /// LE Connection Complete: handle 0x0040, peripheral, peer 00:00:00:00:00:02, 30 ms, latency 0, timeout 4 s
  private static let connected: [UInt8] =
    [0x04, 0x3E, 19, 0x01, 0, 0x40, 0, 1, 0, 2, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0x90, 0x01, 0]

  /// A PDU of ATT in a packet of data, as each side sends it: the host's flag for a first packet is 0, and that of a controller is 2.
  private static func data(_ pdu: [UInt8]) -> [UInt8] {
    let size = UInt8(pdu.count)
    let flag: UInt8 = pdu[0] & 1 == 0 ? 0x20 : 0
    return [0x02, 0x40, flag, size + 4, 0, size, 0, 4, 0] + pdu
  }

  /// Answers each command with Command Complete, until the host has switched advertising on. Bytes of 0x7B announce LE, and room for 123
  /// long packets.
  private func answerCommands() {
    let parameters = [UInt8](repeating: 0x7B, count: 64)
    var head = [UInt8](repeating: 0, count: 4)
    while read(into: &head) {
      var rest = [UInt8](repeating: 0, count: Int(head[3]))
      if !rest.isEmpty { _ = read(into: &rest) }  // to read nothing would wait
      write([0x04, 0x0E, 68, 1, head[1], head[2], 0] + parameters)
      if head[1...2] == [0x0A, 0x20], rest == [1] { return }
    }
  }

  private func write(_ bytes: [UInt8]) {
    guard Glibc.write(socket, bytes, bytes.count) == bytes.count else { fatalError("write") }
  }

  /// Waits until so many bytes have come.
  private func read(into buffer: inout [UInt8]) -> Bool {
    recv(socket, &buffer, buffer.count, Int32(MSG_WAITALL)) == buffer.count
  }

  /// Returns once the host has read everything (SIOCOUTQ of tcp(7)).
  private func awaitReading() {
    var unread: Int32 = 0
    repeat {
      usleep(500)
      _ = ioctl(socket, UInt(TIOCOUTQ), &unread)
    } while unread > 0
  }
}
