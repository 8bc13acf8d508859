import Bluetooth
import Framing
import HCIPackets
import SecurityManager

// The Security Managers of the links.
extension Host {
  mutating func receiveSecurity(_ pdu: [UInt8], on handle: LinkHandle) {
    if securityManagers[handle] == nil, pdu.first == SecurityCode.pairingRequest.rawValue {
      sendSecurity(SecurityPDU.pairingFailed(.pairingNotSupported).bytes, on: handle)
    }
    changeSecurity(of: handle) { $0.receive(pdu, at: $1) }
  }

  mutating func perform(_ action: SecurityAction, on handle: LinkHandle) {
    switch action {
    case .send(let pdu): sendSecurity(pdu, on: handle)
    case .encrypt(let key, let rand, let ediv):
      enqueue(.encrypt(handle, key: key, rand: rand, diversifier: ediv))
    case .giveKey(let key): enqueue(.giveLongTermKey(key, handle))
    case .refuseKey: enqueue(.refuseLongTermKey(handle))
    default: tell(.security(handle, action))
    }
  }

  private mutating func sendSecurity(_ pdu: [UInt8], on handle: LinkHandle) {
    send(L2CAPFrame(channel: L2CAPFrame.securityChannel, payload: pdu), on: handle)
  }
}
