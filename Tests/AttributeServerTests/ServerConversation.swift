import Bluetooth
import Definitions
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import AttributeServer
@testable import Behavior

/// A device, its ATT server and two centrals, as a transcript: the lines that happen are given, and the lines that
/// follow from them are the server's. `#` begins a comment, `2E*18` is a byte that comes 18 times.
///
/// What happens:
///
///     > 0A 03 00            a central sends a PDU; `2>` is the second central
///     ] 41 54               bytes come in at the wire side, from which the device's rules may send values
///     link encrypted        the links are protected; also `none`, `authenticated`, `secure`; `encrypted 7`: with a key of 7 bytes
///     device waits          from now on, the device keeps the requests that it gets
///     device answers        it answers the one it has
///     30 s, 200 ms          time passes
///     central bonds         from now on, the device keeps what it must of the first central
///     central reconnects    to the attributes that the device has now; a bonded one on an encrypted link
///
/// What follows:
///
///     < 0B 41 42            the server sends a PDU; `2<` to the second central
///     ! indicationNotConfirmed    the link of a central ends
struct ServerConversation {
  private(set) var engine: Engine
  private(set) var servers: [Served]
  private var security = LinkSecurity.none
  /// Whether the device has keys for the links of the centrals.
  var centralsHaveKeys = false {
    didSet { for index in servers.indices { servers[index].server.hasKey = centralsHaveKeys } }
  }
  private var deviceWaits = false
  /// The requests that the device has not answered, by central.
  private var asked: [(index: Int, event: Event)] = []
  /// The centrals of the requests whose responses rules place, by number.
  private var placed: [Int: Int] = [:]
  private var now = Instant()
  private var timers: [TimerIdentifier: Instant] = [:]
  /// When the time for a confirmation is over, by central.
  private var confirmationsDue: [Int: Instant] = [:]
  private var lines: [String] = []
  private var bond: Bond?
  private var database: AttributeDatabase

  static let centrals = [
    DeviceAddress("4C:32:75:0A:11:9E")!, DeviceAddress("4C:32:75:0A:11:9F")!,
  ]

  init(_ definition: PeripheralDefinition, mtu: Int = 517, preparedWrites: Int = 64) throws {
    engine = try Engine(
      definition, settings: definition.settings.map(\.initial), address: DeviceAddress("50:8C:B1:6A:7C:AB")!,
      handles: AttributeDatabase.handles)
    let database = AttributeDatabase(definition, engine.table, name: "Device", appearance: 0x03C1)
    self.database = database
    servers = Self.centrals.map {
      Served(AttributeServer(database, for: $0, mtu: mtu, preparedWrites: preparedWrites))
    }
    tell(.started)
    for central in Self.centrals { tell(.connected(central)) }
  }

  /// The transcript as it happens, for comparison with the one that was expected.
  mutating func play(_ transcript: String) -> String {
    lines = []
    for line in Self.lines(of: transcript) where !Self.follows(line) {
      lines.append(line)
      perform(line)
    }
    return lines.joined(separator: "\n")
  }

  /// The lines without comments, and bytes in one form.
  static func lines(of transcript: String) -> [String] {
    transcript.split(separator: "\n").compactMap { line in
      let text = line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
      guard let end = text.firstIndex(where: { "><]".contains($0) }) else { return text.isEmpty ? nil : text }
      let bytes = PacketText.bytes(text[text.index(after: end)...])
      return (text[...end] + " " + PacketText.text(bytes)).trimmed
    }
  }

  private static func follows(_ line: String) -> Bool {
    line.hasPrefix("<") || line.hasPrefix("2<") || line.hasPrefix("!") || line.hasPrefix("2!")
  }
}

/// A row of a table of conversations: the fact that it proves, the device, and the packets.
struct Scenario: CustomTestStringConvertible {
  let fact: String
  let device: PeripheralDefinition
  let transcript: String
  /// Where a failure is reported.
  let place: SourceLocation

  init(
    _ fact: String, _ device: PeripheralDefinition, _ transcript: String,
    place: SourceLocation = #_sourceLocation
  ) {
    (self.fact, self.device, self.transcript, self.place) = (fact, device, transcript, place)
  }

  var testDescription: String { fact }
}

/// Holds a conversation with a device and compares it with the one that was expected.
func expect(
  _ definition: PeripheralDefinition, _ transcript: String,
  preparedWrites: Int = 64, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var conversation = try ServerConversation(definition, preparedWrites: preparedWrites)
  expect(&conversation, transcript, sourceLocation: sourceLocation)
}

/// Likewise, with a conversation that goes on.
func expect(
  _ conversation: inout ServerConversation, _ transcript: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let expected = ServerConversation.lines(of: transcript).joined(separator: "\n")
  let actual = conversation.play(transcript)
  guard actual != expected else { return }
  Issue.record(
    "expected (-), but happened (+):\n\(LineDifference(from: expected, to: actual))",
    sourceLocation: sourceLocation)
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}

// MARK: What happens

extension ServerConversation {
  private mutating func perform(_ line: String) {
    let index = line.hasPrefix("2>") ? 1 : 0
    let words = line.split(separator: " ")
    switch words[0] {
    case ">", "2>":
      let packet = PacketText.bytes(words.dropFirst().joined(separator: " "))
      perform(servers[index].server.actions(after: packet, security: security), for: index)
    case "]": tell(.wireReceived(PacketText.bytes(words.dropFirst().joined(separator: " "))))
    case "link":
      security = Self.levels[String(words[1])]!
      if words.count > 2 { security.keySize = Int(words[2])! }
    case "device" where words[1] == "waits": deviceWaits = true
    case "device" where words[1] == "answers": answer()
    case "central" where words[1] == "bonds":
      bond = Bond(with: LinkAddress(Self.centrals[0]))
    case "central" where words[1] == "reconnects": reconnect()
    case _ where words.count == 2 && words[1] == "s": pass(.seconds(Int(words[0])!))
    case _ where words.count == 2 && words[1] == "ms": pass(.milliseconds(Int(words[0])!))
    default: preconditionFailure("a transcript has no line '\(line)'")
    }
  }

