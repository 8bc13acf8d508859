import Behavior
import BlemuControl
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import BlemuJSON
import Loopback
import Peripheral
import Transcripts

/// The centrals of a device in memory. A program controls them with lines of transcripts.
@EventLoop
final class MemoryCentrals {
  let transport: LoopbackTransport
  private let peripheral: LivePeripheral
  private(set) var centrals: [DeviceAddress: LoopbackCentral] = [:]
  /// What the device may find at them.
  private var attributes: [DeviceAddress: CentralAttributes] = [:]

  /// The addresses that programs have for the centrals that they play.
  private var reserved: Set<DeviceAddress> = []
  /// Called after the device has changed how it advertises, by those who scan.
  private var scanners: [ObjectIdentifier: () -> Void] = [:]

  init(_ transport: LoopbackTransport, of peripheral: LivePeripheral) {
    (self.transport, self.peripheral) = (transport, peripheral)
    transport.onAdvertising = { [weak self] in
      for scanner in self?.scanners.values ?? [:].values { scanner() }
    }
  }

  private static let standard = DeviceAddress([0, 0, 0, 0, 0, 2])!

  /// Gives a program an address for the central that it plays: the one it names, or the first from the usual one on that no central
  /// has.
  func reserve(_ named: DeviceAddress?) throws(ControlError) -> DeviceAddress {
    var address = named ?? Self.standard
    while isTaken(address) {
      guard named == nil, let next = address.bytes.last.flatMap({ $0 < .max ? $0 + 1 : nil }) else {
        throw ControlError(.notPossible, "another program has the central \(address)")
      }
      address = DeviceAddress(address.bytes.dropLast() + [next]) ?? address
    }
    reserved.insert(address)
    return address
  }

  private func isTaken(_ address: DeviceAddress) -> Bool {
    reserved.contains(address) || centrals[address]?.isConnected == true
  }

  func release(_ address: DeviceAddress) { reserved.remove(address) }

  /// Calls this after each change of the advertisement; nil: no more.
  func scan(_ scanner: PlayedCentral, _ report: (() -> Void)?) {
    scanners[ObjectIdentifier(scanner)] = report
  }

  /// Performs the action of a line.
  ///
  /// - Parameters:
  ///   - address: of the central; nil: the usual one.
  ///   - reply: gets the response of the device.
  func act(
    _ text: String, _ parser: LineParser, as address: String?, _ reply: ControlReply
  ) throws(ControlError) {
    let step = try Self.step(text, parser)
    let named = address ?? step.central
    let address =
      try named.map { text throws(ControlError) in owner(of: try Self.address(text)) } ?? Self.standard
    switch step.action {
    case .connect(.client(let mtu, let isPhone)):
      // The journal has the values: the central need not keep them for as long as it is connected.
      let central = try connect(address, isPhone: isPhone, mtu: mtu)
      central.onValue = { _, _ in }
      return answer(reply, toConnectionOf: central) { Response.accepted.json }
    case .disconnect(let reason):
      try disconnect(address, reason ?? .remoteUserTerminated)
    case .subscribe(let characteristic):
      let central = try connected(address)
      return ask(central, reply) { central.subscribe(to: characteristic, respond: $0) }
    case .unsubscribe(let characteristic):
      let central = try connected(address)
      return ask(central, reply) { central.unsubscribe(from: characteristic, respond: $0) }
    case .write(let value, let attribute, let kind):
      let central = try connected(address)
      let coded = try coded(value, for: attribute)
      return ask(central, reply) { central.write(coded, to: attribute, kind, respond: $0) }
    case .read(let attribute):
      let central = try connected(address)
      return ask(central, reply) { central.read(attribute, respond: $0) }
    case .unpair: unpair(address)
    case .loseKeys: transport.loseKeys(address)
    case .onLink(.change(let change)): try connected(address).link.change(change)
    case .onLink(.refuseParameters): try connected(address).link.refusesParameters = true
    case .pair(let request): return try pair(request, address, reply)
    case .serve(let value, let sought): attributes(of: address)?.serve(value, for: sought)
    case .unserve(let sought): attributes(of: address)?.serve(nil, for: sought)
    case .tell(let value, let sought): try tell(value, from: sought, at: address)
    default:
      throw ControlError(
        .badParameters, "'\(text)' is not an action of a central",
        hint:
          "a central can: connect, disconnect, parameters, phy, refuse parameters, pair, bond, unpair, lose keys, subscribe, "
          + "unsubscribe, read, serve, unserve, >, >! or >?")
    }
    reply.succeed(Response.accepted.json)
  }

  /// The central that has this address: its own, or the private one of its link.
  private func owner(of address: DeviceAddress) -> DeviceAddress {
    centrals.first { $0.value.link.address.hasBytes(of: address) }?.key ?? address
  }

  private static func step(_ text: String, _ parser: LineParser) throws(ControlError) -> Step {
    do throws(Diagnostic) {
      if case .step(let step) = try parser.parse(text) { return step }
    } catch {
      throw ControlError(error, in: text)
    }
    throw ControlError(.badParameters, "'\(text)' is not an action of a central")
  }

  static func address(_ text: String) throws(ControlError) -> DeviceAddress {
    if let address = DeviceAddress(text) { return address }
    throw ControlError(.badParameters, "'\(text)' is not an address", hint: "as in 00:00:00:00:00:02")
  }
}

// MARK: Requests

extension MemoryCentrals {
  /// How long a central waits for a response (Core Specification, Vol 3 Part F 3.3.3).
  private static let requestLimit = Duration.seconds(30)

