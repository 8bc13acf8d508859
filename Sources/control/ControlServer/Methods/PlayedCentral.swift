import Behavior
import BlemuControl
import BlemuJSON
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback
import Peripheral
import Transcripts

/// The central that a program plays with the method `central`, for as long as its connection lasts: a client of a device in memory,
/// which addresses attributes by their handles.
@EventLoop
package final class PlayedCentral {
  private let centrals: MemoryCentrals
  private let device: ControlledDevice
  private let text: JournalText
  /// Sends a line to the program.
  private let tell: (String) -> Void
  private var address: DeviceAddress?
  /// What the program knows of each advertising set, by its name.
  private var told: [String: JSONValue] = [:]

  init(
    among centrals: MemoryCentrals, of device: ControlledDevice, _ text: JournalText,
    tell: @escaping (String) -> Void
  ) {
    (self.centrals, self.device, self.text, self.tell) = (centrals, device, text, tell)
  }

  /// Its program has gone.
  func end() {
    centrals.scan(self, nil)
    guard let address else { return }
    try? centrals.disconnect(address)
    centrals.release(address)
  }

  /// Performs a request.
  ///
  /// - Parameter parameters: those of the method, of the right types.
  package func act(_ parameters: JSONValue, _ reply: ControlReply) throws(ControlError) {
    switch parameters["do"]?.text.flatMap(CentralAct.init) {
    case .scan: return reply.succeed(scan())
    case .connect: return try connect(parameters, reply)
    case .discover:
      let central = try connected
      return centrals.answer(reply, of: central) { end in
        central.discover { end(Self.json(of: $0)) }
      }
    case .read:
      let (central, handle) = (try connected, try handle(parameters))
      return centrals.ask(central, reply) { central.read(handle, respond: $0) }
    case .write:
      let (central, handle) = (try connected, try handle(parameters))
      let value = try value(parameters)
      let kind: WriteKind =
        switch parameters["kind"]?.text {
        case "command": .command
        case "reliable": .reliable
        default: .request
        }
      return centrals.ask(central, reply) { central.write(value, to: handle, kind, respond: $0) }
    case .pair: return try pair(parameters, reply)
    case .unpair: if let address { centrals.unpair(address) }
    case .disconnect: try centrals.disconnect(connected.address)
    case nil: break
    }
    reply.succeed(Response.accepted.json)
  }

  private func handle(_ parameters: JSONValue) throws(ControlError) -> AttributeHandle {
    if let handle = parameters["handle"]?.wholeNumber { return AttributeHandle(handle) }
    throw ControlError(.badParameters, "'handle' is missing: read and write need it")
  }

  private func value(_ parameters: JSONValue) throws(ControlError) -> [UInt8] {
    guard let text = parameters["value"]?.text else {
      throw ControlError(.badParameters, "'value' is missing: write needs it")
    }
    return try DeviceControl.bytes(text)
  }
}

// MARK: Links

extension PlayedCentral {
  private var connected: LoopbackCentral {
    get throws(ControlError) {
      guard let address else {
        throw ControlError(.notPossible, "the central is not connected", hint: "connect first")
      }
      return try centrals.connected(address)
    }
  }

  private func connect(_ parameters: JSONValue, _ reply: ControlReply) throws(ControlError) {
    let address = try wantedAddress(parameters)
    let central = try centrals.connect(address, mtu: parameters["mtu"]?.wholeNumber ?? Self.standardMTU)
    central.onArrival = { [weak self] in self?.arrived($0, $1, $2) }
    central.onDisconnect = { [weak self, weak central] in
      self?.tell("disconnected", ["reason": .string((central?.link.lossReason ?? .unspecifiedError).name)])
    }
    centrals.answer(reply, toConnectionOf: central) {
      ["as": .string(address.description), "mtu": .integer(central.mtu)]
    }
  }

  /// The address that the program names, or that this central has had, or a new one. It is this central's from now on: no other
  /// program's, which this one could otherwise disconnect.
  private func wantedAddress(_ parameters: JSONValue) throws(ControlError) -> DeviceAddress {
    let named = try parameters["as"]?.text.map { text throws(ControlError) in
      try MemoryCentrals.address(text)
    }
    if let address, named == nil || named == address { return address }
    let new = try centrals.reserve(named)
    if let address { centrals.release(address) }
    address = new
    return new
  }

  /// What Linux asks for.
  private static let standardMTU = 517

  private func pair(_ parameters: JSONValue, _ reply: ControlReply) throws(ControlError) {
    let passkey = parameters["passkey"]?.wholeNumber.map(UInt32.init)
    try centrals.pair(
      PairingRequest(
        capability: device.definition.capabilityOfCentral(toEnter: passkey), passkey: passkey,
        bonds: parameters["bond"]?.truth ?? true), connected.address, reply)
  }

