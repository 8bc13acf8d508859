import Bluetooth
import DeviceModel
import Framing
import TestSupport

@testable import AttributeServer
@testable import Behavior

/// An ATT server with one central and a device. Checks its guarantees after each step.
struct ServerHarness: ~Copyable {
  private var engine: Engine
  private var server: AttributeServer
  private var security = LinkSecurity.none
  private var deviceWaits = false
  private var asked: Event?
  /// The requests that have no response yet, in their order.
  private var unanswered: [[UInt8]] = []
  /// The MTU after the last response.
  private var mtu = AttributePDU.defaultMTU
  private var isIndicating = false
  private var awaitsConfirmation = false
  private var subscriptions: Set<Int> = []
  /// What is kept of the central.
  private var bond = Bond(with: LinkAddress(central))
  /// Whether the server has ended the connection.
  private(set) var hasEnded = false

  private static let central = DeviceAddress([0xC0, 0, 0, 0, 0, 1])!
  private static let levels: [LinkSecurity] = [.none, .encrypted, .authenticated, .secureConnections]

  init() throws {
    engine = try Engine(Self.definition, settings: [], address: DeviceAddress([0xC0, 0, 0, 0, 0, 9])!)
    let database = AttributeDatabase(Self.definition, engine.table, name: "Device")
    server = AttributeServer(database, for: Self.central, preparedWrites: 8)
    _ = engine.handle(.started, at: Instant())
    _ = engine.handle(.connected(Self.central), at: Instant())
  }

  mutating func take(_ step: ServerStep) throws {
    switch step {
    case .packet(let packet): try receive(packet)
    case .waits(let waits):
      deviceWaits = waits
      if !waits { try answer(nil) }
    case .answers: try answer(nil)
    case .answersValue(let value): try answer(.value(value))
    case .answersError(let error): try answer(.refused(error))
    case .sends(let count, let index):
      try send(count, from: index)
      try sendJoinedValues()
    case .sendsTogether(let count, let indices):
      for index in indices { try send(count, from: index) }
      try sendJoinedValues()
    case .secures(let level): security = Self.levels[level]
    case .timesOut:
      let actions = server.confirmationTimedOut()
      try guarantee(actions.isEmpty != isIndicating, "an indication without a confirmation has no end")
      try perform(actions)
    case .bonds(let features, let knowsAttributes):
      try restoreBond(ClientFeatures(value: [features]), knowsAttributes)
    }
    server.update(&bond)
    try checkBounds()
  }

  private mutating func restoreBond(_ features: ClientFeatures, _ knowsAttributes: Bool) throws {
    bond.features = features
    bond.configurations = ["second": 1, "both": 2, "2A05": 2]
    bond.table = knowsAttributes ? server.database.fingerprint : Bond.outdatedTable
    for event in server.restore(bond) { try tell(event) }
    try perform(server.indicateChange())
    try guarantee(server.client.features.isSuperset(of: features), "the central has lost a feature")
  }

  /// Lets the device answer the last requests.
  mutating func finish() throws {
    try take(.waits(false))
    if !hasEnded { try guarantee(unanswered.isEmpty, "\(unanswered) have no response") }
  }

  private mutating func receive(_ packet: [UInt8]) throws {
    if packet == [AttributeOpcode.confirmation.rawValue] { isIndicating = false }
    if let opcode = packet.first.map({ AttributeOpcode(rawValue: $0) }), opcode.isRequest {
      unanswered.append(packet)
    }
    try perform(server.receive(packet, security: security))
  }

  /// - Parameter response: nil: the device's own.
  private mutating func answer(_ response: Response?) throws {
    guard let event = asked else { return }
    asked = nil
    let own = engine.handle(event, at: Instant()).response
    try guarantee(own != nil, "the device has no response to \(event)")
    try perform(server.answer(response ?? own ?? .accepted))
  }

  private mutating func send(_ count: Int, from index: Int) throws {
    let value = [UInt8](repeating: 0x6E, count: count)[...]
    guard let delivery = server.delivery(of: index) else { return }
    guard delivery == .notification else { return try perform(server.indicate(value, from: index)) }
    guard server.joinsValues else {
      return try server.notification(of: value, from: index).map { try check(sent: $0) } ?? ()
    }
    if let full = server.join(value, from: index) { try check(sent: full.packet) }
  }

  private mutating func sendJoinedValues() throws {
    if let values = server.takeJoinedValues() { try check(sent: values.packet) }
  }

