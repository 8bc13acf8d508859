import Bluetooth
import Framing
import TestSupport

@testable import SecurityManager

/// A central and a peripheral that pair in memory, with their controllers and a person.
struct PairingBench {
  enum Device: Hashable, CaseIterable {
    case central, peripheral

    var other: Device { self == .central ? .peripheral : .central }
  }

  /// A PDU on the air.
  struct Packet: Equatable {
    var sender: Device
    var bytes: [UInt8]

    var code: SecurityCode? { bytes.first.flatMap(SecurityCode.init) }
  }

  /// What a person does at both devices.
  struct Person {
    enum Entry {
      /// What a device shows, or 271828 where none does.
      case right
      case wrong
      case refuses
      case never
    }

    var entry = Entry.right
    /// nil: never.
    var confirms: Bool? = true
  }

  var managers: [Device: SecurityManager]
  var person = Person()
  var now = Instant.milliseconds(1_000_000)
  /// What becomes of the packet with a number, from 0; nil: it is lost.
  var alter: (Int, Packet) -> Packet? = { $1 }
  /// All packets that were sent.
  private(set) var packets: [Packet] = []
  /// What else the managers have told.
  private(set) var reports: [Device: [SecurityAction]] = [.central: [], .peripheral: []]
  private var underWay: ArraySlice<Packet> = []
  private var questions: [(Device, SecurityAction)] = []
  private(set) var shown: UInt32?
  /// The number of keys that the central's controller was given.
  private(set) var encryptions = 0

  subscript(device: Device) -> SecurityManager {
    get { managers[device]! }
    set { managers[device] = newValue }
  }
}

// MARK: Devices

extension PairingBench {
  static let address: [Device: LinkAddress] = [
    .central: LinkAddress(DeviceAddress("4C:32:75:0A:11:9E")!, .random),
    .peripheral: LinkAddress(DeviceAddress("50:8C:B1:6A:7C:AB")!),
  ]
  static let identity: [Device: SecuredLink.Identity] = [
    .central: SecuredLink.Identity(
      address: LinkAddress(DeviceAddress("C0:00:00:00:00:01")!, .random),
      resolvingKey: [UInt8](1...16)),
    .peripheral: SecuredLink.Identity(address: address[.peripheral]!),
  ]

  /// - Parameter keys: of earlier pairings.
  init(
    central: PairingPolicy = .with(.keyboardDisplay), peripheral: PairingPolicy = .with(.displayOnly),
    identities: [Device: SecuredLink.Identity] = identity, keys: [Device: [LongTermKey]] = [:],
    seed: UInt64 = 1
  ) {
    managers = [:]
    for (device, policy) in [(Device.central, central), (.peripheral, peripheral)] {
      let link = SecuredLink(
        role: device == .central ? .central : .peripheral, ownAddress: Self.address[device]!,
        peerAddress: Self.address[device.other]!, identity: identities[device]!)
      managers[device] = SecurityManager(
        link, policy: policy, keys: keys[device] ?? [],
        random: SplitMix64(seed: device == .central ? seed : ~seed))
    }
  }
}

extension PairingPolicy {
  static func with(
    _ capability: IOCapability = .noInputNoOutput, _ secureConnections: SecureConnections = .allowed,
    _ change: (inout PairingPolicy) -> Void = { _ in }
  ) -> PairingPolicy {
    var policy = PairingPolicy()
    policy.capability = capability
    policy.secureConnections = secureConnections
    change(&policy)
    return policy
  }
}

// MARK: What happens

extension PairingBench {
  /// Lets a manager do something, and everything that follows.
  mutating func make(
    _ device: Device, _ body: (inout SecurityManager, Instant) -> [SecurityAction]
  ) {
    perform(body(&managers[device]!, now), of: device)
    run()
  }

  mutating func pair() { make(.central) { $0.pair(at: $1) } }

