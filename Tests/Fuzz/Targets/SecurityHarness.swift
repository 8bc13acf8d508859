import Bluetooth
import Framing
import SecurityManager
import TestSupport

/// The Security Managers of a central (0) and a peripheral (1). Checks their guarantees after each step.
struct SecurityHarness {
  private struct Device {
    var manager: SecurityManager
    /// What it has sent, ever, and what of it is under way.
    var sent: Set<[UInt8]> = []
    var underWay: ArraySlice<[UInt8]> = []
    /// What it has got to authenticate the other device, in this pairing.
    var proofs: [[UInt8]] = []
    /// Whether its controller has a key of this pairing, and whether that has said since that the link is encrypted.
    var hasKey = false
    var isEncrypted = false
    var question: SecurityAction?
  }

  private var devices: [Device]
  private var now = Instant.milliseconds(1_000_000)
  /// What the central's controller was told last.
  private var encryption: (key: [UInt8], rand: [UInt8], ediv: UInt16)?
  private var passkey: UInt32 = 271_828

  init(central: PairingPolicy, peripheral: PairingPolicy) {
    let addresses = [1, 2].map { LinkAddress(DeviceAddress([0xC0, 0, 0, 0, 0, $0])!, .random) }
    devices = [(0, central), (1, peripheral)].map { side, policy in
      let link = SecuredLink(
        role: side == 0 ? .central : .peripheral, ownAddress: addresses[side],
        peerAddress: addresses[1 - side],
        identity: .init(address: addresses[side], resolvingKey: side == 0 ? [UInt8](1...16) : nil))
      return Device(
        manager: SecurityManager(link, policy: policy, random: SplitMix64(seed: UInt64(side + 1))))
    }
  }
}

// MARK: Steps

extension SecurityHarness {
  mutating func take(_ step: SecurityStep) throws {
    switch step {
    case .pairs(let side): try act(side) { $0.pair(at: $1) }
    case .gets(let side, let change): try pass(to: side, change)
    case .loses(let side): _ = devices[1 - side].underWay.popFirst()
    case .doubles(let side):
      if let first = devices[1 - side].underWay.first { try receive(first, side) }
    case .hears(let side, let bytes): try receive(bytes, side)
    case .encrypts(let side): try act(side) { $0.encrypt(at: $1) }
    case .runsEncryption: try runEncryption()
    case .encryption(let side, let isOn): try report(isOn, side)
    case .asksForKey(let byte):
      try act(1) { $0.longTermKeyRequested(rand: [UInt8](repeating: byte, count: 8), ediv: 0, at: $1) }
    case .enters(let side, let passkey): try act(side) { $0.enter(passkey: passkey, at: $1) }
    case .confirms(let side, let isSame): try act(side) { $0.confirm(isSame, at: $1) }
    case .cancels(let side): try act(side) { $0.cancel(at: $1) }
    case .waits(let seconds): try wait(.seconds(seconds))
    case .settles: try settle()
    }
  }

  private mutating func pass(to side: Int, _ change: SecurityStep.Change? = nil) throws {
    guard var pdu = devices[1 - side].underWay.popFirst() else { return }
    if let change { pdu[change.place % pdu.count] ^= change.difference }
    try receive(pdu, side)
  }

  private mutating func receive(_ pdu: [UInt8], _ side: Int) throws {
    let proves: [UInt8] = [0x03, 0x04, 0x0C, 0x0D]
    if devices[side].manager.isPairing, let code = pdu.first, proves.contains(code) {
      devices[side].proofs.append(pdu)
    }
    try act(side) { $0.receive(pdu, at: $1) }
  }

  private mutating func report(_ isOn: Bool?, _ side: Int) throws {
    if isOn == true { devices[side].isEncrypted = devices[side].hasKey }
    try act(side) { manager, now in
      isOn.map { manager.encryptionChanged(to: $0, at: now) }
        ?? manager.encryptionFailed(.micFailure, at: now)
    }
  }

  private mutating func wait(_ duration: Duration) throws {
    now = now.advanced(by: duration)
    for side in 0...1 {
      try act(side) { $0.timePassed(at: $1) }
      if let deadline = devices[side].manager.deadline {
        try guarantee(deadline > now, "the time of a pairing is over")
      }
    }
  }
}

