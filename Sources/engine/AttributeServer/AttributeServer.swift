import Behavior
import Bluetooth
import DeviceModel

/// The ATT server for one central: PDUs and responses of the device in, PDUs and events out (Core Specification, Vol 3
/// Part F 3.4).
///
/// It has no clock and does no IO, and belongs to one link, so it is never copied. ``receive(_:security:)`` takes a PDU from the
/// central; the caller performs the actions in order, and answers a ``ServerAction/ask(_:)`` by ``answer(_:)``, at once or later. A
/// client sends its next request only after the response (3.3.2). If it does not wait, its PDUs wait here and keep their order,
/// except for confirmations: requests and indications do not wait for each other.
package struct AttributeServer: ~Copyable, Sendable {
  /// How many PDUs may wait for the response to a request: as many as the events that wait for an interception.
  package static let mostWaiting = 4096
  /// The ATT_MTU that the server offers unless the definition names another one, bytes.
  package static let usualMTU = 517

  package let central: Central
  package internal(set) var database: AttributeDatabase { didSet { noteDeliveries() } }
  /// The longest PDU that the server offers.
  private let longestPDU: Int
  /// The link's ATT_MTU, bytes.
  package private(set) var mtu = AttributePDU.defaultMTU
  /// The longest PDU that the device takes, as it has told the central in a request of its own; nil: it has sent none, or has the
  /// response.
  private var requestedMTU: Int?
  /// Whether the device has a key with which the central can encrypt the link.
  package var hasKey = false
  var client: ClientState
  /// How the central gets the values of characteristics, by index in the definition; nil also for those after the last.
  private(set) var deliveries: [Delivery?] = []
  var prepared: PreparedWrites
  var indications = PendingIndications()
  /// The request that the device has not answered.
  private var request: RequestInProgress?
  /// How the central gets the values of a characteristic whose subscription has no response yet, but may have values.
  var early: (characteristic: Int, delivery: Delivery?)?
  /// The link's protection at the last PDU.
  private(set) var security = LinkSecurity.none
  /// The values of the present event that wait to go together.
  private var joined = JoinedValues()
  private var waiting: ArraySlice<[UInt8]> = []
  private var actions = ServerActions()

  /// - Parameters:
  ///   - mtu: the ATT_MTU that the server offers, bytes.
  ///   - preparedWrites: how many the central may queue.
  package init(
    _ database: AttributeDatabase, for central: Central, mtu: Int = usualMTU, preparedWrites: Int = 64
  ) {
    (self.database, self.central, longestPDU) = (database, central, mtu)
    client = ClientState(hasHash: database.hasHash)
    prepared = PreparedWrites(limit: preparedWrites)
    noteDeliveries()
  }

  /// After a change of the configurations or of the attributes: each value asks for its delivery.
  mutating func noteDeliveries() {
    deliveries = (0..<database.valueCount).map { index in
      database.unconditional[index]
        ?? client.configurations[.characteristic(index)].flatMap { database.delivery($0, of: index) }
    }
  }

  /// Whether the device has not answered the last ``ServerAction/ask(_:)``.
  package var awaitsAnswer: Bool { request != nil }

  /// Whether the outcome of a request depends on the protection of the link.
  package var needsSecurity: Bool { database.needsSecurity }

  /// Takes a PDU.
  ///
  /// - Parameter security: the link's protection now.
  package mutating func receive(_ packet: [UInt8], security: LinkSecurity = .none) -> ServerActions {
    self.security = security
    let isConfirmation = packet.first == AttributeOpcode.confirmation.rawValue
    if isConfirmation || request == nil {
      handle(packet)
    } else if waiting.count < Self.mostWaiting {
      waiting.append(packet)
    } else {
      add(.end(.tooManyWaiting))
    }
    return takeActions()
  }

  /// Takes the device's response to the last ``ServerAction/ask(_:)``.
  package mutating func answer(_ response: Response) -> ServerActions {
    guard let request = request.take() else { return [] }
    early = nil
    proceed(request, response)
    guard !waiting.isEmpty else { return takeActions() }
    while self.request == nil, let packet = waiting.popFirst() { handle(packet) }
    if waiting.isEmpty { waiting = [] }  // an empty slice would keep its memory
    return takeActions()
  }

  private mutating func proceed(_ request: RequestInProgress, _ response: Response) {
    switch request {
    case .read(let handle): proceed(reading: handle, .readRequest, response)
    case .readBlob(let handle): proceed(reading: handle, .readBlobRequest, response)
    case .readMultiple(let read): proceed(read, response)
    case .search(let search): proceed(search, response)
    case .write(let kind, let handle):
      if let error = response.error {
        fail(kind, at: response.handle ?? handle, error)
      } else {
        succeed(kind)
      }
    case .configure(let kind, let handle, let characteristic, let new):
      proceed(configuring: characteristic, new, at: handle, kind, response)
    case .check(let index): proceed(checking: index, response)
    case .prepare(let write):
      if let error = response.error {
        refuse(.prepareWriteRequest, response.handle ?? write.handle, error)
      } else {
        append(write)
      }
    case .screened(let pdu):
      guard let error = response.error else { return serve(pdu) }
      if case .executeWriteRequest = pdu { prepared.drop() }
      // One that is not supported has no handle (Vol 3 Part F 3.4.1.1).
      let own = error == .requestNotSupported ? 0x0000 : pdu.firstHandle
      refuse(pdu.opcode, response.handle ?? own, error)
    }
  }

  mutating func takeActions() -> ServerActions { actions.takeAll() }
}

// MARK: PDUs

