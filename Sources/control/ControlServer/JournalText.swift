import Behavior
import BlemuJSON
import DeviceModel
import EventLoop
import Framing
import Peripheral
import TrafficView

/// Writes entries of a journal: as lines of the log, or as JSON objects with the message that their bytes are.
@EventLoop
struct JournalText {
  private let definition: PeripheralDefinition
  private let clock = WallClock()
  private let text = TextFormat()
  private let json = JSONFormat()

  init(_ definition: PeripheralDefinition) { self.definition = definition }

  /// The lines of the log for an event, without the line feed at their end.
  func lines(_ entry: Journal.Entry) -> String {
    String(text.text(for: entry.event.kind, at: clock.time(of: entry.event.time)).dropLast())
  }

  /// The object for an event, on one line.
  func object(_ entry: Journal.Entry) -> String {
    "{\"number\":\(entry.number)," + members(of: entry.event) + "}"
  }

  /// The members of that object but its number.
  func members(of event: TrafficEvent) -> String {
    json.text(for: event.kind, at: clock.time(of: event.time)).dropFirst().dropLast(2)
      + messageMembers(of: event.kind)
  }

  /// The members for the message that its bytes are, each after a comma; empty: they are none.
  func messageMembers(of event: TrafficEvent.Kind) -> String {
    guard let (message, bytes) = message(of: event), let fields = message.parse(bytes) else { return "" }
    var line = event.namesMessage ? "" : ",\"message\":" + JSONValue.string(message.name).line
    line += ",\"fields\":" + Self.object(message.fields, fields).line
    let names = message.fields.flatMap { Self.namesOfBytes($0, as: $0.name) }
    if !names.isEmpty { line += ",\"byte-fields\":" + JSONValue.array(names.map(JSONValue.string)).line }
    return line
  }

  /// The message that the bytes of an event are, and its bytes: the one that a rule has sent by name; otherwise the first with
  /// a fixed byte.
  private func message(of event: TrafficEvent.Kind) -> (MessageTemplate, [UInt8])? {
    switch event.withoutSide {
    case .notify(_, let bytes, let name?), .indicate(_, let bytes, let name?), .wireOut(let bytes, let name?),
      .frame(_, _, let bytes, let name?, _):
      return definition.messages.first { $0.name == name }.map { ($0, bytes) }
    case .sent(let value):
      return value.message.flatMap { name in definition.messages.first { $0.name == name } }
        .map { ($0, value.bytes) }
    case .write(_, _, let bytes, _, _), .notify(_, let bytes, nil), .indicate(_, let bytes, nil),
      .wireIn(let bytes), .wireOut(let bytes, nil), .plain(_, let bytes, _), .frame(_, _, let bytes, nil, _):
      return definition.namedMessages.first { $0.isRecognizable && $0.parse(bytes) != nil }.map {
        ($0, bytes)
      }
    default: return nil
    }
  }

  /// The names of fields that are bytes, as in `cells.serial` of repeated ones: JSON has no type for these.
  private static func namesOfBytes(_ field: MessageTemplate.Field, as name: String) -> [String] {
    guard field.valueType.isGroup else { return field.valueType == .bytes ? [name] : [] }
    return field.columns.flatMap { namesOfBytes($0, as: "\(name).\($0.name)") }
  }

  private static func object(_ fields: [MessageTemplate.Field], _ values: [Value?]) -> JSONValue {
    .object(
      zip(fields, values).compactMap { field, value in
        value.map { JSONValue.Member(name: field.name, value: json(of: $0, field)) }
      })
  }

  private static func json(of value: Value, _ field: MessageTemplate.Field) -> JSONValue {
    guard case .group(let rows) = value else { return JSONValue(value) }
    return .array(rows.map { object(field.columns, $0) })
  }
}

extension TrafficEvent.Kind {
  /// Whether its JSON has the message's name already.
  fileprivate var namesMessage: Bool {
    switch withoutSide {
    case .notify(_, _, let name), .indicate(_, _, let name), .wireOut(_, let name),
      .frame(_, _, _, let name, _):
      name != nil
    case .sent: true
    default: false
    }
  }
}

extension MessageTemplate {
  /// Whether it has a fixed byte. One without matches any bytes.
  fileprivate var isRecognizable: Bool { leadingBytes.contains { $0.mask == 0xFF } }
}

extension JSONValue {
  /// A value of the expression language: bytes in hex with spaces; a number that is no number as its word.
  init(_ value: DeviceModel.Value) {
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
