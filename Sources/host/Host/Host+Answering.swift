import Bluetooth
import HCIPackets
import SecurityManager

/// What a central asks of a peripheral below ATT.
package enum PeerRequest: Hashable, Sendable {
  /// Other parameters of the link, by its controller (Core Specification, Vol 6 Part B 5.1.7).
  case parameters(PreferredConnectionParameters)
  /// To pair: the PDU.
  case pairing([UInt8])
  /// The key with which it begins to encrypt the link.
  case encryption(rand: [UInt8], diversifier: UInt16)
}

/// How a peripheral answers it.
package enum PeerAnswer: Hashable, Sendable {
  case asUsual
  case refusal
  case silence
  /// Pairs with a fault.
  case fault(PairingFault)
}

// The answers to what a central asks.
extension Host {
  /// Lets the caller decide about what the central of a link asks: each ``HostEvent/asked(_:_:)`` waits for
  /// ``answer(_:on:_:)``.
  package mutating func letCallerAnswer(on handle: LinkHandle) {
    changeLink(handle) { $0.isAnsweredByCaller = true }
  }

  mutating func meet(_ request: PeerRequest, on handle: LinkHandle) {
    if let link = links[handle], link.isAnsweredByCaller, !link.isCentral {
      tell(.asked(handle, request))
    } else {
      answer(request, on: handle)
    }
  }

  package mutating func answer(
    _ request: PeerRequest, on handle: LinkHandle, _ answer: PeerAnswer = .asUsual
  ) {
    switch (request, answer) {
    case (_, .silence): break
    case (.parameters, .refusal): refuseParameters(handle)
    case (.parameters(let wanted), _):
      if wanted.isPossible { enqueue(.accept(wanted, handle)) } else { refuseParameters(handle) }
    case (.pairing(let pdu), _):
      let fault: PairingFault? = if case .fault(let fault) = answer { fault } else { nil }
      changeSecurity(of: handle) { manager, _ in
        manager.fault = fault
        return []
      }
      receiveSecurity(pdu, on: handle)
    case (.encryption, .refusal) where securityManagers[handle] != nil:
      changeSecurity(of: handle) { $0.refuseKey(at: $1) }
    case (.encryption(let rand, let diversifier), _):
      if securityManagers[handle] == nil { enqueue(.refuseLongTermKey(handle)) }
      changeSecurity(of: handle) { $0.longTermKeyRequested(rand: rand, ediv: diversifier, at: $1) }
    }
  }

  private mutating func refuseParameters(_ handle: LinkHandle) {
    enqueue(.refuseParameters(handle, .unacceptableConnectionParameters))
  }
}
