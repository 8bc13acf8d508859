import Bluetooth
import DeviceModel
import Devices
import EventLoop
import Exact
import Framing
import Loopback
import Peripheral
import TestSupport
import Testing

/// A device in memory whose conversation goes to a file of btsnoop.
@EventLoop
final class RecordedDevice {
  static let address = DeviceAddress("50:8C:B1:6A:7C:AB")!

  let scheduler = ManualScheduler()
  let transport: LoopbackTransport
  let file: RecordingFile
  private let folder = TemporaryFolder()
  private let peripheral: LivePeripheral

  init(_ definition: PeripheralDefinition) async throws {
    let scheduler = scheduler
    transport = LoopbackTransport(address: Self.address, scheduler: scheduler)
    file = try RecordingFile(folder.path + "a.btsnoop", .btsnoop)
    let recording = AirRecording(in: file, layout: ExactLimits()) { scheduler.now }
    transport.recorder = recording
    peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial), transport: transport, scheduler: scheduler,
      sinks: [recording])
    try await peripheral.start()
  }

  func stop() async { await peripheral.stop() }

  /// The packets that have come since the last call, in hexadecimal: `<` to the host, `>` to the controller.
  func packets() throws -> [String] {
    file.flush()
    let all = Self.packets(of: try #require(Repository.bytes(ofFile: file.path)))
    defer { seen = all.count }
    return Array(all.dropFirst(seen))
  }

  private var seen = 0

  /// Header of 16 bytes; records with a header of 24 bytes, whose lengths fit a byte or two here.
  private static func packets(of file: [UInt8]) -> [String] {
    var rest = file.dropFirst(16)
    var packets: [String] = []
    while !rest.isEmpty {
      let head = Array(rest.prefix(24))
      let length = Int(head[6]) << 8 | Int(head[7])
      let packet = rest.dropFirst(24).prefix(length)
      packets.append((head[11] & 1 == 1 ? "< " : "> ") + hexadecimal(packet))
      rest = rest.dropFirst(24 + length)
    }
    return packets
  }
}