  /// 1801 is the last service, so that the inputs of the corpus keep their handles.
  private static let definition = try! device(
    """
    link: { multiple-notifications: true }
    services:
      - uuid: FFE0
        handle: 0x000A
        characteristics:
          - { id: plain, uuid: FFE1, properties: [read, write, write-without-response], value: "31" }
          - { id: second, uuid: FFE1, properties: [read, notify], value: "31" }
          - { id: third, uuid: FFE1, properties: [read], value: "32" }
          - { id: fourth, uuid: FFE1, properties: [write] }
          - { id: both, uuid: FFE2, properties: [notify, indicate], permissions: [encrypt-notify] }
      - uuid: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E
        primary: false
        characteristics:
          - id: long
            uuid: 6E400002-B5A3-F393-E0A9-E50E24DCCA9E
            properties: [read, write, reliable-write, indicate]
            value: "{'long': text(512)}"
            descriptors:
              - { uuid: 2901, properties: [read, write], text: Long }
          - id: refused
            uuid: FFE3
            properties: [read, write]
            value: "33"
          - id: secure
            uuid: FFE4
            properties: [read, write]
            permissions: [secure-read, secure-write]
            value: "34"
      - uuid: 1801
        handle: 0x0024
        characteristics:
          - { uuid: 2A05, properties: [indicate] }
          - { uuid: 2B29, properties: [read, write] }
          - { uuid: 2B2A, properties: [read] }
    rules:
      - { on: { read: refused }, do: { refuse: application-error-80 } }
      - { on: { write: refused }, do: { refuse: value-not-allowed } }
    """)
}

// MARK: Guarantees

extension ServerHarness {
  private mutating func perform(_ actions: ServerActions) throws {
    let actions = Array(actions)
    for (index, action) in actions.enumerated() {
      switch action {
      case .send(let packet):
        try sendJoinedValues()
        try check(sent: packet)
      case .ask(let event):
        try guarantee(
          asked == nil && index == actions.count - 1, "the server asks without waiting for the answer")
        asked = event
      case .screen:
        try guarantee(index == actions.count - 1, "the server goes on before faults have struck")
        try perform(server.answer(.accepted))
      case .tell(let event): try tell(event)
      case .awaitConfirmation(let waits): awaitsConfirmation = waits
      case .end: hasEnded = true
      }
    }
    try guarantee(
      awaitsConfirmation == isIndicating, "the time for a confirmation does not match the indications")
    if !deviceWaits { try answer(nil) }
  }

  private mutating func check(sent packet: [UInt8]) throws {
    try guarantee(packet.count <= mtu, "a PDU has \(packet.count) bytes, but the MTU is \(mtu)")
    guard let pdu = try? AttributePDU(packet) else { return try guarantee(false, "\(packet) is no PDU") }
    switch pdu {
    case .errorResponse(let request, _, _): try check(response: pdu, to: request)
    case .notification:
      try guarantee(!server.client.isOutOfSync, "a central that is out of sync gets a value")
    case .multipleNotification(let values):
      try guarantee(!server.client.isOutOfSync, "a central that is out of sync gets values")
      try guarantee(values.count > 1, "a Multiple Handle Value Notification has one value")
      try guarantee(
        server.client.features.contains(.multipleNotifications),
        "the central has not said that it takes \(pdu)")
    case .indication(let handle, _):
      try guarantee(
        !server.client.isOutOfSync || handle == server.database.serviceChanged?.handle,
        "a central that is out of sync gets a value")
      try guarantee(!isIndicating, "two indications are not confirmed")
      isIndicating = true
    case _ where pdu.opcode.kind == .response:
      try check(response: pdu, to: AttributeOpcode(rawValue: pdu.opcode.rawValue - 1))
    default: try guarantee(false, "the server sends \(pdu)")
    }
  }

  private mutating func check(response: AttributePDU, to opcode: AttributeOpcode) throws {
    guard let request = unanswered.first, request[0] == opcode.rawValue else {
      return try guarantee(false, "\(response) comes when \(unanswered) have no response")
    }
    unanswered.removeFirst()
    if case .exchangeMTUResponse = response { mtu = max(mtu, min(517, Int(UInt16(request[1], request[2])))) }
  }

  private mutating func tell(_ event: Event) throws {
    switch event {
    case .subscribed(_, let index, _):
      try guarantee(subscriptions.insert(index).inserted, "\(index) is subscribed twice")
    case .unsubscribed(_, let index):
      try guarantee(subscriptions.remove(index) != nil, "\(index) is unsubscribed twice")
    default: break
    }
    _ = engine.handle(event, at: Instant())
  }

  private func checkBounds() throws {
    try guarantee(server.prepared.count <= 8, "\(server.prepared.count) writes are prepared")
    try guarantee(server.mtu == mtu, "the MTU is \(server.mtu) instead of \(mtu)")
    try guarantee(server.subscriptions == subscriptions.sorted(), "the device knows other subscriptions")
    try guarantee(
      isIndicating == (server.unconfirmed > 0), "\(server.unconfirmed) indications wait for nothing")
  }
}

extension AttributeOpcode {
  /// Whether it has a response: all but commands, and what a server sends.
  fileprivate var isRequest: Bool {
    switch kind {
    case .request: true
    case .response: !hasName
    case .command, .notification, .indication, .confirmation: false
    }
  }
}