  private func arrived(_ handle: AttributeHandle, _ value: [UInt8], _ delivery: Delivery) {
    var members: JSONValue = [
      "handle": .integer(Int(handle)), "value": .string(HexText.format(value)),
      "delivery": .string(delivery.rawValue),
    ]
    if let index = centrals.transport.server.database.characteristic(sendingFrom: handle) {
      let id = device.definition.characteristics[index].id
      members = members.adding(["attribute": .string(id)])
        .adding(text.messages.message(in: .notify(id, value))?.members ?? [])
    }
    tell("value", members)
  }

  private func tell(_ event: String, _ members: JSONValue) {
    let object = (["event": .string(event)] as JSONValue).adding(members.members ?? []).line
    tell(#"{"jsonrpc":"2.0","method":"central","params":"# + object + "}")
  }
}

// MARK: Scanning

extension PlayedCentral {
  private func scan() -> JSONValue {
    centrals.scan(self) { [weak self] in self?.advertisingChanged() }
    let sets = heardSets
    told = Dictionary(uniqueKeysWithValues: sets.map { ($0.name, $0.json) })
    for set in sets.dropFirst() { tell("advertising", set.json) }
    return sets.first?.json ?? silence
  }

  private func advertisingChanged() {
    let sets = heardSets
    // A set that has another address than before is another device for who hears it.
    for (name, before) in told
    where before["advertising"] != .null
      && sets.first(where: { $0.name == name })?.json["address"] != before["address"]
    {
      tell(
        "advertising",
        (["advertising": .null] as JSONValue).adding([
          "address": before["address"], "address-type": before["address-type"],
        ]))
    }
    for set in sets where told[set.name] != set.json { tell("advertising", set.json) }
    told = Dictionary(uniqueKeysWithValues: sets.map { ($0.name, $0.json) })
  }

  private var heardSets: [(name: String, json: JSONValue)] {
    let transport = centrals.transport
    guard transport.path.isInRange, let advertisement = transport.advertisement else { return [] }
    return advertisement.shownSets.map { ($0.name, json(of: $0)) }
  }

  private var silence: JSONValue { address(of: nil).adding(["advertising": .null]) }

  private func address(of set: Advertisement?) -> JSONValue {
    let own = set?.address?.address
    return [
      "address": .string((own ?? device.peripheral.onAir?.adapter.address)?.description ?? ""),
      "address-type": own == nil ? "public" : "random",
    ]
  }

  private func json(of set: Advertisement) -> JSONValue {
    let packets = device.packetLimits?.packets(of: set)
    let (data, response) = (
      packets?.advertisingData ?? AdvertisingData(), packets?.scanResponse ?? AdvertisingData()
    )
    let fields = AdvertisedFields([data, response])
    let object: JSONValue = [
      "data": .string(HexText.format(data.bytes)), "scan-response": .string(HexText.format(response.bytes)),
      "connectable": .boolean(set.isConnectable),
      "interval": .integer(Int((set.interval?.lowerBound.milliseconds ?? Self.standardInterval).rounded())),
      "rssi": .integer(centrals.transport.path.rssi ?? Self.standardRSSI),
    ]
    return address(of: set).adding([
      "advertising": object.adding(["local-name": fields.localName.map { .string($0) }]).adding(
        fields.members)
    ])
  }

  /// As BlueZ advertises by default, ms.
  private static let standardInterval = 100.0
  /// Of a device about a metre away, dBm.
  private static let standardRSSI = -50
}

// MARK: Discovery

extension PlayedCentral {
  private static func json(of table: Result<DiscoveredTable, ATTError>) -> JSONValue {
    switch table {
    case .failure(let error): Response.refused(error).json
    case .success(let table): ["services": .array(table.services.map(json))]
    }
  }

  private static func json(of service: DiscoveredService) -> JSONValue {
    [
      "uuid": .string(service.uuid.description), "handle": .integer(Int(service.handles.first)),
      "end": .integer(Int(service.handles.last)), "primary": .boolean(service.isPrimary),
      "includes": .array(service.includes.map { .integer(Int($0)) }),
      "characteristics": .array(service.characteristics.map(json)),
    ]
  }

  private static func json(of characteristic: DiscoveredCharacteristic) -> JSONValue {
    [
      "uuid": .string(characteristic.uuid.description),
      "declaration": .integer(Int(characteristic.declarationHandle)),
      "handle": .integer(Int(characteristic.handle)),
      "properties": .array(characteristic.properties.names.map { .string($0) }),
      "descriptors": .array(
        characteristic.descriptors.map {
          ["uuid": .string($0.type.description), "handle": .integer(Int($0.handle))]
        }),
    ]
  }
}