  /// Sends a request. After 30 s without a response the central leaves.
  func ask(
    _ central: LoopbackCentral, _ reply: ControlReply, _ request: (@escaping Responder) -> Void
  ) {
    answer(reply, of: central) { end in request { end($0.json) } }
  }

  /// Answers once a central that has connected knows the ATT_MTU.
  func answer(
    _ reply: ControlReply, toConnectionOf central: LoopbackCentral, _ result: @escaping () -> JSONValue
  ) {
    guard central.isExchanging else { return reply.succeed(result()) }
    answer(reply, of: central) { end in central.whenReady { end(result()) } }
  }

  /// Lets a central do something of which the result comes later.
  func answer(
    _ reply: ControlReply, of central: LoopbackCentral, _ body: (@escaping (JSONValue) -> Void) -> Void
  ) {
    let awaited = AwaitedResponse()
    body { result in
      guard awaited.end() else { return }
      guard central.isConnected else {
        return reply.fail(ControlError(.notPossible, "the connection has ended"))
      }
      reply.succeed(result)
    }
    awaited.limit(to: Self.requestLimit, on: peripheral.scheduler) {
      reply.fail(ControlError(.notPossible, "the device has not responded within 30 s"))
      central.disconnect()
    }
  }
}

/// A response that has not come yet.
@EventLoop
private final class AwaitedResponse {
  private var isOpen = true
  private var timer: AnyObject?

  /// Returns whether this is the first end.
  func end() -> Bool {
    defer { (isOpen, timer) = (false, nil) }
    return isOpen
  }

  /// Ends after a time, unless the response has come.
  func limit(to time: Duration, on scheduler: any Scheduler, onEnd: @escaping @EventLoop () -> Void) {
    guard isOpen else { return }
    timer = scheduler.schedule(at: scheduler.now.advanced(by: time)) { [weak self] in
      if self?.end() == true { onEnd() }
    }
  }
}

// MARK: Links

extension MemoryCentrals {
  @discardableResult
  func connect(
    _ address: DeviceAddress, isPhone: Bool = false, mtu: Int
  ) throws(ControlError) -> LoopbackCentral {
    if centrals[address]?.isConnected == true {
      throw ControlError(.notPossible, "\(address) is connected already")
    }
    let advertisement = transport.path.isInRange ? transport.advertisement : nil
    let isAccepted = transport.accepts(address, isPrivate: isPhone)
    if let failure = ConnectionFailure(to: advertisement, isAccepted: isAccepted) {
      throw ControlError(.notPossible, failure.sentence)
    }
    let central = transport.connect(
      address, isPrivate: isPhone, mtu: mtu, attributes: attributes(of: address))
    centrals[address] = central
    return central
  }

  func disconnect(_ address: DeviceAddress, _ reason: HCIError = .remoteUserTerminated) throws(ControlError) {
    try connected(address).disconnect(reason)
    centrals[address] = nil
  }

  func unpair(_ address: DeviceAddress) {
    transport.unpair(address)
    centrals[address] = nil
  }

  func connected(_ address: DeviceAddress) throws(ControlError) -> LoopbackCentral {
    if let central = centrals[address], central.isConnected { return central }
    centrals[address] = nil
    throw ControlError(.notPossible, "\(address) is not connected", hint: "connect first")
  }

  /// The central disconnects if pairing fails.
  func pair(
    _ request: PairingRequest, _ address: DeviceAddress, _ reply: ControlReply
  ) throws(ControlError) {
    let central = try connected(address)
    answer(reply, of: central) { end in
      central.link.pair(request) { [weak self] in
        switch $0 {
        case .paired(let isBonded): end(["response": "paired", "bonded": .boolean(isBonded)])
        case .failed(let failure):
          end(["response": "refused", "error": .string(failure.name)])
          central.disconnect()
          self?.centrals[address] = nil
        case nil: end(.null)
        }
      }
    }
  }

  /// nil: the device looks for nothing.
  private func attributes(of address: DeviceAddress) -> CentralAttributes? {
    guard !peripheral.definition.sought.isEmpty else { return nil }
    let known = attributes[address] ?? CentralAttributes(peripheral.definition)
    attributes[address] = known
    return known
  }

  private func tell(
    _ value: [UInt8], from sought: Int, at address: DeviceAddress
  ) throws(ControlError) {
    _ = try connected(address)
    guard let attributes = attributes(of: address), attributes.isSubscribed(sought) else {
      let id = peripheral.definition.sought[sought].id
      throw ControlError(.notPossible, "the device has not subscribed to \(id)")
    }
    attributes.tell(try encoded(value, for: .sought(sought)), from: sought)
  }

  /// The bytes on the air of a value.
  private func coded(_ value: [UInt8], for attribute: AttributeReference) throws(ControlError) -> [UInt8] {
    guard case .characteristic(let index) = attribute else { return value }
    return try encoded(value, for: .characteristic(index))
  }

  private func encoded(_ value: [UInt8], for place: Endpoint) throws(ControlError) -> [UInt8] {
    do { return try peripheral.codedByPeer(value, for: place) } catch {
      throw ControlError(.badParameters, "the value cannot be encoded: \(error)")
    }
  }
}

extension Response {
  var json: JSONValue {
    switch self {
    case .accepted: ["response": "accepted"]
    case .value(let value): ["response": "value", "value": .string(HexText.format(value))]
    case .refused(let error, _):
      ["response": "refused", "error": .string(error.name), "code": .integer(Int(error.rawValue))]
    }
  }
}
