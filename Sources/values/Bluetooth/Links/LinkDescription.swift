/// The known properties of a link when it begins.
package struct LinkDescription: Hashable, Sendable {
  /// The kind of the central's address.
  package var addressKind: LinkAddress.Kind
  /// The private address of the link, which has led to that of the central; nil: there is none.
  package var privateAddress: DeviceAddress?
  /// nil: the controller has not reported it.
  package var parameters: ConnectionParameters?

  package init(
    addressKind: LinkAddress.Kind, privateAddress: DeviceAddress? = nil, parameters: ConnectionParameters?
  ) {
    (self.addressKind, self.privateAddress) = (addressKind, privateAddress)
    self.parameters = parameters
  }
}

/// Later changes of a link, as the controller reports them; nil: it has not changed.
package struct LinkChange: Hashable, Sendable {
  package var parameters: ConnectionParameters?
  package var phys: Directions<PHY>?
  /// The most bytes of a packet of the link layer (Core Specification, Vol 6 Part B 4.5.10).
  package var packetSizes: Directions<UInt16>?
  /// The signal of the central, in dBm.
  package var rssi: Int8?

  package init(
    parameters: ConnectionParameters? = nil, phys: Directions<PHY>? = nil,
    packetSizes: Directions<UInt16>? = nil, rssi: Int8? = nil
  ) {
    self.parameters = parameters
    self.phys = phys
    self.packetSizes = packetSizes
    self.rssi = rssi
  }
}

/// The two directions of a link.
package struct Directions<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Towards the peer.
  package var sent: Value
  package var received: Value

  package init(sent: Value, received: Value) {
    (self.sent, self.received) = (sent, received)
  }
}
