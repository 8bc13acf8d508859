import Bluetooth
import Framing

/// Something that passed through a device or happened to it.
package struct TrafficEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    indirect case onAir(OnAir)
    indirect case offAir(Ending, Totals)
    /// An advertising set has this address from now on.
    ///
    /// - Parameter set: its name; nil: the main one.
    indirect case address(SetAddress, set: String?)
    case connected(Central, LinkDescription? = nil)
    case disconnected(Central, HCIError? = nil)
    /// The controller tells something of a link, or it has changed.
    case link(Central, LinkChange)
    /// The identity address of a central that has another one on this link.
    case identified(Central, LinkAddress)
    case paired(Central)
    /// Both sides keep the keys.
    case bonded(Central)
    case pairingFailed(Central, PairingFailure)
    case encrypted(Central, LinkSecurity)
    /// The passkey to enter at the central or to compare there, 0 to 999,999.
    case passkeyShown(Central, UInt32)
    case subscribed(Central?, String)
    case unsubscribed(Central?, String)
    /// A central read this value, or the device refused the read.
    case read(Central?, String, [UInt8], refused: ATTError?)
    case write(Central?, String, [UInt8], WriteKind?, refused: ATTError?)
    /// With the name of the message that it is, if the device has sent one; of a value in pieces, the first has it.
    case notify(String, [UInt8], message: String? = nil)
    case indicate(String, [UInt8], message: String? = nil)
    /// A central has opened this channel.
    case opened(Central, String)
    /// - Parameter reason: why, in words; nil: the central has closed it.
    case closed(Central, String, reason: String?)
    /// Bytes that a central has sent in a channel.
    case channelIn(Central, String, [UInt8])
    /// Bytes that the device has sent in a channel.
    case channelOut(String, [UInt8], message: String? = nil)
    /// The device has looked for what it seeks at a central.
    indirect case discovered(Central, found: [String], missing: [String])
    /// A value that a central has sent to the device, or that the device has read there.
    case clientIn(Central, String, [UInt8], isRead: Bool = false)
    /// A value that the device writes at a central.
    case clientOut(Central, String, [UInt8], message: String? = nil)
    /// Bytes that went into the wire side.
    case wireIn([UInt8])
    /// Bytes that came out of the wire side.
    case wireOut([UInt8], message: String? = nil)
    /// The decoded form of encoded bytes of a characteristic or the wire side (`wire`): a value or a frame after it is
    /// received, or a message before it is sent. Also what passes through a layer, by its name.
    case plain(String, [UInt8], isSent: Bool)
    /// A message that took several values: a frame from a central or the wire side (`wire`), or a message that was sent in
    /// pieces. Only for sinks with `TrafficSink/takesFrames`.
    indirect case frame(Central?, String, [UInt8], message: String? = nil, isSent: Bool)
    /// The device was operated from outside: `set level=3`, `press button`.
    indirect case controlled(Operation)
    /// Somebody sends a value from outside.
    indirect case sent(SentValue)
    /// An interception, by its number, has begun, answered or ended.
    case intercepted(Int, InterceptionStep)
    /// An event of the attachment of the wire side.
    case wire(WireEvent)
    /// What only one side has of a value that a fault strikes: what the device has sent or received, or what its peer has written or
    /// got. The other side has other events, or none.
    indirect case oneSided(Side, Kind)
    /// A fault was applied; logged before its effect.
    indirect case fault(FaultStrike)
    /// A text that a rule logs.
    case log(String)
    /// A problem that does not stop the device, with the attribute and bytes that it concerns.
    case warning(String, attribute: String?, [UInt8])
    case error(String)
  }

  /// A side of the faults.
  package enum Side: Hashable, Sendable {
    case device
    /// The central, or the other end of the wire side.
    case peer
  }

  /// A device that is on the air.
  package struct OnAir: Hashable, Sendable {
    /// The definition's name.
    package var definition: String
    /// The GAP device name.
    package var name: String
    package var adapter: LocalAdapter
    /// nil: the device has the adapter's address.
    package var ownAddress: SetAddress?
    /// The advertising packets; nil if the transport sends none.
    package var packets: AdvertisingPackets?
    package var services: [BluetoothUUID]
    package var wire: String?

    package init(
      definition: String, name: String, adapter: LocalAdapter, ownAddress: SetAddress? = nil,
      packets: AdvertisingPackets? = nil, services: [BluetoothUUID], wire: String? = nil
    ) {
      (self.definition, self.name, self.adapter) = (definition, name, adapter)
      (self.ownAddress, self.packets) = (ownAddress, packets)
      (self.services, self.wire) = (services, wire)
    }
  }

  /// Why a device has left the air.
  package enum Ending: Hashable, Sendable {
    /// It was stopped. Its adapter, if it has one, is as it was before.
    case stopped(restoringAdapter: Bool)
    /// Something else ended it, as in "bluetoothd has stopped".
    case failed(String)
  }

  /// Counts since the device went on the air.
  package struct Totals: Hashable, Sendable {
    package var duration: Duration = .zero
    package var centrals = 0
    package var valuesIn = 0
    package var valuesOut = 0
    /// Values that were not sent because no central had subscribed.
    package var valuesLost = 0

    package init() {}
  }

  package var time: Instant
  package var kind: Kind

  package init(time: Instant, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

extension TrafficEvent.Kind {
  /// The event that one side has; every other event itself.
  package var withoutSide: TrafficEvent.Kind {
    if case .oneSided(_, let event) = self { event } else { self }
  }
}
