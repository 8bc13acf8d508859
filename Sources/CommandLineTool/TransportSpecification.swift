import BlueZ
import BlueZLimits
import Bluetooth
import DeviceModel
import EventLoop
import Exact
import Loopback
import Peripheral
import RadioTestBed
import Transcripts

/// The value of `--on`: a transport and its adapter. A new transport is a case here and a target.
enum TransportSpecification: Hashable {
  /// An adapter of BlueZ.
  case bluez(AdapterChoice)
  /// An adapter of the kernel, with blemu's own GATT server.
  case exact(AdapterChoice)
  /// In memory, without a radio.
  case loopback

  /// The limits of the transport.
  var limits: any TransportLimits {
    switch self {
    case .bluez: BlueZLimits()
    case .exact: ExactLimits()
    case .loopback: NoLimits()
    }
  }

  /// The clock of a device there: only one in memory can be advanced.
  @EventLoop
  func makeScheduler() -> any Scheduler {
    switch self {
    case .bluez, .exact: EventLoopScheduler()
    case .loopback: AdvancingScheduler()
    }
  }

  @EventLoop
  func makeTransport(on scheduler: any Scheduler) -> any Transport {
    switch self {
    case .bluez(let adapter): BlueZTransport(adapter)
    case .exact(let adapter): ExactTransport(adapter)
    case .loopback: LoopbackTransport(scheduler: scheduler)
    }
  }

  /// Makes the test bed for transcripts.
  ///
  /// - Parameter central: the adapter of the central; nil if the transport has no radio.
  @EventLoop
  func makeTestBed(central: AdapterChoice?) -> any TestBed {
    switch self {
    case .bluez(let adapter):
      AirTestBed(
        AirTestBed.Radio(
          makeTransport: { BlueZTransport(adapter) },
          controller: { try await BlueZAdapters.controller(of: $0) }),
        central: central ?? .first)
    case .exact(let adapter):
      AirTestBed(
        AirTestBed.Radio(
          makeTransport: { ExactTransport(adapter) },
          controller: { try await ExactTransport.controller(of: $0) }),
        central: central ?? .first)
    case .loopback: LoopbackTestBed { Self.limitsInMemory(of: $0) }
    }
  }

  /// The limits of a device in memory: those of BlueZ if it can serve the definition, so that a conversation is the same
  /// in memory and on the air.
  static func limitsInMemory(of definition: PeripheralDefinition) -> any TransportLimits {
    let bluez = BlueZLimits()
    return bluez.check(definition).contains { $0.severity == .error } ? NoLimits() : ImitatedLimits(of: bluez)
  }
}

extension TransportSpecification {
  /// Whether it needs the capabilities to manage adapters.
  var isExact: Bool { if case .exact = self { true } else { false } }
}

extension TransportSpecification {
  /// Reads `loopback`, or `bluez` or `exact` alone or with an adapter: `bluez:hci0`, `exact:00:1A:7D:DA:71:13`.
  ///
  /// - Parameters:
  ///   - text: the value of `--on`; nil if the option is absent.
  ///   - standard: the transport without `--on`.
  init(_ text: String?, default standard: Self = .bluez(.first)) throws(CommandError) {
    switch text {
    case nil: self = standard
    case "loopback": self = .loopback
    case let text?: self = try Self.onAdapter(text, of: "--on", others: ["loopback"])
    }
  }

  /// Reads the adapter of a central: as for `--on`, and without a difference between `bluez` and `exact`.
  static func central(_ text: String) throws(CommandError) -> AdapterChoice {
    switch try onAdapter(text, of: "--central", others: []) {
    case .bluez(let choice), .exact(let choice): choice
    case .loopback: .first
    }
  }

  private static func onAdapter(
    _ text: String, of option: String, others: [String]
  ) throws(CommandError) -> Self {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let choice = parts.count == 1 ? AdapterChoice.first : AdapterChoice(parts[1])
    switch (parts[0], choice) {
    case ("bluez", let choice?): return .bluez(choice)
    case ("exact", let choice?): return .exact(choice)
    default:
      let forms = (others + ["bluez", "exact", "bluez:hci0 or exact:00:1A:7D:DA:71:13"]).joined(
        separator: ", ")
      throw .badValue(
        option: option, value: text,
        expected: AdapterChoice(text) == nil ? forms : "did you mean 'bluez:\(text)'?")
    }
  }
}
