import Bluetooth
import Framing
import HCIPackets
import SecurityManager

// The Security Managers of the links.
extension Host {
  /// Lets a link pair and be encrypted. Without this, pairing is refused. To be called at ``HostEvent/connected(_:)``.
  package mutating func secure(_ handle: LinkHandle, with manager: SecurityManager) {
    if links[handle] != nil { securityManagers[handle] = manager }
  }

  /// The Security Manager of a link; nil: it cannot pair.
  package func securityManager(of handle: LinkHandle) -> SecurityManager? { securityManagers[handle] }

  /// Lets the Security Manager of a link do something, such as ask for encryption, and take a person's answers.
  package mutating func changeSecurity(
    of handle: LinkHandle, _ body: (inout SecurityManager, Instant) -> [SecurityAction]
  ) {
    guard let actions = securityManagers[handle].map({ _ in body(&securityManagers[handle]!, now) }) else {
      return
    }
    for action in actions { perform(action, on: handle) }
  }

  mutating func receiveSecurity(_ pdu: [UInt8], on handle: LinkHandle) {
    if securityManagers[handle] == nil, pdu.first == Self.pairingRequest {
      sendSecurity(Self.notSupported, on: handle)
    }
    changeSecurity(of: handle) { $0.receive(pdu, at: $1) }
  }

  private static let pairingRequest: UInt8 = 0x01
  /// Pairing Failed, Pairing Not Supported (Vol 3 Part H 3.5.5)
  private static let notSupported: [UInt8] = [0x05, 0x05]

  private mutating func perform(_ action: SecurityAction, on handle: LinkHandle) {
    switch action {
    case .send(let pdu): sendSecurity(pdu, on: handle)
    case .encrypt(let key, let rand, let ediv):
      commands.request(.encrypt(handle, key: key, rand: rand, diversifier: ediv))
    case .giveKey(let key): commands.request(.giveLongTermKey(key, handle))
    case .refuseKey: commands.request(.refuseLongTermKey(handle))
    default: tell(.security(handle, action))
    }
  }

  private mutating func sendSecurity(_ pdu: [UInt8], on handle: LinkHandle) {
    send(L2CAPFrame(channel: L2CAPFrame.securityChannel, payload: pdu), on: handle)
  }
}

extension LinkAddress {
  /// Whether it is a resolvable private address that was made with this key (Core Specification, Vol 6 Part B 1.3.2.3).
  ///
  ///     7A 9C 41  22 B0 5E    hash, prand: the two highest bits of the last byte are 01
  ///
  /// - Parameter key: an identity resolving key, 16 bytes.
  package func isResolved(by key: [UInt8]) -> Bool {
    let bytes = address.littleEndianBytes
    guard kind == .random, bytes[5] >> 6 == 0b01, key.count == 16 else { return false }
    return SecurityToolbox.ah(key, Array(bytes[3...])) == Array(bytes[..<3])
  }
}
