import Bluetooth
import DeviceModel
import Framing

/// A request of the engine to its runner, which performs all of them in order after the response (``Outcome``).
package enum Action: Hashable, Sendable {
  /// The response to an earlier or the present request (``Outcome/request``).
  case respond(Response, to: Int)
  /// A value of any length for the subscribed centrals, or for one of them; with the index of its message, if a
  /// rule sends that by name.
  case notify(characteristic: Int, [UInt8], message: Int? = nil, to: Central? = nil)
  /// Bytes of any length for the centrals that have opened a channel, or for one of them.
  case transmit(channel: Int, [UInt8], message: Int? = nil, to: Central? = nil)
  /// Closes a channel, after the bytes that wait: of this central, or of all that have opened it.
  case close(channel: Int, Central?)
  /// The device asks a central for something as its GATT client; nil: all that are connected.
  indirect case request(ClientRequest, of: Central?)
  /// A PDU of a rule for this central, or for all that are connected, as it is.
  case sendPDU([UInt8], to: Central?)
  case writeToWire([UInt8], message: Int? = nil)
  /// The new speed of the wire side, bits per second.
  case setBaud(Int)
  case startTimer(TimerIdentifier, at: Instant)
  case stopTimer(TimerIdentifier)
  /// The new attributes: at a reset, after the end of all connections, or for the centrals that are connected, too.
  indirect case serve(AttributeTable, toConnected: Bool = false)
  /// The new advertisement; nil: none.
  indirect case advertise(Advertisement?)
  /// How the device pairs from now on; nil: as the system is set up.
  indirect case pair(PairingPolicy?)
  /// The connection of this central, or of all, ends. The central gets the reason.
  case disconnect(Central?, HCIError = .remoteUserTerminated)
  /// The device asks for another PHY or for longer packets: this central, or all that are connected.
  indirect case askLink(LinkChange, of: Central?)
  /// The device forgets its bond with this central, or all bonds. A link that is encrypted stays so.
  case forget(Central?)
  /// It forgets the bond that was made first, unless that is the one with this central.
  case forgetOldest(besides: Central?)
  /// An interceptor wants this frame, which waits until an ``Intervention`` takes it or lets it pass.
  case ask(StreamKey, frame: [UInt8])
  /// The device behind a relay gets these events of a central, in order. If the event that is being handled is the last of them and
  /// has no response yet, the device answers it (``Intervention/relayed(_:_:)``).
  indirect case relay([Event])
  case remark(Remark)
}

/// What a device asks of a central as its GATT client. The numbers are those of ``PeripheralDefinition/sought``.
package enum ClientRequest: Hashable, Sendable {
  /// To find what the device seeks (Vol 3 Part G 4.4 to 4.7).
  case discover
  /// To send its values (Vol 3 Part G 3.3.3.3).
  case subscribe(Int)
  case read(Int)
  /// With the index of the message, if a rule sends one by its name.
  case write(Int, [UInt8], message: Int?)
}

/// A message for the log.
package enum Remark: Hashable, Sendable {
  /// Bytes that are not a frame.
  case discarded(Endpoint, [UInt8], DiscardReason)
  /// Held bytes that were dropped, because at most `limit` may be held.
  case tooMuchHeld(Endpoint, [UInt8], limit: Int)
  /// The decoded form of bytes: of those that arrived last on this stream, or of those that go out next.
  case plain(Endpoint, [UInt8], isSent: Bool)
  /// A frame is complete on this stream, from bytes of a central or of the wire side. Only if ``EngineOptions/notesFrames``.
  case frame(Endpoint, Central?, [UInt8])
  /// A frame that no rule handles.
  case unexpected(Endpoint, frame: [UInt8])
  /// A message that passes through a relay, by name.
  case passed(Endpoint, message: String, isSent: Bool)
  /// Bytes that the rule in this line has assembled arrive as a frame.
  case assembled(Endpoint, [UInt8], line: Int, file: String?)
  /// A rule has sent a message into a layer, by index, or handed bytes to it.
  case passedLayer(Int, [UInt8], isSent: Bool)
  /// A fault has struck a value of a layer.
  case struck(FaultStrike)
  /// A rule that has waited refuses what a central has written there, or its subscription.
  case refusedLate(Endpoint, ATTError)
  /// An interceptor, by its number, has answered or refused in place of the rules.
  case intervened(Int, refuses: Bool)
  /// A rule that failed.
  case ruleFailed(line: Int, file: String?, reason: String)
  /// The device disconnects a central, because as many as `limit` are connected.
  case turnedAway(Central, limit: Int)
  /// The device cannot encode bytes that an interceptor or a person sends.
  case unsent(Endpoint, reason: String)
  /// The text of a rule's `log`.
  case logged(String)
}
