import Behavior
import Bluetooth

/// The ATT server for one central: PDUs and responses of the device in, PDUs and events out (Core Specification, Vol 3
/// Part F 3.4).
///
/// It has no clock and does no IO, and belongs to one link, so it is never copied. ``receive(_:security:)`` takes a PDU from the
/// central; the caller passes on the event that it returns, or performs the actions in order, and answers a
/// ``ServerAction/ask(_:)`` by ``answer(_:)``, at once or later. A client sends its next request only after the response
/// (3.3.2). If it does not wait, its PDUs wait here and keep their order, except for confirmations: requests and indications do
/// not wait for each other.
package struct AttributeServer: ~Copyable, Sendable {
  /// The limits of a server.
  package struct Limits: Hashable, Sendable {
    /// The longest PDU, bytes: the ATT_MTU that the server offers.
    package var mtu = 517
    /// How many prepared writes a central may queue.
    package var preparedWrites = 64

    package init(mtu: Int = 517, preparedWrites: Int = 64) {
      (self.mtu, self.preparedWrites) = (mtu, preparedWrites)
    }
  }

  /// How many PDUs may wait for the response to a request: as many as the events that wait for an interception.
  package static let mostWaiting = 4096

  package let central: Central
  package let database: AttributeDatabase
  let limits: Limits
  /// The link's ATT_MTU, bytes.
  package internal(set) var mtu = AttributePDU.defaultMTU
  /// The values that the central has subscribed to, and its CCCD for each.
  package internal(set) var configurations: [SubscribedValue: ClientConfiguration] = [:]
  /// Whether the device has a key with which the central can encrypt the link.
  package var hasKey = false
  /// Whether anything has changed that is kept of a bonded central, since the caller has set this to false.
  package var hasNews = false
  /// What the central supports.
  package internal(set) var features: ClientFeatures = []
  /// Whether the central, as far as the server can know, has the present attributes.
  var awareness = Awareness.aware
  /// The request that the device has not answered.
  var request: RequestInProgress?
  var prepared: [PreparedWrite] = []
  /// The events for the device that follow from prepared writes of CCCDs, after the response to their execution.
  var executed: [Event] = []
  var security = LinkSecurity.none
  /// Indications that wait for the confirmation of an earlier one, which is the first.
  var indications: ArraySlice<PendingIndication> = []
  /// The values of the present event that wait to go together.
  var joined = JoinedValues()
  private var waiting: ArraySlice<[UInt8]> = []
  var actions: [ServerAction] = []

  package init(_ database: AttributeDatabase, for central: Central, limits: Limits = Limits()) {
    (self.database, self.central, self.limits) = (database, central, limits)
  }

  /// Whether the device has not answered the last ``ServerAction/ask(_:)``.
  package var awaitsAnswer: Bool { request != nil }

  /// Whether the outcome of a request depends on the protection of the link.
  package var needsSecurity: Bool { database.needsSecurity }

  /// Takes a PDU.
  ///
  /// - Parameter security: the link's protection now.
  /// - Returns: an event for the device, which is all that follows and needs no response; nil: take the actions. So a stream of
  ///   values needs no actions.
  package mutating func receive(_ packet: [UInt8], security: LinkSecurity = .none) -> Event? {
    self.security = security
    let isConfirmation = packet.first == AttributeOpcode.confirmation.rawValue
    if isConfirmation || request == nil { return handle(packet) }
    if waiting.count < Self.mostWaiting {
      waiting.append(packet)
    } else {
      actions.append(.end(.tooManyWaiting))
    }
    return nil
  }

  /// Takes the device's response to the last ``ServerAction/ask(_:)``.
  package mutating func answer(_ response: Response) -> [ServerAction] {
    guard let request else { return [] }
    self.request = nil
    proceed(request, response)
    while self.request == nil, let packet = waiting.popFirst() {
      if let event = handle(packet) { actions.append(.tell(event)) }
    }
    if waiting.isEmpty { waiting = [] }  // an empty slice would keep its memory
    return takeActions()
  }

  private mutating func proceed(_ request: RequestInProgress, _ response: Response) {
    switch request {
    case .read(let handle): proceed(reading: handle, .readRequest, response)
    case .readBlob(let handle): proceed(reading: handle, .readBlobRequest, response)
    case .readMultiple(let read): proceed(read, response)
    case .search(let search): proceed(search, response)
    case .write(let handle): proceed(writing: handle, response)
    case .configure(let kind, let handle, let characteristic, let new):
      proceed(configuring: characteristic, new, at: handle, kind, response)
    case .check(let index): proceed(checking: index, response)
    case .execute(let write): proceed(executing: write, response)
    }
  }

  /// The actions that follow from the last PDU, in their order.
  package mutating func takeActions() -> [ServerAction] {
    defer { actions = [] }
    return actions
  }
}