  /// A packet of which the sender's manager knows nothing.
  mutating func send(_ bytes: [UInt8], from device: Device) {
    underWay.append(Packet(sender: device, bytes: bytes))
    run()
  }

  private mutating func run() {
    while true {
      if let packet = underWay.popFirst() {
        let device = packet.sender.other
        perform(managers[device]!.receive(packet.bytes, at: now), of: device)
      } else if let (device, question) = questions.popLast() {
        answer(question, device)
      } else {
        return
      }
    }
  }

  mutating func pass(_ duration: Duration) {
    now = now.advanced(by: duration)
    for device in Device.allCases { make(device) { $0.timePassed(at: $1) } }
  }

  /// The device's controller reports that the encryption has ended or begun.
  mutating func change(encrypted: Bool) {
    for device in Device.allCases { make(device) { $0.encryptionChanged(to: encrypted, at: $1) } }
  }
}

// MARK: What follows

extension PairingBench {
  private mutating func perform(_ actions: [SecurityAction], of device: Device) {
    for action in actions {
      switch action {
      case .send(let bytes): send(Packet(sender: device, bytes: bytes))
      case .show(let passkey): shown = passkey
      case .askPasskey, .compare: questions.append((device, action))
      default: break
      }
      if case .send = action { continue }
      reports[device]!.append(action)
      if case .encrypt(let key, let rand, let ediv) = action { encrypt(key, rand, ediv) }
    }
  }

  private mutating func send(_ packet: Packet) {
    packets.append(packet)
    if let altered = alter(packets.count - 1, packet) { underWay.append(altered) }
  }

  /// The controllers encrypt the link, if both have the same key.
  private mutating func encrypt(_ key: [UInt8], _ rand: [UInt8], _ ediv: UInt16) {
    encryptions += 1
    let answer = managers[.peripheral]!.longTermKeyRequested(rand: rand, ediv: ediv, at: now)
    perform(answer, of: .peripheral)
    switch answer.first {
    case .giveKey(key):
      for device in [Device.peripheral, .central] {
        perform(managers[device]!.encryptionChanged(to: true, at: now), of: device)
      }
    case .giveKey: perform(managers[.central]!.encryptionFailed(.micFailure, at: now), of: .central)
    default: perform(managers[.central]!.encryptionFailed(.keyMissing, at: now), of: .central)
    }
  }

  private mutating func answer(_ question: SecurityAction, _ device: Device) {
    if question == .askPasskey {
      let right = shown ?? 271_828
      switch person.entry {
      case .right: perform(managers[device]!.enter(passkey: right, at: now), of: device)
      case .wrong: perform(managers[device]!.enter(passkey: right ^ 1, at: now), of: device)
      case .refuses: perform(managers[device]!.enter(passkey: nil, at: now), of: device)
      case .never: break
      }
    } else if let confirms = person.confirms {
      perform(managers[device]!.confirm(confirms, at: now), of: device)
    }
  }
}

// MARK: The outcome

extension PairingBench {
  func results(of device: Device) -> [PairingResult] {
    reports[device]!.compactMap { if case .paired(let result) = $0 { result } else { nil } }
  }

  func result(of device: Device) -> PairingResult? { results(of: device).last }

  /// The reports of failures.
  func failures(of device: Device) -> [SecurityAction] {
    reports[device]!.filter { if case .failed = $0 { true } else { false } }
  }

  /// Whether the device that finds a fault and the one that hears of it report the same.
  func hasFailed(_ reason: PairingFailure, by device: Device) -> Bool {
    failures(of: device) == [.failed(reason, by: .own)]
      && failures(of: device.other) == [.failed(reason, by: .peer)]
      && Device.allCases.allSatisfy { !self[$0].isPairing && results(of: $0).isEmpty }
  }

  /// The kinds of the packets of one device.
  func codes(of device: Device) -> [SecurityCode] {
    packets.filter { $0.sender == device }.compactMap(\.code)
  }
}
