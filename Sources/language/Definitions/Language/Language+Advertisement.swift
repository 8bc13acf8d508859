import Bluetooth

extension Language {
  struct Advertisement: LanguageObject {
    static let outline = Outline("an advertisement", Self()) {
      [
        $0.localName, $0.services, $0.manufacturerData, $0.serviceData, $0.raw, $0.txPower, $0.appearance,
        $0.discoverable, $0.connectable, $0.type, $0.directed, $0.channels, $0.phy, $0.interval, $0.timeout,
        $0.every, $0.changes, $0.address, $0.packets, $0.condition, $0.sets, $0.crowd,
      ]
    }

    let localName = Key.optional(
      "local-name", .either(.template, AdvertisedName.self), "the complete local name")
    let services = ListKey.optional(
      "services", .list(.either(.serviceID, AdvertisedService.self)), "service UUIDs")
    let manufacturerData = ListKey.optional(
      "manufacturer-data", .map(.company, .alternatives), "by company identifier, in hex")
    let serviceData = ListKey.optional(
      "service-data", .map(.uuid, .alternatives), "by service UUID")
    let raw = ListKey.optional(
      "raw", .map(.adType, .alternatives), "other AD structures, by AD type")
    let txPower = Key.optional(
      "tx-power", .either(.expression, AdvertisedPower.self), "dBm, from -127 to 20")
    let appearance = Key.optional("appearance", .integer(0...0xFFFF), "the GAP appearance")
    let discoverable = Key.optional(
      "discoverable", .text(.expression), "general discoverable mode; true unless there are no services")
    let connectable = Key.optional(
      "connectable", .text(.expression), "true unless there are no services; false for a further set")
    let type = Key.optional(
      "type", .choice(["connectable", "scannable", "broadcast"]),
      "whether a central may connect, may only ask for the scan response, or neither",
      excludes: ["connectable"])
    let directed = Key.optional(
      "directed", .either(.deviceAddress, Directed.self), "the only device that may connect, for exact",
      excludes: ["type", "connectable"])
    let channels = ListKey.optional(
      "channels", .list(.choice(AdvertisingChannels.indices.map(String.init)), atLeast: 1),
      "its primary channels, for exact; by default all three")
    let phy = Key.optional(
      "phy", .choice(AdvertisingPHY.allCases.map(\.rawValue)), "extended advertising on this PHY, for exact")
    let interval = Key.optional("interval", .object(Interval.self), "the advertising interval")
    let timeout = Key.optional("timeout", .text(.duration), "after which advertising ends")
    let every = Key.optional(
      "every", .choice(["change"], or: .duration),
      "how often its values are recomputed, or change: after each event; by default only when it begins")
    let changes = Key.optional(
      "changes", .choice(["at-once", "at-begin"]),
      "whether it follows its settings at once, the default, or when it next begins")
    let address = Key.optional(
      "address", .either(.setAddress, PrivateAddress.self),
      "its own address, for exact; by default the adapter's")
    let packets = Key.optional(
      "packets", .object(Packets.self), "the fields of each packet, in order, for exact")
    let condition = Key.optional("if", .text(.expression), "it is advertised only while this is true")
    let sets: ListKey<Entry<Node<Advertisement>>> = .optional(
      "sets", .map(.identifier, .object(Advertisement.self) { advertisingSet }, atMost: 8),
      "further advertising sets, by name, for exact")
    let crowd = Key.optional(
      "crowd", .integer(2...400), "as many advertisers, each with its own address, for exact",
      excludes: ["sets"])
  }

  /// Rules start and stop it.
  static let mainAdvertisement: ObjectShape = Advertisement.outline.shape
    .without(Advertisement.outline.keys.condition)

  /// A further set ends with the main one.
  static let advertisingSet: ObjectShape = Advertisement.outline.shape.named("an advertising set")
    .without(Advertisement.outline.keys.timeout).without(Advertisement.outline.keys.sets)
    .without(Advertisement.outline.keys.crowd)

