import AttributeServer
import Behavior
import Bluetooth
import ControlServer
import Definitions
import DeviceModel
import EventLoop
import Exact
import Faults
import Glibc
import Kernel
import Peripheral

/// The whole path of a value through a device, without a radio: from `recv` on the channel of a central to `send`.
///
/// The central is at the other end of a socket, on the same loop.
@EventLoop
final class Path {
  private let server = GATTServer()

  /// Returns after so many values there and back.
  ///
  /// - Parameter isControlled: whether the device is as `blemu run` has it: with a journal, and a stage for faults.
  nonisolated static func run(_ rounds: Int, isControlled: Bool = false) {
    let status = EventLoop.run { @EventLoop in
      do { return try await Path().exchange(rounds, isControlled) } catch { fatalError("\(error)") }
    }
    guard status == 0 else { fatalError("the central got other bytes than it wrote") }
  }

  private func exchange(_ rounds: Int, _ isControlled: Bool) async throws -> Int32 {
    let loaded = DefinitionLoader.load(SourceText(name: "echo.yaml", text: Self.echo), folder: NoFiles())
    guard let definition = loaded.definition else { fatalError(loaded.report) }
    var transport: any Transport = BenchTransport(server)
    if isControlled { transport = FaultyTransport(transport, FaultStage(of: definition, seed: 1)) }
    let peripheral = LivePeripheral(
      definition, settings: [], transport: transport, wire: nil, sinks: isControlled ? [Journal()] : [])
    try await peripheral.start()
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else { fatalError("socketpair") }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let channel = L2CAPChannel(adopting: FileDescriptor(owning: ends[0]))
    server.connected(LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 2])!), on: channel)
    let central = EchoCentral(FileDescriptor(owning: ends[1]), rounds: rounds)
    central.start()
    return await withCheckedContinuation { continuation in
      channel.onEnd = { _ in continuation.resume(returning: central.isContent ? 0 : 1) }
    }
  }

  /// `tools/bench.d/bench.yaml` without a wire side.
  private static let echo = """
    blemu: 1
    name: Benchmark
    link: { mtu: 23 }
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [read, write, write-without-response, notify] }
    messages:
      echo: "45 {rest: bytes}"
    rules:
      - on: { receive: echo }
        do: { send: echo }
    """
}

/// Subscribes, and writes 20 bytes again once the last ones have come back. On the same loop: each value takes the same turns
/// at each run.
@EventLoop
private final class EchoCentral {
  private static let value: [UInt8] = [0x45] + Array(repeating: 0x2A, count: 19)

  private let channel: L2CAPChannel
  private var rounds: Int
  /// Where the search for FFE1's CCCD, just after its value, has come. The last CCCD is that.
  private var handle: UInt8 = 40
  private(set) var isContent = true

  init(_ socket: FileDescriptor, rounds: Int) {
    channel = L2CAPChannel(adopting: socket)
    self.rounds = rounds
  }

  func start() {
    channel.onReceive = { [unowned self] in receive($0) }
    search()
  }

  private func search() {
    handle -= 1
    channel.send([0x04, handle, 0, handle, 0])
  }

  private func receive(_ packet: [UInt8]) {
    switch packet[0] {
    case 0x05 where packet[4...].elementsEqual([0x02, 0x29]): channel.send([0x12, handle, 0, 1, 0])
    case 0x01, 0x05: search()
    case 0x13: write()
    default:
      if packet[3...] != Self.value[...] { isContent = false }
      write()
    }
  }

  private func write() {
    rounds -= 1
    if rounds < 0 { channel.close() } else { channel.send([0x52, handle - 1, 0] + Self.value) }
  }
}

/// A transport for the links of a server.
@EventLoop
private final class BenchTransport: ServerTransport {
  let server: GATTServer

  init(_ server: GATTServer) { self.server = server }

  func open() async throws -> LocalAdapter {
    LocalAdapter(name: "bench", address: DeviceAddress([0, 0, 0, 0, 0, 1])!, stack: "no radio")
  }

  func goOnAir(_ device: DeviceOnAir) async throws { server.start(device) }
  func watchCentrals() {}
  func leaveAir() async { server.stop() }
  func advertise(_ advertisement: Advertisement?) {}
  func disconnect(_ central: Central?, _ reason: HCIError) {}
}

extension L2CAPChannel: PacketChannel {
  package var security: LinkSecurity { .none }
}
