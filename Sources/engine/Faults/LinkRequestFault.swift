import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A fault that strikes what a central asks below ATT (other parameters, a pairing, the encryption of the link), or what a pairing
/// asks somebody at the device.
@EventLoop
final class LinkRequestFault: RunningFault {
  override func fault(in request: LinkRequest, of central: Central) -> LinkFault? {
    guard let fault = fault(in: request), gate.judge(at: stage.now, in: stage.state) != nil else {
      return nil
    }
    // That of a pairing strikes at its step.
    if request != .pairing { strike(by: central) }
    return fault
  }

  private func fault(in request: LinkRequest) -> LinkFault? {
    switch (kind, request) {
    case (.refuseParameters, .parameters), (.refuseEncryption, .encryption): .refusal
    case (.ignoreParameters, .parameters): .silence
    case (.failPairing(let reason, let step), .pairing):
      .pairing(PairingFault(.failure(reason, at: step), number: number))
    case (.spoilConfirm, .pairing): .pairing(PairingFault(.wrongConfirm, number: number))
    case (.person(.types), .comparison): nil
    case (.person(let person), .comparison), (.person(let person), .passkey): .person(person)
    default: nil
    }
  }
}