// MARK: What follows

extension SecurityHarness {
  private mutating func act(_ side: Int, _ body: (inout SecurityManager, Instant) -> [SecurityAction]) throws
  {
    let before = devices[side].manager
    let actions = body(&devices[side].manager, now)
    let isPairing = devices[side].manager.isPairing
    if !before.isPairing, isPairing { begin(side) }
    for action in actions {
      if before.hasTimedOut, case .send = action {
        throw BrokenGuarantee(description: "\(action) after a timeout")
      }
      try perform(action, side)
    }
    if before.isPairing, !isPairing {
      try guarantee(actions.contains { $0.endsPairing }, "a pairing ends without a result: \(actions)")
    }
  }

  private mutating func begin(_ side: Int) {
    (devices[side].proofs, devices[side].hasKey, devices[side].isEncrypted) = ([], false, false)
  }

  private mutating func perform(_ action: SecurityAction, _ side: Int) throws {
    switch action {
    case .send(let pdu):
      devices[side].sent.insert(pdu)
      devices[side].underWay.append(pdu)
    case .encrypt(let key, let rand, let ediv):
      encryption = (key, rand, ediv)
      devices[side].hasKey = true
    case .giveKey: devices[side].hasKey = true
    case .show(let passkey): self.passkey = passkey
    case .askPasskey, .compare: devices[side].question = action
    case .paired(let result): try check(result, side)
    case .refuseKey, .requestedSecurity, .securityChanged, .encryptionFailed, .metFault, .failed: break
    }
  }

  private func check(_ result: PairingResult, _ side: Int) throws {
    let device = devices[side]
    try guarantee(device.isEncrypted, "side \(side) has paired without encryption")
    try guarantee(device.proofs.count >= 2, "side \(side) has paired after \(device.proofs)")
    let foreign = device.proofs.filter { !devices[1 - side].sent.contains($0) }
    try guarantee(foreign.isEmpty, "side \(side) has paired by what the other one has not sent: \(foreign)")
    if let bond = result.bond {
      try guarantee(bond.longTermKeys.allSatisfy { $0.value.count == 16 }, "a key is too short")
    }
  }
}

extension SecurityAction {
  fileprivate var endsPairing: Bool {
    switch self {
    case .paired, .failed: true
    default: false
    }
  }
}

// MARK: Without faults

extension SecurityHarness {
  /// The controllers encrypt the link, if both have the same key.
  private mutating func runEncryption() throws {
    guard let (key, rand, ediv) = encryption else { return }
    encryption = nil
    var given: SecurityAction?
    try act(1) { manager, now in
      let actions = manager.longTermKeyRequested(rand: rand, ediv: ediv, at: now)
      given = actions.first
      return actions
    }
    let isOn: Bool? = given == .giveKey(key) ? true : nil
    try report(isOn, 1)
    try report(isOn, 0)
  }

  private mutating func settle() throws {
    for _ in 0..<1000 {
      if let side = [0, 1].first(where: { !devices[1 - $0].underWay.isEmpty }) {
        try pass(to: side)
      } else if let side = [0, 1].first(where: { devices[$0].question != nil }) {
        try answer(side)
      } else if encryption != nil {
        try runEncryption()
      } else {
        return
      }
    }
    throw BrokenGuarantee(description: "the devices talk forever")
  }

  private mutating func answer(_ side: Int) throws {
    let (question, passkey) = (devices[side].question, passkey)
    devices[side].question = nil
    try act(side) { manager, now in
      question == .askPasskey ? manager.enter(passkey: passkey, at: now) : manager.confirm(true, at: now)
    }
  }

  /// Pairings end. Unless the time of one was over, or a failure has to be waited for, the devices pair then, or say why not.
  mutating func finish() throws {
    try settle()
    for _ in 0..<2 { try wait(.seconds(64)) }
    try settle()
    try take(.pairs(0))
    try settle()
    for _ in 0..<2 { try wait(.seconds(30)) }
    for device in devices { try guarantee(!device.manager.isPairing, "a pairing does not end") }
  }
}
