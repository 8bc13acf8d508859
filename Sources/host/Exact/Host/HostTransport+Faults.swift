import Behavior
import Bluetooth
import HCIPackets
import Host
import Peripheral

// What goes wrong below ATT.
extension HostTransport {
  /// Answers what a central asks, as a fault has it.
  func answer(_ request: PeerRequest, of handle: LinkHandle) {
    guard let central = links[handle]?.central else { return }
    let answer = PeerAnswer(host?.fault(in: LinkRequest(request), of: central))
    seat?.change { $0.answer(request, on: handle, answer) }
  }

  /// Resets the controller: nothing else ends a link without telling the central. So all links on it end.
  package func loseLink(of central: Central?) {
    guard links.values.contains(where: { central == nil || $0.central == central }) else { return }
    seat?.change { $0.loseLinks() }
  }

  package func move(to path: RadioPath) -> Bool {
    var isMoved = false
    seat?.change { isMoved = $0.move(to: path) }
    return isMoved
  }
}

extension LinkRequest {
  fileprivate init(_ request: PeerRequest) {
    self =
      switch request {
      case .parameters: .parameters
      case .pairing: .pairing
      case .encryption: .encryption
      }
  }
}

extension PeerAnswer {
  fileprivate init(_ fault: LinkFault?) {
    self =
      switch fault {
      case nil: .asUsual
      case .refusal: .refusal
      case .silence: .silence
      case .pairing(let fault): .fault(fault)
      }
  }
}
