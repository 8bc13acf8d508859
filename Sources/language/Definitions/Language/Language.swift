import DeviceModel

/// The definition language: every key, its value and its purpose.
///
/// Each object of the language is a type that declares its keys and reads them. To add a key: declare and list it there, use
/// it in the decoder of its section, write it in `DefinitionWriter`, give it a row in `DecoderTests`, and describe it in
/// `Peripherals/language`.
package enum Language {
  /// The outline of a file.
  package static var root: ObjectShape { Definition.outline.shape }

  static let versions = ["1"]
}

extension Language {
  struct Definition: LanguageObject {
    static let outline = Outline("a definition", Self()) {
      [
        $0.version, $0.parent, $0.name, $0.summary, $0.settings, $0.variables, $0.states, $0.generators,
        $0.functions, $0.values, $0.advertisement, $0.link, $0.security, $0.services, $0.channels, $0.client,
        $0.layers, $0.checksums, $0.framing, $0.messages, $0.tables, $0.sharedActions, $0.rules, $0.controls,
        $0.wire, $0.faults,
      ]
    }

    let version = Key.lasting("blemu", .choice(Language.versions), "the version of the language: 'blemu: 1'")
    let parent = Key.optional(
      "extends", .text(.parent), "the definition that it changes: a bundled one, or a file next to it")
    let name = Key.required("name", .text(.plain), "the device's name, as in 'name: Heart rate belt'")
    let summary = Key.optional("summary", .text(.plain), "one sentence for lists")
    let settings = ListKey.optional(
      "settings", .map(.identifier, .object(Setting.self) { setting }), "values that '--set' overrides")
    let variables = ListKey.optional(
      "variables", .map(.identifier, .object(Setting.self) { variable }), "values that a reset restores")
    let states = ListKey.optional(
      "states", .list(.text(.identifier)), "the states of the device; it starts in the first")
    let generators = ListKey.optional(
      "generators", .map(.identifier, .object(Generator.self)), "values that change by themselves")
    let functions = ListKey.optional(
      "functions", .map(.signature, .text(.expression)),
      "functions of its own, with their parameters: { twice(x): x * 2 }")
    let values = ListKey.optional(
      "values", .map(.identifier, .text(.expression)), "names for expressions, computed when used")
    let advertisement = Key.optional(
      "advertisement", .object(Advertisement.self) { mainAdvertisement }, "its advertisement")
    let link = Key.optional("link", .object(Link.self), "the limits of its link")
    let security = Key.optional(
      "security", .object(Security.self), "how it pairs; by default as the system does")
    let services = ListKey.optional(
      "services", .list(.object(Service.self), atLeast: 1),
      "its services, in order; without any, it only advertises")
    let channels = ListKey.optional(
      "channels", .map(.identifier, .object(Channel.self), atMost: 32),
      "its credit-based channels of L2CAP, for exact")
    let client = ListKey.optional(
      "client", .map(.identifier, .object(Sought.self), atMost: 64),
      "what it looks for in the GATT server of its centrals, for exact")
    let layers = ListKey.optional(
      "layers", .oneOrMore(.text(.identifier), atMost: LayerDefinition.most),
      "places without an attribute, for messages that come and go in fragments, or encrypted")
    let checksums = ListKey.optional(
      "checksums", .map(.identifier, .either(.expression, OwnChecksum.self)),
      "its own checksums, as expressions over 'bytes': { plus-one: sum8(bytes) + 1 }")
    let framing = ListKey.optional(
      "framing", .map(.characteristicID, .oneOrMore(.object(Framing.self), atMost: 16)),
      "how bytes become frames; a list: packets of several formats")
    let messages = ListKey.optional(
      "messages", .map(.identifier, .either(.message, Message.self), atMost: 2000),
      "its messages, as templates")
    let tables = ListKey.optional("data", .map(.identifier, .object(Table.self)), "tables of data")
    let sharedActions = ListKey.optional(
      "actions", .map(.signature, .actions),
      "actions that rules share, by name, some with parameters: { perform: NAME, with: { … } }")
    let rules = ListKey.optional("rules", .rules, "its reactions to events")
    let controls = ListKey.optional(
      "controls", .map(.identifier, .object(Control.self), atMost: 64),
      "its controls: buttons, switches, sliders")
    let wire = Key.optional("wire", .object(Wire.self), "its wire side")
    let faults = ListKey.optional(
      "faults", .list(.text(.fault)), "its deliberate faults, as in 'drop out on serial every 3rd'")
  }