  struct Directed: LanguageObject {
    static let outline = Outline("a directed advertisement", Self()) {
      [$0.to, $0.kind, $0.condition]
    }

    let to = Key.required("to", .text(.deviceAddress), "the address of the device that may connect")
    let kind = Key.optional(
      "kind", .choice(["public", "random"]), "the kind of this address; public by default")
    let condition = Key.optional("if", .text(.expression), "it is directed only while this is true")
  }

  struct PrivateAddress: LanguageObject {
    static let outline = Outline("a private address", Self()) {
      [$0.kind, $0.every, $0.identity, $0.key]
    }

    let kind = Key.required(
      "kind", .choice(["resolvable", "non-resolvable"]), "whether bonded centrals recognize the device")
    let every = Key.optional("every", .text(.duration), "how often it changes; every 15min by default")
    let identity = Key.optional(
      "identity", .text(.ownAddress), "what bonded centrals know the device by; random by default")
    let key = Key.optional(
      "key", .text(.bytes), "the identity resolving key, 16 bytes, most significant first")
  }

  struct Packets: LanguageObject {
    static let outline = Outline("a packet layout", Self()) {
      [$0.advertisingData, $0.scanResponse]
    }

    private static let items = Form<[Node<PacketBytes>]>.list(
      .either(
        AdvertisingField.Content.allCases.filter { $0 != .bytes }.map(\.rawValue), PacketBytes.self))

    let advertisingData = ListKey.required(
      "advertising-data", items, "the fields of the advertising data, in order")
    let scanResponse = ListKey.optional(
      "scan-response", items, "the fields of the scan response, in order")
  }

  struct PacketBytes: LanguageObject {
    static let outline = Outline("a run of bytes", Self()) { [$0.bytes] }

    let bytes = Key.required(
      "bytes", .text(.bytes), "any bytes between the fields, which need not be AD structures")
  }

  struct Interval: LanguageObject {
    static let outline = Outline("an interval", Self()) {
      [$0.min, $0.max]
    }

    let min = Key.required("min", .text(.expression), "20ms to 10240ms")
    let max = Key.required("max", .text(.expression), "20ms to 10240ms")
  }
}

/// An advertised part: the value itself, or a mapping with the value and its condition.
protocol Advertised: LanguageObject {
  var content: Key<Scalar> { get }
  var condition: Key<Scalar> { get }
}

extension Language {
  struct AdvertisedName: Advertised {
    static let outline = Outline("an advertised name", Self()) {
      [$0.content, $0.condition]
    }

    let content = Key.required("text", .text(.template), "the complete local name")
    let condition = Language.advertisedIf
  }

  struct AdvertisedService: Advertised {
    static let outline = Outline("an advertised service", Self()) {
      [$0.content, $0.condition]
    }

    let content = Key.required("uuid", .text(.serviceID), "as in 'uuid: FFE0'")
    let condition = Language.advertisedIf
  }

  struct AdvertisedData: Advertised {
    static let outline = Outline("an advertised structure", Self()) {
      [$0.content, $0.condition]
    }

    let content = Key.required("bytes", .text(.bytes), "its bytes in hex")
    let condition = Language.advertisedIf
  }

  struct AdvertisedPower: Advertised {
    static let outline = Outline("an advertised power", Self()) {
      [$0.content, $0.condition]
    }

    let content = Key.required("dbm", .text(.expression), "from -127 to 20")
    let condition = Language.advertisedIf
  }

  private static let advertisedIf = Key.required(
    "if", .text(.expression), "it is advertised only while this is true")
}

extension Form where Value == [Node<Language.AdvertisedData>] {
  /// Bytes, or a list of alternatives: the first whose condition is true is advertised.
  static var alternatives: Self { .oneOrMore(.either(.bytes, Language.AdvertisedData.self), atMost: 16) }
}
