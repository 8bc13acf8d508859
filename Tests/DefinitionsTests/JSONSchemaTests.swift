import Bluetooth
import Foundation
import Testing

@testable import Definitions

@Suite struct JSONSchemaTests {
  typealias Object = [String: Any]

  private static let text = JSONSchema.schema(of: Language.root).lines()

  /// By another's parser, once, since it is slow. No test changes it.
  private nonisolated(unsafe) static let schema =
    try! JSONSerialization.jsonObject(with: Data(text.utf8)) as! Object

  private nonisolated(unsafe) static let definitions = schema["$defs"] as! Object

  @Test func `it is a schema of this draft, for a definition or a change of one`() {
    let schema = Self.schema
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect((schema["if"] as? Object)?["required"] as? [String] == ["extends"])
    #expect((schema["then"] as? Object)?["$ref"] as? String == "#/$defs/change-of-definition")
    #expect((schema["else"] as? Object)?["$ref"] as? String == "#/$defs/definition")
  }

  @Test(arguments: [
    ("definition", ["blemu", "name"]), ("change-of-definition", ["blemu"]),
    ("service", ["uuid", "characteristics"]), ("change-of-service", nil), ("change-of-descriptor", ["uuid"]),
    ("change-of-setting", nil), ("change-of-interval", nil),
  ])
  func `a change needs little`(name: String, keys: [String]?) throws {
    let schema = try #require(Self.definitions[name] as? Object)
    #expect(schema["required"] as? [String] == keys)
  }

  @Test func `a change may remove what it need not have`() throws {
    let change = try #require(Self.definitions["change-of-service"] as? Object)
    let keys = try #require(change["properties"] as? [String: Object])
    #expect((keys["primary"]?["anyOf"] as? [Object])?.last?["type"] as? String == "null")
    let descriptor = try #require(Self.definitions["change-of-descriptor"] as? Object)
    #expect((descriptor["properties"] as? [String: Object])?["uuid"]?["anyOf"] == nil)
    let whole = try #require(Self.definitions["service"] as? Object)
    #expect((whole["properties"] as? [String: Object])?["primary"]?["anyOf"] == nil)
  }

  @Test func `a change speaks of a service by its id or its UUID`() throws {
    let change = try #require(Self.definitions["change-of-service"] as? Object)
    #expect((change["anyOf"] as? [[String: [String]]]) == [["required": ["id"]], ["required": ["uuid"]]])
  }

  @Test func `rules are no changes of others`() {
    #expect(Self.definitions["change-of-rule"] == nil)
  }

  @Test(arguments: Language.objects)
  func `an object is closed and has the language's keys with their summaries`(object: ObjectShape) throws {
    let schema = try #require(Self.definitions[object.schemaName(.whole)] as? Object)
    #expect(schema["type"] as? String == "object")
    #expect(schema["additionalProperties"] as? Bool == false)
    #expect(schema["required"] as? [String] ?? [] == object.keys.filter(\.isRequired).map(\.name))
    #expect((schema["oneOf"] as? [Object])?.count ?? 0 == object.variants?.all.count ?? 0)
    let properties = try #require(schema["properties"] as? [String: Object])
    #expect(properties.mapValues { $0["description"] as? String } == object.summaries)
  }