  struct Link: LanguageObject {
    static let outline = Outline("a link", Self()) {
      [$0.mtu, $0.centrals, $0.whenFull, $0.accept, $0.parameters, $0.multipleNotifications]
    }

    let mtu = Key.optional(
      "mtu", .integer(23...517),
      "the device's own ATT_MTU; the values that it sends have at most 3 bytes fewer")
    let centrals = Key.optional(
      "centrals", .integer(1...8), "how many can be connected; it does not advertise while that many are")
    let whenFull = Key.optional(
      "when-full", .choice(LinkDefinition.WhenFull.allCases.map(\.rawValue)),
      "what it does instead while that many are: nothing (silent, the default), or advertise as scannable")
    let accept = ListKey.optional(
      "accept", .oneOrMore(.either(.acceptedCentral, AcceptedCentral.self)),
      "the centrals that may connect, for exact; by default all")
    let parameters = Key.optional(
      "parameters", .object(ConnectionParameters.self), "the connection parameters that it prefers (2A04)")
    let multipleNotifications = Key.optional(
      "multiple-notifications", .boolean,
      "whether values of one event share a notification if the central supports this, for exact; false by default"
    )
  }

  struct AcceptedCentral: Advertised {
    static let outline = Outline("a central that may connect", Self()) {
      [$0.content, $0.condition]
    }

    let content = Key.required("central", .text(.acceptedCentral), "as in 'central: bonded'")
    let condition = Key.optional("if", .text(.expression), "it may connect only while this is true")
  }

  struct ConnectionParameters: LanguageObject {
    static let outline = Outline("a set of connection parameters", Self()) {
      [$0.interval, $0.latency, $0.timeout, $0.askAfter]
    }

    let interval = Key.required(
      "interval", .object(ConnectionInterval.self), "the time between two connection events")
    let latency = Key.optional(
      "latency", .integer(0...499), "how many connection events it may skip; 0 by default")
    let timeout = Key.required("timeout", .text(.duration), "the supervision timeout, 100ms to 32s")
    let askAfter = Key.optional(
      "ask-after", .text(.duration),
      "how long after the connection it asks the central for them, for exact; by default it does not ask")
  }

  struct ConnectionInterval: LanguageObject {
    static let outline = Outline("a connection interval", Self()) {
      [$0.min, $0.max]
    }

    let min = Key.required("min", .text(.duration), "7.5ms to 4s, in steps of 1.25ms")
    let max = Key.required("max", .text(.duration), "7.5ms to 4s, in steps of 1.25ms")
  }

  struct Wire: LanguageObject {
    static let outline = Outline("a wire side", Self()) {
      [$0.bridge, $0.baud, $0.buffer]
    }

    let bridge = Key.optional(
      "bridge", .either(.characteristicID, Bridge.self),
      "the characteristic or channel that carries the bytes of the wire side, or two")
    let baud = Key.optional(
      "baud", .text(.expression), "its speed, 50 to 4000000 bits a second; unlimited by default")
    let buffer = Key.optional(
      "buffer", .integer(WireDefinition.bufferSizes),
      "how many bytes wait for it; later ones are lost. Without it, centrals wait", needs: "baud")
  }

  struct Bridge: LanguageObject {
    static let outline = Outline("a bridge", Self()) {
      [$0.from, $0.to]
    }

    let from = Key.required(
      "from", .text(.characteristicID), "bytes that a central writes here leave on the wire side")
    let to = Key.required("to", .text(.characteristicID), "sends the bytes that arrive on the wire side")
  }
}
