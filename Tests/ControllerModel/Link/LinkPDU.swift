import Bluetooth

/// A packet of the link layer (Core Specification, Vol 6 Part B 2.4), as far as hosts notice it.
enum LinkPDU: Sendable {
  /// A piece of an ACL data packet.
  ///
  /// - Parameters:
  ///   - isStart: whether it begins a frame of L2CAP.
  ///   - isLast: whether it ends the packet that the host gave.
  case data([UInt8], isStart: Bool, isLast: Bool)

  // LL Control PDUs
  /// Version, company, subversion.
  case version([UInt8])
  case featureRequest(ControllerTraits.Features)
  case featureResponse(ControllerTraits.Features)
  case lengthRequest(LengthLimits)
  case lengthResponse(LengthLimits)
  case parameterRequest(PreferredConnectionParameters)
  /// Of a peripheral.
  case parameterResponse(ConnectionParameters)
  /// Takes effect six connection events later.
  case parameterUpdate(ConnectionParameters)
  /// The PHYs that the sender can use, as bits.
  case phyRequest(Directions<UInt8>)
  case phyResponse(Directions<UInt8>)
  /// The PHYs that both use six connection events later, from the central's view.
  case phyUpdate(Directions<UInt8>)
  case encryptionRequest(random: [UInt8], diversifier: UInt16)
  case encryptionResponse
  case startRequest
  /// The first encrypted packet of a side. The receiver can decrypt it if it has the same key.
  case startResponse(key: [UInt8])
  /// Refuses the procedure that the receiver has begun.
  case reject(HCIError)
  case terminate(HCIError)
}

extension LinkPDU {
  var isData: Bool {
    if case .data = self { true } else { false }
  }
}

/// How long the packets of one side may be (4.5.10), in bytes.
struct LengthLimits: Hashable, Sendable {
  var sent: UInt16
  var received: UInt16
}
