import Bluetooth
import DeviceModel
import Framing

/// A central, by the address with which its link has begun, for as long as that lasts; nil in an ``Event`` if the transport cannot
/// identify it. No other link has it: of two with the same six bytes, the transport makes one distinct.
package typealias Central = DeviceAddress

/// A place that receives and sends bytes.
package typealias Endpoint = Rule.Endpoint

/// How a value was written (Vol 3 Part G 4.9).
package enum WriteKind: String, Hashable, Sendable {
  /// Write Request: the central waits for the response.
  case request
  /// Write Command: no response.
  case command
  /// Execute Write of prepared writes.
  case reliable
  /// Prepare Write of a part, on which rules decide: nothing is written yet.
  case prepared
}

/// An event of a device.
package enum Event: Hashable, Sendable {
  /// The device is on the air. This event comes once, and not after a reset.
  case started
  /// The device starts again with its settings, as after a loss of power. All connections end.
  case restarted
  /// With the properties of the link that the transport knows.
  case connected(Central, LinkDescription? = nil)
  /// With the reason if the transport knows it.
  case disconnected(Central, HCIError? = nil)
  /// The controller reports that the link has other parameters, another PHY or other packets.
  indirect case linkChanged(Central, LinkChange)
  /// The central keeps the parameters of the link, although the device has asked for others.
  case parametersRefused(Central, ParameterRefusal)
  /// With the delivery that the central chose in the CCCD.
  case subscribed(Central?, characteristic: Int, Delivery = .notification)
  /// A central writes its Client Characteristic Configuration (Vol 3 Part G 3.3.3.3), which changes the delivery of values to it
  /// unless the device refuses; nil: no values. The transport does not report the subscription again.
  case configuring(
    Central, characteristic: Int, value: [UInt8], from: Delivery?, to: Delivery?, WriteKind = .request)
  case unsubscribed(Central?, characteristic: Int)
  /// An indication has reached a central (Handle Value Confirmation, Vol 3 Part F 3.4.7.3).
  case confirmed(Central?, characteristic: Int)
  /// The server indicates to a central that the attributes have changed (Service Changed, Vol 3 Part G 7.1).
  ///
  /// - Parameters:
  ///   - characteristic: the Service Changed of the definition; nil: it has none, and the server has its own.
  ///   - value: the first and the last of the handles that have changed.
  case serviceChanged(Central, characteristic: Int?, value: [UInt8])
  /// A central has opened a channel.
  case channelOpened(Central, channel: Int)
  /// - Parameter reason: why, in words; nil: the central has closed it.
  case channelClosed(Central, channel: Int, reason: String? = nil)
  /// An SDU has arrived.
  case channelReceived(Central, channel: Int, [UInt8])
  /// The device has looked for what it seeks, and the central has these, by index.
  case discovered(Central, found: Set<Int>)
  /// A value of what the device seeks: the central has sent it, or the device has read it.
  case soughtReceived(Central, sought: Int, [UInt8], isRead: Bool = false)
  /// The central has refused a read, a write or a subscription.
  case soughtRefused(Central, sought: Int, ATTError, ClientRequest)
  case readRequested(Central?, AttributeReference, offset: Int)
  /// The kind is nil if the transport does not report it.
  case writeRequested(Central?, AttributeReference, value: [UInt8], offset: Int, WriteKind?)
  /// Asks whether a central could write a value at the offset if no rule refuses.
  ///
  /// - Parameter size: the size, in bytes, to which earlier writes will have extended the value; 0: there are none.
  case writeChecked(Central?, AttributeReference, value: [UInt8], offset: Int, size: Int)
  /// With the times at which a serial line brought the first and the last byte, which decide about frames. nil: all
  /// bytes came now.
  case wireReceived([UInt8], during: ClosedRange<Instant>? = nil)
  case timerFired(TimerIdentifier)
  /// The identity address of a central is known, which uses another one on this link (Vol 3 Part H 3.6.5): it has distributed it, or
  /// is bonded. Comes before ``paired(_:)``, or before ``connected(_:_:)``.
  case identified(Central, LinkAddress)
  case paired(Central)
  /// Both keep the keys of the pairing for later connections. Comes after ``paired(_:)``.
  case bonded(Central)
  case pairingFailed(Central, PairingFailure)
  /// The link is encrypted now, or better protected than before.
  case encrypted(Central, LinkSecurity)
  /// The central has not succeeded in encrypting the link with the keys of an earlier pairing.
  case encryptionFailed(Central, HCIError)
  /// A person has to enter this passkey at the central, or compare it there (0 to 999,999).
  case passkeyShown(Central, UInt32)
  /// A person or a test has operated the device.
  case controlled(ControlEvent)
  /// An interceptor has decided about a request or a frame of a central.
  case intervention(Intervention)
  /// A fault lets a value of a layer pass, which it has held.
  indirect case layerPassed(LayerValue)
}

/// A timer of the engine.
package enum TimerIdentifier: Hashable, Sendable {
  /// The silence in an unfinished frame.
  case frameGap(StreamKey)
  /// A timer that a rule has started, by index in ``PeripheralDefinition/timers``.
  case rule(Int)
  /// Likewise, that of a central.
  case ruleOfCentral(Int, Central)
  /// The wait of a rule.
  case wait(Int)
  /// The period of an advertisement whose values change; nil: of the main one, otherwise of a further set, by index.
  case advertisement(set: Int?)
  /// The time of a private address; nil: of the main set, otherwise of a further one, by index.
  case address(set: Int?)
}

/// Identifies a byte stream: one central on one characteristic or channel, or the wire side. Each has its own frames.
package struct StreamKey: Hashable, Sendable {
  package var central: Central?
  package var endpoint: Endpoint

  package init(central: Central? = nil, endpoint: Endpoint) {
    self.central = central
    self.endpoint = endpoint
  }
}

extension StreamKey: Comparable {
  /// By place, then by address.
  package static func < (left: StreamKey, right: StreamKey) -> Bool {
    guard left.endpoint == right.endpoint else { return left.endpoint.order < right.endpoint.order }
    return (left.central?.bytes ?? []).lexicographicallyPrecedes(right.central?.bytes ?? [])
  }
}
