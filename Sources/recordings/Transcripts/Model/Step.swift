import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

/// One line of a conversation: an action of the central or the wire side, or an expectation.
package struct Step: Sendable {
  package enum Action: Sendable {
    case connect(Connection)
    /// Ends the connection. In memory, the device gets this reason; nil: an ordinary disconnection.
    case disconnect(HCIError?)
    case pair(PairingRequest)
    /// The central forgets the device: it disconnects, if it is connected, and loses its keys.
    case unpair
    /// The central loses its keys, and does not know. Its link stays.
    case loseKeys
    /// Something that the central does below ATT.
    case onLink(LinkAction)
    case subscribe(Int)
    case unsubscribe(Int)
    /// The central opens a channel of the device, or closes it.
    case openChannel(Int)
    case closeChannel(Int)
    /// The central has something that the device seeks: with this value, or refusing to read and to write it.
    case serve(Result<[UInt8], ATTError>, for: Int)
    /// The central has it no more.
    case unserve(Int)
    /// The central sends a value of something that the device seeks.
    case tell([UInt8], from: Int)
    /// The central sends bytes in a channel.
    case transmit([UInt8], in: Int)
    case write([UInt8], to: AttributeReference, WriteKind)
    case read(AttributeReference)
    /// Sends an ATT PDU, on a ``Connection/raw`` connection.
    case sendPDU([UInt8])
    /// Sends bytes into the wire side.
    case putIntoWire([UInt8])
    /// Operates the device from outside.
    case control(ControlEvent)
    /// Adds a fault.
    case addFault(Fault)
    /// Removes this fault.
    case removeFault(Fault)
    case removeFaults
    case wait(Duration)
    /// Expects no output for this time.
    case silence(Duration)
    case expect(Expectation)
    /// Expects that a condition on the device is true.
    case expectTrue(DeviceCondition)
    /// Expects that the device refused the request of the line before.
    case expectRefusal(ATTError)
    /// Expects that the central of the line before could not connect.
    case expectNoConnection(ConnectionFailure)
    /// Expects that the pairing of the line before failed.
    case expectPairingFailure(PairingFailure)
    /// Expects the value that the read of the line before returned.
    case expectRead(ValuePattern)
    /// Expects the characteristics that the central has discovered, in order.
    case expectFound([FoundCharacteristic])
    case expectAdvertising(AdvertisementPattern)
    case expectNoAdvertising
  }

  /// What a central does with its link below ATT, in memory.
  package enum LinkAction: Hashable, Sendable {
    /// Gives it other parameters, or another PHY.
    case change(LinkChange)
    /// From now on, refuses the parameters for which the device asks.
    case refuseParameters
  }

  /// The kind of a central's connection.
  package enum Connection: Hashable, Sendable {
    /// That of a GATT client, which requests this ATT_MTU. A phone has a private address, another one on each link.
    case client(mtu: Int, isPhone: Bool = false)
    /// Each PDU is a line of the transcript.
    case raw
  }

  package var action: Action
  /// The line number in the file, from 1.
  package var line: Int
  /// The line without its comment and surrounding spaces.
  package var text: String
  /// The name of the further central that does it; nil: the usual one, or none.
  package var central: String?

  package init(_ action: Action, line: Int, text: String, by central: String? = nil) {
    self.action = action
    self.line = line
    self.text = text
    self.central = central
  }

  /// Whether only a central in memory does it.
  var isOfMemory: Bool {
    switch action {
    case .onLink, .loseKeys, .connect(.client(_, isPhone: true)): true
    default: central != nil
    }
  }

  /// Whether its bytes depend on the device's address, so that the line must be read again once the address is known.
  package var usesAddress: Bool { text.hasPart("{address") }
}

/// An expected output: a value, a PDU, bytes at the wire side, a line of the log, or the end of the connection.
package struct Expectation: Sendable {
  package var source: Arrival.Source
  /// nil for the end of the connection.
  package var value: ValuePattern?
  /// The expected time since the line before.
  package var after: ClosedRange<Duration>?
  /// The longest time since the line before.
  package var within: Duration?
  /// Whether the same output may repeat, any number of times, until another line expects output from the same source.
  package var isRepeated = false
}

/// Output of a device: a value, a PDU, bytes at the wire side, a line of the log, or the end of the connection.
package struct Arrival: Hashable, Sendable {
  /// The part of the device that sent it.
  package enum Source: Hashable, Sendable {
    /// A notification or an indication, bytes of a channel, a write to something that the device seeks, or bytes at the wire side.
    case place(Endpoint)
    /// The device has closed a channel.
    case channelEnd(Int)
    /// Any ATT PDU, on a ``Step/Connection/raw`` connection.
    case pdu
    /// A rule's message, as UTF-8.
    case log
    /// What the device has sent or received at a place of this name, whatever faults do to it.
    case sent(String)
    case received(String)
    /// The device ended the connection.
    case disconnection
    /// Likewise, at a further central with this name.
    indirect case other(String, Source)

    /// At this central; nil: the usual one.
    package func at(_ central: String?) -> Self { central.map { .other($0, self) } ?? self }

    /// Whether a line takes it out of the order, and may pass it over.
    package var isNoted: Bool {
      switch self {
      case .log, .sent, .received: true
      case .place, .channelEnd, .pdu, .disconnection, .other: false
      }
    }
  }

  package var time: Instant
  package var source: Source
  package var bytes: [UInt8]

  package init(at time: Instant, from source: Source, _ bytes: [UInt8] = []) {
    self.time = time
    self.source = source
    self.bytes = bytes
  }
}
