import Behavior
import BlemuJSON
import DeviceModel
import Framing

/// The messages of a device, which the log and the journal recognize in the bytes of events.
package struct EventMessages: Sendable {
  private let named: [MessageTemplate]
  private let recognizable: [MessageTemplate]

  /// None, so that events have only the names with which the device has sent them.
  package static let none = EventMessages([], [])

  package init(of definition: PeripheralDefinition) {
    self.init(definition.namedMessages, definition.recognizableMessages)
  }

  private init(_ named: [MessageTemplate], _ recognizable: [MessageTemplate]) {
    (self.named, self.recognizable) = (named, recognizable)
  }

  /// The message that the bytes of an event are: the one that a rule has sent by its name; otherwise the first with a fixed byte.
  package func message(in event: TrafficEvent.Kind) -> EventMessage? {
    guard let (bytes, name) = event.content else { return nil }
    guard let name else { return message(in: bytes) }
    guard let message = named.first(where: { $0.name == name }), let values = message.parse(bytes) else {
      return EventMessage(name: name)
    }
    return EventMessage(message, values)
  }

  /// The name of the first message with a fixed byte that these bytes are.
  func name(of bytes: [UInt8]) -> String? { recognizable.first { $0.parse(bytes) != nil }?.name }

  /// The first message with a fixed byte that these bytes are.
  private func message(in bytes: [UInt8]) -> EventMessage? {
    for message in recognizable {
      if let values = message.parse(bytes) { return EventMessage(message, values) }
    }
    return nil
  }
}

/// A message in the bytes of an event.
package struct EventMessage {
  let name: String
  /// Empty for the first of several pieces of a message, too.
  private var fields: [(field: MessageTemplate.Field, value: Value)] = []

  fileprivate init(name: String) { self.name = name }

  fileprivate init(_ message: MessageTemplate, _ values: [Value]) {
    name = message.name
    fields = Array(zip(message.fields, values))
  }
}

extension TrafficEvent.Kind {
  /// The bytes that may be a message, and the name with which the device has sent them.
  fileprivate var content: (bytes: [UInt8], name: String?)? {
    switch self {
    case .oneSided(_, let event): event.content
    case .write(_, _, let bytes, _, _), .channelIn(_, _, let bytes), .clientIn(_, _, let bytes, _),
      .wireIn(let bytes), .plain(_, let bytes, _):
      (bytes, nil)
    case .notify(_, let bytes, let name), .indicate(_, let bytes, let name),
      .channelOut(_, let bytes, let name), .clientOut(_, _, let bytes, let name),
      .wireOut(let bytes, let name),
      .frame(_, _, let bytes, let name, _):
      (bytes, name)
    case .sent(let value): value.message.map { (value.bytes, $0) }
    default: nil
    }
  }
}

// MARK: JSON

extension EventMessage {
  /// `message`, `fields` and, if there are any, `byte-fields`.
  package var members: [JSONValue.Member] {
    var object = JSONObject(in: LineBuffer())
    write(to: &object)
    return (try? JSONValue(parsing: Array(object.end().text.utf8)))?.members ?? []
  }

  /// Adds these members to an object.
  func write(to object: inout JSONObject) {
    object.set("message", name)
    guard !fields.isEmpty else { return }
    object.set("fields") { lines in
      lines.append(between: "{", "}", fields) { $0.append($1.field, $1.value) }
    }
    let names = fields.flatMap { Self.namesOfBytes($0.field, as: $0.field.name) }
    guard !names.isEmpty else { return }
    object.set("byte-fields") { lines in lines.append(between: "[", "]", names) { $0.append(quoted: $1) } }
  }

  /// The names of fields that are bytes, as in `cells.serial` of repeated ones: JSON has no type for these.
  private static func namesOfBytes(_ field: MessageTemplate.Field, as name: String) -> [String] {
    guard field.valueType.isGroup else { return field.valueType == .bytes ? [name] : [] }
    return field.columns.flatMap { namesOfBytes($0, as: "\(name).\($0.name)") }
  }
}

extension LineBuffer {
  /// Appends elements in brackets, with commas between them.
  fileprivate mutating func append<Element>(
    between first: StaticString, _ last: StaticString, _ elements: some Sequence<Element>,
    _ append: (inout LineBuffer, Element) -> Void
  ) {
    self.append(first)
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(", ") }
      isFirst = false
      append(&self, element)
    }
    self.append(last)
  }

  /// Appends a field as a member; repeated ones as objects.
  fileprivate mutating func append(_ field: MessageTemplate.Field, _ value: Value) {
    append(quoted: field.name)
    append(": ")
    guard case .group(let rows) = value else { return append(value) }
    append(between: "[", "]", rows) { lines, row in
      let present = zip(field.columns, row).lazy.compactMap { column, value in value.map { (column, $0) } }
      lines.append(between: "{", "}", present) { $0.append($1.0, $1.1) }
    }
  }

  /// Appends a value that is no group, as ``JSONValue`` has it.
  private mutating func append(_ value: Value) {
    switch value {
    case .bytes(let bytes):
      append("\"")
      append(hex: bytes.span)
      append("\"")
    case .text(let text): append(quoted: text)
    case .integer(let number): append(string: String(number))
    case .boolean(let truth): append(string: truth ? "true" : "false")
    case .decimal, .group: append(string: JSONValue(value).line)
    }
  }
}

extension JSONValue {
  /// A value of the expression language: bytes in hex with spaces; a number that is no number as its word.
  package init(_ value: DeviceModel.Value) {
    switch value {
    case .integer(let number): self = .integer(Int(number))
    case .decimal(let number): self = number.isFinite ? .decimal(number) : .string(value.description)
    case .text(let text): self = .string(text)
    case .bytes(let bytes): self = .string(HexText.format(bytes))
    case .boolean(let truth): self = .boolean(truth)
    case .group(let rows): self = .array(rows.map { .array($0.map { $0.map(JSONValue.init) ?? .null }) })
    }
  }
}
