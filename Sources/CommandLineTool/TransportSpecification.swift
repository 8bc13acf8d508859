import BlueZ
import BlueZLimits
import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import Peripheral
import RadioTestBed
import Transcripts

/// The value of `--on`: a transport and its adapter. A new transport is a case here and a target.
enum TransportSpecification: Hashable {
  /// An adapter of BlueZ.
  case bluez(AdapterChoice)
  /// In memory, without a radio.
  case loopback

  /// The limits of the transport.
  var limits: any TransportLimits {
    switch self {
    case .bluez: BlueZLimits()
    case .loopback: NoLimits()
    }
  }

  @EventLoop
  func makeTransport() -> any Transport {
    switch self {
    case .bluez(let adapter): BlueZTransport(adapter)
    case .loopback: LoopbackTransport()
    }
  }

  /// Makes the test bed for transcripts.
  ///
  /// - Parameter central: the adapter of the central; nil if the transport has no radio.
  @EventLoop
  func makeTestBed(central: AdapterChoice?) -> any TestBed {
    switch self {
    case .bluez(let adapter): BlueZTestBed(adapter, central: central ?? .first)
    case .loopback: LoopbackTestBed { Self.limitsInMemory(of: $0) }
    }
  }

  /// The limits of a device in memory: those of BlueZ if it can serve the definition, so that a conversation is the same
  /// in memory and on the air.
  static func limitsInMemory(of definition: PeripheralDefinition) -> any TransportLimits {
    let bluez = BlueZLimits()
    return bluez.check(definition).contains { $0.severity == .error } ? NoLimits() : bluez
  }
}

extension TransportSpecification {
  /// Reads `loopback`, `bluez`, `bluez:hci0` or `bluez:00:1A:7D:DA:71:13`.
  ///
  /// - Parameters:
  ///   - text: the value of `--on`; nil if the option is absent.
  ///   - standard: the transport without `--on`.
  init(_ text: String?, default standard: Self = .bluez(.first)) throws(CommandError) {
    switch text {
    case nil: self = standard
    case "loopback": self = .loopback
    case let text?: self = .bluez(try Self.adapter(text, of: "--on", others: ["loopback"]))
    }
  }

  /// Reads `bluez`, `bluez:hci0` or `bluez:00:1A:7D:DA:71:13`.
  ///
  /// - Parameter others: the other values of the option.
  static func adapter(
    _ text: String, of option: String, others: [String] = []
  ) throws(CommandError) -> AdapterChoice {
    if text == "bluez" { return .first }
    if text.hasPrefix("bluez:"), let choice = AdapterChoice(String(text.dropFirst(6))) { return choice }
    let forms = (others + ["bluez", "bluez:hci0 or bluez:00:1A:7D:DA:71:13"]).joined(separator: ", ")
    throw .badValue(
      option: option, value: text,
      expected: AdapterChoice(text) == nil ? forms : "did you mean 'bluez:\(text)'?")
  }
}
