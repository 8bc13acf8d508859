import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Loopback

@testable import Peripheral

extension FuzzTarget {
  /// Any answers and values of a central to a device that is its GATT client: one request at a time, and each request of a rule
  /// ends as the device asks for the next.
  static let client = FuzzTarget(
    name: "client",
    run: { bytes in try ClientHarness(FuzzInput(bytes)).run() },
    describe: { "\($0.count) bytes: requests of rules, and PDUs of a central" })
}

@EventLoop
private final class ClientHarness {
  private static let sought = [
    SoughtCharacteristic(id: "time", service: 0x1805, uuid: 0x2A2B),
    SoughtCharacteristic(id: "local", service: 0x1805, uuid: 0x2A0F),
    SoughtCharacteristic(id: "alert", service: 0x1811, uuid: 0x2A46),
  ]

  private var input: FuzzInput
  private let scheduler = ManualScheduler()
  private let client: DeviceClient
  /// The request that waits for its response; nil: none does.
  private var waiting: AttributeOpcode?
  private var problem: String?

  init(_ input: FuzzInput) {
    self.input = input
    client = DeviceClient(DeviceAddress([0, 0, 0, 0, 0, 2])!, Self.sought, scheduler)
    client.owner = self
  }

  func run() throws {
    while let kind = input.byte() {
      switch kind {
      case UInt8(ascii: "d"): client.perform(.discover)
      case UInt8(ascii: "s"): client.perform(.subscribe(input.number(below: 3)))
      case UInt8(ascii: "r"): client.perform(.read(input.number(below: 3)))
      case UInt8(ascii: "w"):
        client.perform(.write(input.number(below: 3), input.bytes(input.number(below: 64)), message: nil))
      default:
        let packet = input.bytes(input.number(below: 32))
        if packet.first.map(AttributeOpcode.init)?.kind == .response { waiting = nil }
        client.receive(packet)
      }
      if let problem { try guarantee(false, problem) }
    }
    for (index, found) in client.found {
      try guarantee(
        Self.sought.indices.contains(index) && found.handle != 0,
        "\(found) is what the device seeks as \(index)")
    }
  }
}

extension ClientHarness: DeviceClientOwner {
  func mtu(of central: Central) -> Int { 23 }

  func send(_ pdu: AttributePDU, to central: Central) -> Bool {
    if pdu.encode().count > 23 { problem = "\(pdu) is longer than the ATT_MTU" }
    guard pdu.opcode.kind == .request else { return true }
    if let waiting { problem = "\(pdu) goes before the response to \(waiting)" }
    waiting = pdu.opcode
    return true
  }

  func clientReceived(_ event: Event) {
    switch event {
    case .discovered(_, let found):
      if found.contains(where: { !Self.sought.indices.contains($0) }) { problem = "\(found) are found" }
    case .soughtReceived(_, let index, let value, _):
      if !Self.sought.indices.contains(index) || value.count > 600 {
        problem = "\(value) comes from \(index)"
      }
    case .soughtRefused: break
    default: problem = "\(event) is no event of a client"
    }
  }

  func clientWrites(_ value: [UInt8], to place: String, message: Int?, at central: Central) {}

  func clientFailed(at central: Central) {}
}