/// An instruction of an ``AttributeServer`` to its caller.
package enum ServerAction: Hashable, Sendable {
  /// Send this PDU to the central.
  case send([UInt8])
  /// Pass this request to the device, and its response to ``AttributeServer/answer(_:)``.
  case ask(Event)
  /// Pass this event to the device, which gives no response that the central gets.
  case tell(Event)
  /// Start or stop the 30 s within which the central must confirm an indication (Vol 3 Part F 3.3.3). After them, call
  /// ``AttributeServer/confirmationTimedOut()``.
  case awaitConfirmation(Bool)
  /// End the connection.
  case end(Fault)

  /// Why a link cannot go on.
  package enum Fault: Hashable, Sendable {
    /// The central has sent more than the server keeps until the response to a request.
    case tooManyWaiting
    /// The central has not confirmed an indication within 30 s (Vol 3 Part F 3.3.3).
    case indicationNotConfirmed
  }
}

// MARK: PDUs

extension AttributeServer {
  /// - Returns: the event of a Write Command that needs no actions.
  private mutating func handle(_ packet: [UInt8]) -> Event? {
    if packet.first == AttributeOpcode.writeCommand.rawValue { return take(packet) }
    decode(packet)
    return nil
  }

  private mutating func decode(_ packet: [UInt8]) {
    guard let first = packet.first else { return }
    let opcode = AttributeOpcode(rawValue: first)
    guard packet.count <= mtu else { return refuse(opcode, .invalidPDU) }
    do throws(AttributePDU.DecodingError) {
      handle(try AttributePDU(packet))
    } catch {
      refuse(opcode, .invalidPDU)
    }
  }

  private mutating func handle(_ pdu: AttributePDU) {
    guard awareness == .aware || admits(pdu) else { return }
    switch pdu {
    case .exchangeMTURequest(let mtu): exchangeMTU(mtu)
    case .findInformationRequest(let range): findInformation(in: range)
    case .findByTypeValueRequest(let range, let type, let value): find(type, value, in: range)
    case .readByTypeRequest(let range, let type): readByType(type, in: range)
    case .readByGroupTypeRequest(let range, let type): readByGroupType(type, in: range)
    case .readRequest(let handle): read(handle)
    case .readBlobRequest(let handle, let offset): readBlob(handle, from: Int(offset))
    case .readMultipleRequest(let handles): readMultiple(handles, .readMultipleRequest)
    case .readMultipleVariableRequest(let handles): readMultiple(handles, .readMultipleVariableRequest)
    case .writeRequest(let handle, let value): write(value, to: handle)
    case .prepareWriteRequest(let handle, let offset, let part): prepare(part, for: handle, offset)
    case .executeWriteRequest(let commits): execute(commits)
    case .confirmation: confirm()
    case .signedWriteCommand: break  // ignored without a key (Vol 3 Part C 10.4.2)
    default: refuse(pdu.opcode, .requestNotSupported)
    }
  }

  /// Refuses a PDU as a whole. Only a request has an error response; everything else is ignored (Vol 3 Part F 3.3.1).
  private mutating func refuse(_ opcode: AttributeOpcode, _ error: ATTError) {
    if opcode.isAnsweredWithError { refuse(opcode, 0x0000, error) }
  }

  /// Two errors do not concern the attribute (Vol 3 Part F 3.3.1).
  mutating func refuse(_ opcode: AttributeOpcode, _ handle: AttributeHandle, _ error: ATTError) {
    let handle = [.unlikelyError, .insufficientResources].contains(error) ? 0x0000 : handle
    send(.errorResponse(request: opcode, handle: handle, error: error))
  }

  mutating func send(_ pdu: AttributePDU) { actions.append(.send(pdu.encode())) }

  /// Both sides name the longest PDU that they can receive; the smaller number counts (Vol 3 Part F 3.4.2).
  private mutating func exchangeMTU(_ theirs: UInt16) {
    send(.exchangeMTUResponse(UInt16(limits.mtu)))
    mtu = max(AttributePDU.defaultMTU, min(Int(theirs), limits.mtu))
  }
}

extension AttributeOpcode {
  /// Whether a server answers it with an error if it does not understand it: requests, and any unknown opcode without
  /// the command flag.
  fileprivate var isAnsweredWithError: Bool {
    switch kind {
    case .request: true
    case .response: !hasName
    case .command, .notification, .indication, .confirmation: false
    }
  }
}