  private static let levels: [String: LinkSecurity] = [
    "none": .none, "encrypted": .encrypted, "authenticated": .authenticated, "secure": .secureConnections,
  ]

  private mutating func answer() {
    precondition(!asked.isEmpty, "the device has no request to answer")
    let (index, event) = asked.removeFirst()
    answer(event, for: index)
  }

  private mutating func reconnect() {
    if var kept = bond {
      servers[0].server.update(&kept)
      bond = kept
    }
    confirmationsDue[0] = nil
    tell(.disconnected(Self.centrals[0], nil))
    servers[0] = Served(AttributeServer(database, for: Self.centrals[0]))
    tell(.connected(Self.centrals[0]))
    guard let bond else { return }
    for event in servers[0].server.restore(bond) { tell(event) }
    perform(servers[0].server.indicateChange(), for: 0)
  }

  private mutating func pass(_ duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = (Array(timers.values) + confirmationsDue.values).min(), next <= end {
      now = max(now, next)
      if let (timer, _) = timers.first(where: { $0.value == next }) {
        timers[timer] = nil
        tell(.timerFired(timer))
      } else if let (index, _) = confirmationsDue.first(where: { $0.value == next }) {
        confirmationsDue[index] = nil
        perform(servers[index].server.confirmationTimedOut(), for: index)
      }
    }
    now = end
  }
}

// MARK: What follows

extension ServerConversation {
  private mutating func perform(_ actions: some Sequence<ServerAction>, for index: Int) {
    let mark = Self.mark(of: index)
    for action in actions {
      switch action {
      case .send(let packet):
        sendJoinedValues(for: index)
        lines.append("\(mark)< \(PacketText.text(packet))")
      case .ask(let event):
        if deviceWaits { asked.append((index, event)) } else { answer(event, for: index) }
      case .screen: perform(servers[index].server.answer(.accepted), for: index)
      case .tell(let event): tell(event)
      case .awaitConfirmation(let waits):
        confirmationsDue[index] = waits ? now.advanced(by: .seconds(30)) : nil
      case .end(let fault): lines.append("\(mark)! \(fault)")
      }
    }
  }

  /// The response goes out before the values that the request causes, unless a rule places it, as in ``Outcome``.
  private mutating func answer(_ event: Event, for index: Int) {
    let outcome = engine.handle(event, at: now)
    if let request = outcome.request {
      placed[request] = index
    } else {
      perform(servers[index].server.answer(outcome.response!), for: index)
    }
    perform(outcome.actions)
  }

  private mutating func tell(_ event: Event) { perform(engine.handle(event, at: now).actions) }

  private mutating func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .respond(let response, let request):
        guard let index = placed.removeValue(forKey: request) else { continue }
        perform(servers[index].server.answer(response), for: index)
      case .notify(let characteristic, let value, _, _):
        for index in servers.indices { send(value, from: characteristic, for: index) }
      case .startTimer(let timer, let instant): timers[timer] = instant
      case .stopTimer(let timer): timers[timer] = nil
      case .serve(let table, let toConnected):
        database = AttributeDatabase(engine.definition, table, name: "Device", appearance: 0x03C1)
        guard toConnected else { continue }
        for index in servers.indices { perform(servers[index].server.serve(database), for: index) }
      case .transmit, .close, .request, .sendPDU, .writeToWire, .setBaud, .advertise, .pair, .disconnect,
        .askLink, .forget, .forgetOldest, .ask,
        .relay,
        .remark:
        break
      }
    }
    for index in servers.indices { sendJoinedValues(for: index) }
  }

  private mutating func send(_ value: [UInt8], from characteristic: Int, for index: Int) {
    guard let delivery = servers[index].server.delivery(of: characteristic, over: security) else { return }
    guard delivery == .notification else {
      return perform(servers[index].server.indicate(value[...], from: characteristic), for: index)
    }
    guard servers[index].server.joinsValues else {
      let packet = servers[index].server.notification(of: value[...], from: characteristic)
      return perform(packet.map { [ServerAction.send($0)] } ?? [], for: index)
    }
    if let full = servers[index].server.join(value[...], from: characteristic) { note(full, for: index) }
  }

  /// The values of an event go out at its end, and before any other PDU.
  private mutating func sendJoinedValues(for index: Int) {
    if let values = servers[index].server.takeJoinedValues() { note(values, for: index) }
  }

  private mutating func note(_ values: JoinedValues, for index: Int) {
    lines.append("\(Self.mark(of: index))< \(PacketText.text(values.packet))")
  }

  private static func mark(of index: Int) -> String { index == 0 ? "" : "\(index + 1)" }
}

/// Holds a server, which cannot be copied.
final class Served {
  var server: AttributeServer

  init(_ server: consuming AttributeServer) { self.server = server }
}

extension AttributeServer {
  /// No fault strikes the requests that the server answers by itself.
  private mutating func passScreen(_ actions: ServerActions) -> [ServerAction] {
    var passed: [ServerAction] = []
    for action in actions {
      if case .screen = action { passed += passScreen(answer(.accepted)) } else { passed.append(action) }
    }
    return passed
  }

  /// What follows from a PDU, as actions.
  mutating func actions(after packet: [UInt8], security: LinkSecurity = .none) -> [ServerAction] {
    passScreen(receive(packet, security: security))
  }
}
