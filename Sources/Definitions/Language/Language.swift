import Bluetooth
import Framing

/// The definition language: every key, what it holds, and what it is for.
///
/// To add a key: add it here, read it in the decoder of its section, give it a row in `DecoderTests`, and
/// describe it in `Peripherals/README.md`.
package enum Language {
  package static let root = ObjectShape(
    "a definition",
    [
      .lasting("blemu", .choice(["1"]), "the version of the language: 'blemu: 1'"),
      .optional(
        "extends", .text(.parent), "the definition that it changes: a bundled one, or a file beside it"),
      .required("name", .text(.plain), "what the device is called, as in 'name: Heart rate belt'"),
      .optional("summary", .text(.plain), "one sentence for lists"),
      .optional("settings", .map(key: .identifier, value: .object(setting)), "values that '--set' overrides"),
      .optional(
        "variables", .map(key: .identifier, value: .object(variable)), "values that a reset puts back"),
      .optional("states", .list(.text(.identifier)), "the states that it can be in; the first is the first"),
      .optional(
        "generators", .map(key: .identifier, value: .object(generator)), "values that change by themselves"),
      .optional(
        "values", .map(key: .identifier, value: .text(.expression)),
        "names for expressions, computed when used"),
      .optional("advertisement", .object(advertisement), "what it advertises"),
      .optional("link", .object(link), "the limits of its link"),
      .required("services", .list(.object(service)), "its services, in order"),
      .optional("framing", .map(key: .characteristicID, value: .object(framing)), "how bytes become frames"),
      .optional(
        "messages", .map(key: .identifier, value: .eitherText(.message, message), atMost: 2000),
        "its messages, as templates"),
      .optional("data", .map(key: .identifier, value: .object(table)), "tables of data"),
      .optional("rules", .list(.object(rule), atMost: 2000), "what it does when something happens"),
      .optional("wire", .object(wire), "its serial side"),
    ])

  static let setting = ObjectShape(
    "a setting",
    [
      .required("type", .choice(settingTypes.map(\.name)), "text, integer, decimal, boolean or bytes"),
      .required("default", .text(.value), "the value until another is set"),
      .optional("min", .number, "the least number"),
      .optional("max", .number, "the greatest number, or the most bytes of text and bytes"),
      .optional(
        "one-of", .list(.text(.value)), "the texts or integers that it may be, and no other",
        excludes: ["min", "max"]),
    ], oneOf: .words(under: "type", settingTypes))

  static let variable = ObjectShape("a variable", setting.keys, oneOf: setting.variants)

  private static let settingTypes = [
    Variant("text", may: ["max", "one-of"]), Variant("integer", may: ["min", "max", "one-of"]),
    Variant("decimal", may: ["min", "max"]), Variant("boolean"), Variant("bytes", may: ["max"]),
  ]

  static let generator = ObjectShape(
    "a generator",
    [
      .required(
        "shape", .choice(generatorShapes.map(\.name)), "how the value changes"),
      .optional("min", .text(.value), "the least number of sine, random-walk and random"),
      .optional("max", .text(.value), "the greatest"),
      .optional("period", .text(.duration), "of a sine"),
      .optional("from", .text(.value), "where a ramp begins"),
      .optional("to", .text(.value), "where it ends, and begins anew"),
      .optional("over", .text(.duration), "how long a ramp takes"),
      .optional("step", .text(.value), "the most that a random walk changes at once"),
      .optional("every", .text(.duration), "the time between two values"),
      .optional("table", .text(.identifier), "the data table that is replayed"),
      .optional("column", .text(.identifier), "its column"),
    ], oneOf: .words(under: "shape", generatorShapes))

  static let generatorShapes = [
    Variant("sine", needs: ["min", "max", "period"]), Variant("ramp", needs: ["from", "to", "over"]),
    Variant("random-walk", needs: ["min", "max", "step", "every"]),
    Variant("random", needs: ["min", "max", "every"]),
    Variant("replay", needs: ["table", "column", "every"]),
  ]

  static let advertisement = ObjectShape(
    "an advertisement",
    [
      .optional("local-name", .eitherText(.template, advertisedName), "the complete local name"),
      .optional("services", .list(.eitherText(.serviceID, advertisedService)), "service UUIDs"),
      .optional(
        "manufacturer-data", .map(key: .company, value: advertisedBytes), "by company identifier, in hex"),
      .optional("service-data", .map(key: .uuid, value: advertisedBytes), "by service UUID"),
      .optional("raw", .map(key: .adType, value: advertisedBytes), "other AD structures, by AD type"),
      .optional("tx-power", .eitherText(.expression, advertisedPower), "dBm, from -127 to 20"),
      .optional("appearance", .integer(0...0xFFFF), "the GAP appearance"),
      .optional("discoverable", .text(.expression), "general discoverable mode; true unless said"),
      .optional("connectable", .text(.expression), "true unless said"),
      .optional("interval", .object(interval), "the advertising interval"),
      .optional("timeout", .text(.duration), "after which advertising ends"),
    ])

  /// What is advertised only under a condition.
  static let advertisedName = ObjectShape(
    "an advertised name", [.required("text", .text(.template), "the complete local name"), advertisedIf])
  static let advertisedService = ObjectShape(
    "an advertised service", [.required("uuid", .text(.serviceID), "as in 'uuid: FFE0'"), advertisedIf])
  static let advertisedData = ObjectShape(
    "an advertised structure", [.required("bytes", .text(.bytes), "what it holds, in hex"), advertisedIf])
  static let advertisedPower = ObjectShape(
    "an advertised power", [.required("dbm", .text(.expression), "from -127 to 20"), advertisedIf])
  private static let advertisedBytes = Shape.eitherText(.bytes, advertisedData)
  private static let advertisedIf = ObjectShape.Key.required(
    "if", .text(.expression), "it is advertised only while this is true")

  static let interval = ObjectShape(
    "an interval",
    [
      .required("min", .text(.expression), "20ms to 10240ms"),
      .required("max", .text(.expression), "20ms to 10240ms"),
    ])

  static let link = ObjectShape(
    "a link",
    [
      .optional("mtu", .integer(23...517), "the device's own ATT_MTU: it sends at most 3 bytes less at once"),
      .optional("centrals", .integer(1...8), "how many can be connected; with so many it does not advertise"),
    ])

  static let service = ObjectShape(
    "a service", merging: .byIdentity,
    [
      .required("uuid", .text(.uuidTemplate), "as in 'uuid: FFE0'"),
      .optional(
        "id", .text(.characteristicID),
        "its name in the advertisement, and in definitions that extend this one"),
      presence,
      .optional("primary", .boolean, "true unless said"),
      .required("characteristics", .list(.object(characteristic)), "its characteristics, in order"),
    ])

  static let characteristic = ObjectShape(
    "a characteristic", merging: .byIdentity,
    [
      .required("uuid", .text(.uuidTemplate), "as in 'uuid: FFE1'"),
      .optional("id", .text(.characteristicID), "the name that framing and rules use"),
      presence,
      .required(
        "properties", .list(.choice(CharacteristicProperties.allNames)), "what a central may do with it"),
      .optional(
        "permissions", .list(.choice(AttributePermissions.allNames)), "the security that it asks for"),
      .optional("value", .text(.bytes), "what is read from it at first, in hex"),
      .optional(
        "text", .text(.template), "what is read from it at first, as text", excludes: ["value"]),
      .optional("answers", .text(.characteristicID), "where what a rule sends in answer to it goes"),
      .optional("descriptors", .list(.object(descriptor)), "without 2902, which BlueZ adds by itself"),
    ])

  static let descriptor = ObjectShape(
    "a descriptor", merging: .byIdentity,
    [
      .lasting("uuid", .text(.uuid), "as in 'uuid: 2901'"),
      .optional("properties", .list(.choice(["read", "write"])), "[read] unless said"),
      .optional("permissions", .list(.choice(descriptorPermissions)), "the security that it asks for"),
      .optional("value", .text(.bytes), "what is read from it at first, in hex"),
      .optional(
        "text", .text(.template), "what is read from it at first, as text", excludes: ["value"]),
    ])

  private static let presence = ObjectShape.Key.optional(
    "if", .text(.expression), "it is there only with settings for which this is true")

  /// What `org.bluez.GattDescriptor1` knows.
  private static let descriptorPermissions = AttributePermissions.allNames.filter {
    !$0.hasSuffix("-notify") && !$0.hasSuffix("-indicate")
  }

  static let framing = ObjectShape(
    "a framing",
    [
      .optional("start", .text(.bytes), "the bytes that every frame begins with"),
      .optional("length", .object(length), "the field that holds the frame's length"),
      .optional("size", .integer(1...512), "the length of every frame, bytes"),
      .optional("tail", .text(.bytes), "the bytes that every frame ends with"),
      .optional("check", .choice(Checksum.allNames), "the checksum before the tail, or at the end"),
      .optional(
        "check-from", .integer(0...511), "the first byte that the checksum covers; 0 unless said",
        needs: "check"),
      .optional("delimiter", .text(.bytes), "the bytes that end a frame and do not belong to it"),
      .optional("idle", .text(.duration), "the silence that ends a frame"),
      .optional("gap", .text(.duration), "the silence after which an unfinished frame is discarded"),
      .optional("max", .integer(1...4096), "the longest frame, bytes; 512 unless said"),
    ],
    oneOf: .keys([
      Variant("delimiter", may: ["gap"]), Variant("idle"),
      Variant("size", may: ["start", "tail", "check", "check-from", "gap"]),
      Variant("length", may: ["start", "tail", "check", "check-from", "gap"]),
      Variant("tail", may: ["start", "check", "check-from", "gap"]),
    ]))

  static let length = ObjectShape(
    "a length field",
    [
      .required("at", .integer(0...255), "its index in the frame, from 0"),
      .optional("width", .integer(1...2), "its bytes; 1 unless said"),
      .optional("order", .choice(["big-endian", "little-endian"]), "big-endian unless said"),
      .required("counts", .choice(LengthField.Counts.allCases.map(\.rawValue)), "what it counts"),
      .optional("adjust", .integer(-255...255), "added to what it says; 0 unless said"),
    ])

  static let table = ObjectShape(
    "a data table",
    [
      .optional("file", .text(.file), "a CSV file beside the definition, its first line the columns' names"),
      .optional(
        "rows", .list(.list(.text(.value)), atMost: 10_000), "the rows themselves, in place of a file"),
      .required(
        "columns",
        .map(key: .identifier, value: .choice(["integer", "decimal", "text", "bytes", "boolean"])),
        "name: type"),
      .optional("key", .list(.text(.identifier)), "the columns whose values name a row"),
    ], oneOf: .keys([Variant("file"), Variant("rows")]))

  static let message = ObjectShape(
    "a message",
    [
      .optional("bytes", .text(.message), "hex bytes with fields and checksums"),
      .optional("text", .text(.textMessage), "text with fields and checksums"),
      .optional(
        "ignore-case", .boolean, "whether the text's letters may come in either case; false unless said"),
    ], oneOf: .keys([Variant("bytes"), Variant("text", may: ["ignore-case"])]))

  static let rule: ObjectShape = ObjectShape(
    "a rule", merging: .inFront,
    [
      .required(
        "on", .either(choice: ["start", "connect", "disconnect"], event), "the event that it waits for"),
      .optional(
        "in", .byKind([.text(.identifier), .list(.text(.identifier))]),
        "the state, or states, in which it fires"),
      .optional("if", .text(.expression), "it fires only when this is true"),
      .required("do", actions, "what to do, in order"),
    ], orGroup: .init(key: "rules") { ruleGroup })

  static let ruleGroup: ObjectShape = ObjectShape(
    "a group of rules",
    [
      .optional(
        "from", .byKind([.text(.characteristicID), .list(.text(.characteristicID))]),
        "where their messages arrive: a characteristic, 'wire', or a list of them"),
      .optional(
        "in", .byKind([.text(.identifier), .list(.text(.identifier))]),
        "the state, or states, in which they fire"),
      .optional("if", .text(.expression), "they fire only when this is true"),
      .required("rules", .list(.object(rule), atMost: 2000), "the rules that have this in common"),
    ])

  static let event = ObjectShape(
    "an event",
    [
      .optional(
        "receive", .byKind([.text(.identifier), .object(message)]), "a message has arrived; 'any': any frame"),
      .optional(
        "from", .byKind([.text(.characteristicID), .list(.text(.characteristicID))]),
        "where it arrived: a characteristic, 'wire', or a list of them"),
      .optional("read", .text(.characteristicID), "a central reads this characteristic"),
      .optional("write", .text(.characteristicID), "a central writes this characteristic"),
      .optional("subscribe", .text(.characteristicID), "a central has subscribed to this characteristic"),
      .optional(
        "unsubscribe", .text(.characteristicID), "a central no longer wants this characteristic's values"),
      .optional("timer", .text(.identifier), "a timer has run out"),
      .optional("enter", .text(.identifier), "the device has entered this state"),
      .optional("leave", .text(.identifier), "the device has left this state"),
    ],
    oneOf: .keys([
      Variant("receive", may: ["from"]), Variant("read"), Variant("write"), Variant("subscribe"),
      Variant("unsubscribe"),
      Variant("timer"), Variant("enter"), Variant("leave"),
    ]))

  /// One action or a list of them; some are a word.
  static let actions: Shape = .oneOrMore(
    .byKind([
      .choice(["disconnect", "reset", "restore-settings", "apply-baud", "bridge", "end"]),
      .recursive { action },
    ]),
    atMost: 1000)

  static let action: ObjectShape = ObjectShape(
    "an action",
    [
      .optional("if", .text(.expression), "it is done only when this is true"),
      .optional("send", .byKind([.text(.identifier), .object(message)]), "a message to send"),
      .optional(
        "with", .map(key: .identifier, value: .byKind([.text(.expression), .list(groupRow, atMost: 4096)])),
        "the values of its fields"),
      .optional(
        "to", .text(.characteristicID), "a characteristic, or 'wire'; where the event came from unless said"),
      .optional("respond", .byKind([.text(.identifier), .object(message)]), "the answer to a read"),
      .optional("refuse", .text(.attError), "the ATT error that a read or write is refused with"),
      .optional("set", .map(key: .identifier, value: .text(.expression)), "settings and variables"),
      .optional("enter", .text(.identifier), "a state to enter"),
      .optional("start", .text(.identifier), "a timer to start"),
      .optional("after", .text(.expression), "when it runs out, once: milliseconds"),
      .optional("every", .text(.expression), "when it runs out, again and again: milliseconds"),
      .optional("stop", .text(.identifier), "a timer to stop"),
      .optional("wait", .text(.expression), "milliseconds until what follows"),
      .optional("repeat", .text(.expression), "how often to do what 'do' says"),
      .optional("index", .text(.identifier), "the name of the count, from 0"),
      .optional("do", actions, "what is repeated"),
      .optional("then", actions, "actions that have their 'if' in common"),
      .optional("hold", .text(.characteristicID), "what arrives there waits"),
      .optional("release", .text(.characteristicID), "what has waited there is handled"),
      .optional("advertise", .text(.expression), "true: with the present values; false: not"),
      .optional("log", .text(.template), "a line for the log"),
    ],
    oneOf: .keys([
      Variant("send", may: ["with", "to"]), Variant("respond", may: ["with"]), Variant("refuse"),
      Variant("set"), Variant("enter"), Variant("start", oneOf: ["after", "every"]), Variant("stop"),
      Variant("wait"), Variant("repeat", needs: ["do"], may: ["index"]), Variant("then"), Variant("hold"),
      Variant("release"),
      Variant("advertise"), Variant("log"),
    ]))

  private static let groupRow = Shape.map(key: .identifier, value: .text(.expression))

  static let wire = ObjectShape(
    "a wire side",
    [
      .optional(
        "bridge", .eitherText(.characteristicID, bridge),
        "the characteristic that carries the bytes of the serial side, or two"),
      .optional(
        "baud", .text(.expression), "its speed, 50 to 4000000 bits a second; as fast as it goes unless said"),
    ])

  static let bridge = ObjectShape(
    "a bridge",
    [
      .required("from", .text(.characteristicID), "what is written here comes out of the serial side"),
      .required("to", .text(.characteristicID), "what is put in at the serial side is sent from here"),
    ])
}
