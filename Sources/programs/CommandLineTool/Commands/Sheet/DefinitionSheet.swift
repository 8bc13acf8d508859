import AttributeServer
import Bluetooth
import BlueZLimits
import DeviceModel
import Devices
import Exact
import Framing
import Transcripts

/// Shows a definition as a central sees the device.
struct DefinitionSheet {
  let text: String

  /// - Parameter limits: the limits of the transport that serves the device.
  /// - Throws: if with these settings the advertisement or the speed of the wire side is not valid, or the transport
  ///   cannot serve the attributes.
  init(_ choice: DefinitionChoice, _ limits: any TransportLimits) throws {
    let sections = [
      Self.head(choice), try Self.advertising(choice, limits), try Self.attributes(choice, limits),
      try Self.pairing(choice), Self.channels(choice), Self.sought(choice), try Self.wire(choice),
      BehaviorSheet(choice).text,
    ]
    text = sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func attributes(_ choice: DefinitionChoice, _ limits: any TransportLimits) throws -> String {
    let context = choice.definition.context(
      settings: choice.settings, address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
    let advertisement = try choice.definition.advertised(in: context)
    if choice.definition.services.isEmpty, !advertisement.isConnectable { return "" }
    let table = try choice.definition.attributes(in: context)
    if let problem = limits.problem(with: table, of: choice.definition) {
      throw CommandError.badSettings(problem: problem)
    }
    if limits is ExactLimits {
      let database = AttributeDatabase(
        choice.definition, table, name: advertisement.localName ?? choice.definition.name,
        appearance: advertisement.appearance ?? 0)
      return AttributeSheet(choice.definition, table, database).text
    }
    return AttributeSheet(choice.definition, limits.served(table), limits.handles).text
  }

  private static func head(_ choice: DefinitionChoice) -> String {
    let summary = choice.definition.summary
    return "\(choice.definition.name) (\(choice.path))\n" + (summary.isEmpty ? "" : summary + "\n")
  }

  private static func pairing(_ choice: DefinitionChoice) throws -> String {
    let address = DeviceAddress(Array(repeating: 0, count: 6))!
    let context = choice.definition.context(settings: choice.settings, address: address)
    guard let policy = try choice.definition.pairing(in: context) else { return "" }
    guard policy.isAllowed else { return "pairing\n  refused\n" }
    var parts = [policy.capability.name]
    if let passkey = policy.passkey, policy.capability != .noInputNoOutput {
      let verb = policy.capability.hasKeyboard ? "entered" : "shown in memory"
      parts.append("\(Passkey.text(of: passkey)) is \(verb)")
    }
    if policy.secureConnections != .allowed {
      parts.append("LE Secure Connections \(policy.secureConnections.rawValue)")
    }
    if policy.requiresAuthentication { parts.append("requires authentication") }
    if !policy.bonds { parts.append("keeps no keys") }
    if let most = policy.mostBonds {
      parts.append("at most \(most) bonds" + (policy.replacesOldestBond ? ", then without the oldest" : ""))
    }
    if policy.requestsSecurity { parts.append("asks for encryption") }
    return "pairing\n  \(parts.joined(separator: ", "))\n"
  }

  private static func channels(_ choice: DefinitionChoice) -> String {
    let lines = choice.definition.channels.map { channel in
      let terms = channel.offer.terms
      let level = ChannelDefinition.securityLevels.first {
        $0.level == channel.offer.level && $0.level != .none
      }
      return
        "  \(channel.id)  0x\(String(channel.offer.spsm, radix: 16, uppercase: true)), SDUs of at most \(terms.mtu) bytes"
        + (level.map { ", \($0.name)" } ?? "") + "\n"
    }
    return lines.isEmpty ? "" : "channels\n" + lines.joined()
  }

  private static func sought(_ choice: DefinitionChoice) -> String {
    let width = choice.definition.sought.map(\.id.count).max() ?? 0
    let lines = choice.definition.sought.map { sought in
      let padding = String(repeating: " ", count: width - sought.id.count)
      return "  \(sought.id)\(padding)  \(sought.service)/\(sought.uuid)"
        + (sought.uuid.name.map { " (\($0))" } ?? "") + "\n"
    }
    return lines.isEmpty ? "" : "looks for at its central\n" + lines.joined()
  }

  private static func wire(_ choice: DefinitionChoice) throws -> String {
    guard choice.definition.hasWireSide else { return "" }
    let address = DeviceAddress(Array(repeating: 0, count: 6))!
    let context = choice.definition.context(settings: choice.settings, address: address)
    let buffer = choice.definition.wire.buffer.map { ", with a buffer of \($0) bytes" } ?? ""
    let speed = try choice.definition.wire.baud(in: context).map { "  at \($0) baud\(buffer)\n" } ?? ""
    return "wire side\n  \(ends(of: choice.definition))\n" + speed
  }

  private static func ends(of definition: PeripheralDefinition) -> String {
    guard let bridge = definition.wire.bridge else { return "for rules" }
    let (inlet, outlet) = (
      definition.name(of: bridge.inlet), definition.name(of: bridge.outlet)
    )
    return inlet == outlet
      ? "carries the bytes of \(inlet)"
      : "outputs the bytes written to \(inlet), and sends its input from \(outlet)"
  }
}

// MARK: Advertising

extension DefinitionSheet {
  private static func advertising(_ choice: DefinitionChoice, _ limits: any TransportLimits) throws -> String
  {
    let known = givenAddress(choice, limits)
    let advertisement = try advertisement(choice, at: known ?? repeated(0))
    let packets = limits.packets(of: advertisement)
    var text = packets.map(drawing) ?? list(advertisement)
    text += ownAddress(choice, limits)
    if known == nil, try Self.advertisement(choice, at: repeated(0xFF)) != advertisement {
      let hasOwnAddress = choice.definition.advertisement.address != nil && !(limits is BlueZLimits)
      let owner = hasOwnAddress ? "device" : "adapter"
      text += "  the \(owner)'s address appears as 00 00 00 00 00 00\n"
    }
    for remark in packets?.remarks ?? [] { text += "  \(remark)\n" }
    if limits is BlueZLimits { return text }
    if advertisement.isCrowd { text += "  the first of \(advertisement.allSets.count) advertisers\n" }
    let templates = choice.definition.advertisement.furtherSets
    return text + zip(advertisement.furtherSets, templates).map { set(of: $0, $1, limits) }.joined()
  }

  /// A set that is advertised in addition to the main one.
  private static func set(
    of advertisement: Advertisement, _ template: AdvertisementTemplate, _ limits: any TransportLimits
  ) -> String {
    let packets = limits.packets(of: advertisement)
    let address = template.address.map { "  address: \($0.phrase)\n" } ?? ""
    let condition = template.condition == nil || advertisement.isShown ? "" : ", not advertised now"
    return "\nset \(advertisement.name)\(condition)\n" + (packets.map(drawing) ?? list(advertisement))
      + address
  }

  /// The address that the definition gives to the device; nil: it is the adapter's, or follows from that.
  private static func givenAddress(_ choice: DefinitionChoice, _ limits: any TransportLimits)
    -> DeviceAddress?
  {
    guard !(limits is BlueZLimits), case .fixed(.given(let address)) = choice.definition.advertisement.address
    else {
      return nil
    }
    return address
  }

  /// A line, if the definition has an address.
  private static func ownAddress(_ choice: DefinitionChoice, _ limits: any TransportLimits) -> String {
    guard let address = choice.definition.advertisement.address else { return "" }
    return "  address: "
      + (limits is BlueZLimits
        ? "the adapter's; with --on exact, \(address.phrase)\n" : "\(address.phrase)\n")
  }

  private static func repeated(_ byte: UInt8) -> DeviceAddress {
    DeviceAddress(Array(repeating: byte, count: 6))!
  }

  private static func advertisement(
    _ choice: DefinitionChoice, at address: DeviceAddress
  ) throws -> Advertisement {
    try choice.definition.advertised(
      in: choice.definition.context(settings: choice.settings, address: address))
  }

  private static func list(_ advertisement: Advertisement) -> String {
    "advertisement\n" + AdvertisementText.fields(of: advertisement).map { "  \($0)\n" }.joined()
  }

  private static func drawing(of packets: AdvertisingPackets) -> String {
    let capacity = packets.capacity
    var text = ""
    if capacity.advertisingData > 0 {
      text += packet("advertising data", packets.advertisingFields, of: capacity.advertisingData)
    }
    if capacity.scanResponse > 0 {
      text += packet("scan response", packets.scanResponseFields, of: capacity.scanResponse)
    }
    for field in packets.omittedFields {
      text += "  not sent, no room left: \(field.content.rawValue) (\(field.size) bytes)\n"
    }
    return text
  }

  private static func packet(_ name: String, _ fields: [AdvertisingField], of capacity: Int) -> String {
    let bytes = fields.flatMap(\.bytes)
    let head = "\(name), \(bytes.count) of \(capacity) bytes\n"
    guard !bytes.isEmpty else { return head }
    let isShort = bytes.count <= AdvertisingData.legacyCapacity
    let line = isShort ? "  \(ruler(bytes.count))\n  \(HexText.format(bytes))\n\n" : ""
    return head + line
      + PacketDrawing(fields, capacity: capacity).lines.map { "  \($0)\n" }.joined()
  }

  /// A line with the index of every fifth byte.
  private static func ruler(_ count: Int) -> String {
    var ruler = ""
    for index in stride(from: 0, to: count, by: 5) {
      ruler += String(repeating: " ", count: 3 * index - ruler.count) + String(index)
    }
    return ruler
  }
}