extension AttributeServer {
  private mutating func handle(_ packet: [UInt8]) {
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
    if let handle = client.refusedHandle(in: pdu) { return refuse(pdu.opcode, handle, .databaseOutOfSync) }
    guard let place = ownPlace(of: pdu) else { return serve(pdu) }
    request = .screened(pdu)
    add(.screen(place, pdu.written))
  }

  private mutating func serve(_ pdu: AttributePDU) {
    switch pdu {
    case .exchangeMTURequest(let mtu): exchangeMTU(mtu)
    case .exchangeMTUResponse(let mtu): endExchange(mtu)
    case .findInformationRequest(let range): findInformation(in: range)
    case .findByTypeValueRequest(let range, let type, let value): find(type, value, in: range)
    case .readByTypeRequest(let range, let type): readByType(type, in: range)
    case .readByGroupTypeRequest(let range, let type): readByGroupType(type, in: range)
    case .readRequest(let handle): read(handle)
    case .readBlobRequest(let handle, let offset): readBlob(handle, from: Int(offset))
    case .readMultipleRequest(let handles): readMultiple(handles, .readMultipleRequest)
    case .readMultipleVariableRequest(let handles): readMultiple(handles, .readMultipleVariableRequest)
    case .writeRequest(let handle, let value): write(value, to: handle)
    case .writeCommand(let handle, let value): take(value, for: handle)
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

  mutating func refuse(_ opcode: AttributeOpcode, _ handle: AttributeHandle, _ error: ATTError) {
    send(.errorResponse(request: opcode, handle: handle, error: error))
  }

  /// - Parameter response: that of the device; if it is not an error, the server has no value, which does not concern the
  ///   attribute (3.3.1).
  mutating func refuse(_ opcode: AttributeOpcode, _ handle: AttributeHandle, _ response: Response) {
    guard let error = response.error else { return refuse(opcode, 0x0000, .unlikelyError) }
    refuse(opcode, response.handle ?? handle, error)
  }

  mutating func send(_ pdu: AttributePDU) { add(.send(pdu.encode())) }

  /// Passes events to the device, which gives no response that the central gets.
  mutating func tell(_ events: [Event]) {
    for event in events { add(.tell(event)) }
  }

  /// Asks the device, with whose response the request proceeds.
  mutating func ask(_ event: Event, then request: RequestInProgress) {
    self.request = request
    add(.ask(event))
  }

  mutating func add(_ action: consuming ServerAction) { actions.append(action) }

  /// Both sides name the longest PDU that they can receive; the smaller number counts. A client asks only once, so another request
  /// does not take back what it can receive (Vol 3 Part F 3.4.2.1, 3.4.2.2).
  private mutating func exchangeMTU(_ theirs: UInt16) {
    send(.exchangeMTUResponse(UInt16(longestPDU)))
    mtu = max(mtu, min(Int(theirs), longestPDU))
  }
}

// MARK: The device asks for the ATT_MTU (Vol 3 Part F 3.4.2)

extension AttributeServer {
  /// Notes a PDU that the device sends as it is.
  package mutating func noteRequest(_ packet: [UInt8]) {
    guard packet.first == AttributeOpcode.exchangeMTURequest.rawValue else { return }
    if case .exchangeMTURequest(let mtu)? = try? AttributePDU(packet) { requestedMTU = Int(mtu) }
  }

  /// Whether a PDU is the response to that.
  package func awaitsMTU(_ packet: [UInt8]) -> Bool {
    requestedMTU != nil && packet.first == AttributeOpcode.exchangeMTUResponse.rawValue
  }

  private mutating func endExchange(_ theirs: UInt16) {
    guard let requested = requestedMTU.take() else { return }
    mtu = max(AttributePDU.defaultMTU, min(Int(theirs), requested))
  }
}

// MARK: Multiple Handle Value Notifications (Vol 3 Part F 3.4.7.4, Part G 4.10.2)

extension AttributeServer {
  /// Whether the values that one event notifies go to the central together.
  package var joinsValues: Bool { database.joinsValues && client.features.contains(.multipleNotifications) }

  /// Takes a value that goes to the central by notification, cut to the MTU, and lets it wait for others of the same event.
  ///
  /// The caller takes the values that wait at the end of the event, and before it sends any other PDU.
  ///
  /// - Returns: the values before it, if this one does not fit into their PDU: they have to be sent now.
  package mutating func join(_ value: ArraySlice<UInt8>, from characteristic: Int) -> JoinedValues? {
    guard let handle = database.sendingHandle(of: characteristic) else { return nil }
    let new = AttributeValue(handle, Array(value.prefix(mtu - 3)))
    let full = joined.hasRoom(for: new, mtu: mtu) ? nil : takeJoinedValues()
    joined.append(new, from: characteristic)
    return full
  }

  /// The values that wait; nil: there are none.
  package mutating func takeJoinedValues() -> JoinedValues? {
    guard !joined.isEmpty else { return nil }
    defer { joined = JoinedValues() }
    return joined
  }
}

// MARK: Permissions

extension AttributeServer {
  /// The error says what the central can do: pair, encrypt the link with the key that both have, or pair with a longer one or
  /// in a safer way (Vol 3 Part C 10.3.1).
  func error(_ access: AttributeAccess, denied: ATTError) -> ATTError? {
    switch access {
    case .open: nil
    case .denied: denied
    case .secured(let level, let keySize):
      if !security.isEncrypted {
        hasKey ? .insufficientEncryption : .insufficientAuthentication
      } else if security.keySize < keySize {
        .encryptionKeySizeTooShort
      } else {
        security.level >= level ? nil : .insufficientAuthentication
      }
    }
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