  @Test func `all that is referred to is there, once, and nothing else`() {
    let names = Self.text.matches(of: /"\$ref": "#\/\$defs\/([a-z-]+)"/).map { String($0.1) }
    #expect(Set(names) == Set(Self.definitions.keys))
    let changes = Self.definitions.keys.count { $0.hasPrefix("change-of-") }
    let row = 1
    #expect(
      Self.definitions.count
        == Language.objects.count + changes + row + TextForm.allCases.count - Self.formsOfStands.count)
  }

  /// The forms of texts that only stands have.
  private static let formsOfStands: Set<TextForm> = [.deviceName, .transport]

  @Test func `stands have a schema of the same kind`() throws {
    let text = JSONSchema.schema(ofWhole: Language.stand).lines()
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    #expect(schema["$ref"] as? String == "#/$defs/stand")
    let definitions = try #require(schema["$defs"] as? [String: Object])
    let names = text.matches(of: /"\$ref": "#\/\$defs\/([a-z-]+)"/).map { String($0.1) }
    #expect(Set(names) == Set(definitions.keys))
    #expect(definitions["stand"]?["required"] as? [String] == ["stand", "devices"])
    #expect(definitions["device-of-a-stand"]?["required"] as? [String] == ["definition"])
  }

  static let thing = ObjectShape(
    "a small thing", [.init(name: "a", shape: .boolean, isRequired: true, summary: "what it is")])

  static let shapes: [(shape: Shape, schema: String)] = [
    (.text(.uuid), ##"{"$ref": "#/$defs/uuid"}"##),
    (
      .integer(0...9),
      #"{"type": ["integer", "string"], "minimum": 0, "maximum": 9, "pattern": "\#(IntegerText.pattern)"}"#
    ),
    (.integer(.min ... .max), #"{"type": ["integer", "string"], "pattern": "\#(IntegerText.pattern)"}"#),
    (
      .number,
      #"{"type": ["number", "string"], "pattern": "^([+-]?[0-9]+(\\.[0-9]+)?|0x[0-9A-Fa-f]+)$"}"#
    ),
    (.boolean, #"{"enum": [true, false, "true", "false"]}"#),
    (.choice(["1", "read"]), #"{"enum": [1, "1", "read"]}"#),
    (
      .list(.text(.plain), atMost: 7),
      ##"{"type": "array", "items": {"$ref": "#/$defs/plain"}, "maxItems": 7}"##
    ),
    (
      .map(key: .uuid, value: .object { thing }),
      ##"{"type": "object", "propertyNames": {"$ref": "#/$defs/uuid"}, "##
        + ##""additionalProperties": {"$ref": "#/$defs/small-thing"}, "maxProperties": 256}"##
    ),
    (
      .either(choice: ["connect"]) { thing },
      ##"{"anyOf": [{"enum": ["connect"]}, {"$ref": "#/$defs/small-thing"}]}"##
    ),
    (
      .eitherText(.message, .object { thing }),
      ##"{"anyOf": [{"$ref": "#/$defs/byte-message"}, {"$ref": "#/$defs/small-thing"}]}"##
    ),
    (
      .list(.boolean, atLeast: 1, atMost: 7),
      #"{"type": "array", "items": {"enum": [true, false, "true", "false"]}, "maxItems": 7, "minItems": 1}"#
    ),
    (
      .oneOrMore(.object { thing }),
      ##"{"anyOf": [{"$ref": "#/$defs/small-thing"}, "##
        + ##"{"type": "array", "items": {"$ref": "#/$defs/small-thing"}, "maxItems": 256, "minItems": 1}]}"##
    ),
  ]

  @Test(arguments: shapes)
  func `each shape has its schema`(shape: Shape, schema: String) {
    #expect(shape.schema.line == schema)
  }
}

/// A pattern says what our own reader says.
@Suite struct PatternTests {
  static func matches(_ text: String, _ pattern: String) throws -> Bool {
    try Regex(pattern).firstMatch(in: text) != nil
  }

  @Test(arguments: [
    "FFE0", "0xFFE0", "0001FFE0", "ffe", "FFE0 ", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "FFE00", "+FFE",
    "6E400001B5A3F393E0A9E50E24DCCA9E0000", "0x6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "", "wire",
  ])
  func `of UUIDs`(text: String) throws {
    #expect(try Self.matches(text, BluetoothUUID.pattern) == (BluetoothUUID(text) != nil))
  }

  @Test(arguments: ["a", "day-total", "FFE1", "2901", "a-", "-a", "a--b", "a-1", "a b", "ä", "", "é1"])
  func `of names`(text: String) throws {
    #expect(try Self.matches(text, Identifier.pattern) == Identifier.isValid(text))
  }

  @Test(arguments: [
    "200ms", "1.5s", "2min", "2.s", ".5s", "s", "5", "5 s", "1.2.3s", "-1s", "1e3s", "5h", "7d", "5y",
  ])
  func `of durations`(text: String) throws {
    #expect(try Self.matches(text, DurationText.pattern) == (DurationText.parse(text) != nil))
  }

  @Test(arguments: ["0", "-6", "+6", "0x17", "0xfF", "0x", "0xG", "-0x1", "1.0", "", " 1", "1e3", "007"])
  func `of integers`(text: String) throws {
    #expect(try Self.matches(text, IntegerText.pattern) == (IntegerText.parse(text) != nil))
  }

  @Test(arguments: [
    "0", "-6.5", "+6", "0x17", "0x", "-0x1", "1.0", "1.", ".5", "", "1e3", "nan", "inf", "1.2.3",
  ])
  func `of numbers`(text: String) throws {
    #expect(try Self.matches(text, DecimalText.pattern) == (DecimalText.parse(text) != nil))
  }

  @Test(arguments: ["004C", "0x004C", "4C", "+12F", "004CD", "004G"])
  func `of company identifiers`(text: String) throws {
    let report = load("advertisement: { manufacturer-data: { \(text): \"00\" } }").report
    #expect(try Self.matches(text, #require(TextForm.company.pattern)) == report.isEmpty)
  }
}

extension ObjectShape: CustomTestStringConvertible {
  public var testDescription: String { name }

  fileprivate var summaries: [String: String?] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.summary) })
  }
}

extension Language {
  /// Every object of the language.
  static let objects = [
    root, variable, setting, Generator.outline.shape, Table.outline.shape,
    mainAdvertisement, AdvertisedName.outline.shape, AdvertisedService.outline.shape,
    AdvertisedData.outline.shape, AdvertisedPower.outline.shape, Interval.outline.shape,
    PrivateAddress.outline.shape, Packets.outline.shape, PacketBytes.outline.shape, Directed.outline.shape,
    advertisingSet,
    Link.outline.shape, AcceptedCentral.outline.shape, KeySize.outline.shape,
    ConnectionParameters.outline.shape, ConnectionInterval.outline.shape, Security.outline.shape,
    Service.outline.shape, Characteristic.outline.shape, Descriptor.outline.shape, Channel.outline.shape,
    Sought.outline.shape, OwnChecksum.outline.shape, Framing.outline.shape, Framing.directed,
    Length.outline.shape, Message.outline.shape, Control.outline.shape, Rule.outline.shape,
    RuleGroup.outline.shape,
    Event.outline.shape, Action.outline.shape, RepeatedRow.outline.shape, Bridge.outline.shape,
    Wire.outline.shape,
  ]
}
