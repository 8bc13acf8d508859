import Bluetooth

extension Fault {
  /// The effect of a fault.
  package enum Kind: Hashable, Sendable {
    /// The value is lost.
    case drop
    /// The value arrives twice.
    case duplicate
    /// The value arrives this much later, plus up to the jitter. Later values wait for it.
    case delay(Duration, jitter: Duration? = nil)
    /// The value arrives after the next one.
    case reorder
    /// This many bits of the value are flipped, or this many bytes replaced.
    case corrupt(Int, Unit)
    /// The value ends after this many bytes.
    case truncate(to: Int)
    /// The value arrives in this many pieces, cut at random.
    case split(into: Int)
    /// This many values arrive as one.
    case merge(Int)
    /// This value and later ones wait this long; nil: until the fault is removed.
    case stall(Duration?)
    /// Values take as long as on a line with this speed, bytes a second. At most so many bytes wait for it, and later ones are lost;
    /// nil: all wait.
    case throttle(Int, buffer: Int? = nil)
    /// A checksum of the message is wrong; everything else is right.
    case spoilChecksum
    /// The request is refused, and the device does not see it. The error names this handle; nil: that of the request.
    case refuse(ATTError, handle: AttributeHandle? = nil)
    /// The response arrives this much later; nil: never.
    case answer(Duration?)
    /// The device learns this much later that an indication has arrived; nil: never.
    case confirm(Duration?)
    /// The device refuses other parameters of the link, for which a central asks.
    case refuseParameters
    /// The device does not answer such a request.
    case ignoreParameters
    /// The device ends a pairing for a reason, at a step.
    case failPairing(PairingFailure, at: PairingFault.Step)
    /// The device sends wrong confirm values in a pairing.
    case spoilConfirm
    /// Somebody at the device, who is asked in a pairing, does so.
    case person(Person)
    /// The device refuses the key of an earlier pairing.
    case refuseEncryption
    /// The device ends the connections.
    case disconnect
    /// The connections end, and no central is told.
    case loseLink
    /// The device restarts, as after a loss of power.
    case reboot
    /// No central can connect.
    case refuseConnections
    /// The device does not advertise.
    case stopAdvertising
    /// The device advertises with another local name.
    case advertise(as: String)
    /// The advertisement has wrong bits.
    case garbleAdvertisement
    /// The device is silent, as if it were out of range.
    case vanish
    /// Centrals receive the device with this strength, dBm.
    case fade(to: Int)
    /// So many percent of the packets from and to the device are lost.
    case losePackets(percent: Int)
    /// No packet arrives from or at the device.
    case leaveRange
  }

  /// What somebody at the device does who is to compare numbers or to enter a passkey.
  package enum Person: Hashable, Sendable {
    /// The answer comes this much later; nil: never.
    case answers(late: Duration?)
    /// Says that the numbers differ, or enters nothing.
    case refuses
    /// Enters this passkey.
    case types(UInt32)
  }

  /// The unit that ``Kind/corrupt(_:_:)`` changes.
  package enum Unit: Hashable, Sendable {
    case bits, bytes
  }

  /// The occurrences that a kind of fault strikes.
  package enum Subject: Hashable, Sendable {
    /// Written values, notifications, indications, bytes of the wire side.
    case values
    /// Read and write requests.
    case requests
    /// Indications that a central has confirmed.
    case confirmations
    /// What a central asks below ATT: other parameters, a pairing, the encryption of the link. Also what a pairing asks somebody at the
    /// device.
    case linkRequests
    /// The connections, or the device as a whole, at a moment.
    case moments
    /// The device as centrals see it, for a while.
    case presence
  }
}

extension Fault.Kind {
  package var subject: Fault.Subject {
    switch self {
    case .drop, .duplicate, .delay, .reorder, .corrupt, .truncate, .split, .merge, .stall, .throttle,
      .spoilChecksum:
      .values
    case .refuse, .answer: .requests
    case .confirm: .confirmations
    case .refuseParameters, .ignoreParameters, .failPairing, .spoilConfirm, .person, .refuseEncryption:
      .linkRequests
    case .disconnect, .loseLink, .reboot: .moments
    case .refuseConnections, .stopAdvertising, .advertise, .garbleAdvertisement, .vanish, .fade, .losePackets,
      .leaveRange:
      .presence
    }
  }
}
