import Behavior
import BlemuControl
import Definitions
import DeviceModel
import EventLoop
import Framing
import BlemuJSON
import Peripheral
import Transcripts

/// Values that the device sends, and bytes that enter its wire side.
extension DeviceControl {
  /// Sends a value from a characteristic, in a channel or out of the wire side.
  package func send(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    let place = parameters["from"]?.text ?? ""
    let endpoint = try endpoint(named: place)
    let content = try content(parameters)
    let central = try parameters["central"]?.text.map { text throws(ControlError) in try self.central(text) }
    if central != nil, endpoint == .wire {
      throw ControlError(.badParameters, "the wire side sends to no central", hint: "leave 'central' out")
    }
    let event = ControlEvent.send(content.bytes, from: endpoint, message: content.message, to: central)
    var sent: SendResult?
    let result = try happen {
      sent = device.peripheral.sendResult { device.peripheral.receive(.controlled(event)) }
    }
    switch sent {
    case .sent: return result
    case .unsent(let reason):
      throw ControlError(.notPossible, "'\(definition.name(of: endpoint))' sends nothing: \(reason)")
    case .lost(let reason): throw ControlError(.notPossible, reason)
    case nil: throw ControlError(.notPossible, "nothing was sent")
    }
  }

  /// Puts bytes into the wire side.
  package func putIntoWire(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    guard definition.hasWireSide else {
      throw ControlError(.badParameters, "\(definition.name) has no wire side")
    }
    let bytes = try content(parameters).bytes
    return try happen { device.peripheral.receive(.wireReceived(bytes)) }
  }

  func endpoint(named name: String) throws(ControlError) -> Endpoint {
    if name == "wire", definition.hasWireSide { return .wire }
    if let index = definition.channels.firstIndex(where: { $0.id == name }) { return .channel(index) }
    let sending = definition.characteristics.indices.filter { definition.characteristics[$0].canNotify }
    let found = definition.characteristics(named: name).filter(sending.contains)
    if found.count == 1 { return .characteristic(found[0]) }
    if found.count > 1 {
      let ids = found.map { definition.characteristics[$0].id }.joined(separator: ", ")
      throw ControlError(
        .badParameters, "\(found.count) characteristics have the UUID '\(name)'",
        hint: "name one by its id: \(ids)")
    }
    let known = definition.senders.map { definition.name(of: $0) } + (definition.hasWireSide ? ["wire"] : [])
    throw ControlError(
      .badParameters, problem(withSending: name),
      hint: known.isEmpty ? "the device sends nothing" : Suggestion.hint(for: name, in: known))
  }

  private func problem(withSending place: String) -> String {
    if !definition.characteristics(named: place).isEmpty {
      return "'\(place)' neither notifies nor indicates"
    }
    return place == "wire"
      ? "\(definition.name) has no wire side" : "no characteristic has the id '\(place)'"
  }

  /// The bytes of a message, of hex digits, or of a text: exactly one of them must be present.
  func content(_ parameters: JSONValue) throws(ControlError) -> LineParser.Content {
    let kinds = ["message", "bytes", "text", "value"].filter { parameters[$0] != nil }
    guard kinds.count == 1, let text = parameters[kinds[0]]?.text else {
      throw ControlError(
        .badParameters,
        kinds.isEmpty
          ? "there is no value"
          : kinds.map { "'\($0)'" }.joined(separator: " and ") + " cannot be combined",
        hint: "give one of 'message', 'bytes', 'text' and 'value'")
    }
    let fields = try (parameters["fields"]?.members ?? []).map { member throws(ControlError) in
      (name: member.name, value: try Self.fieldValue(member.value))
    }
    guard fields.isEmpty || kinds == ["message"] else {
      throw ControlError(.badParameters, "only a message has fields", hint: "give its name as 'message'")
    }
    switch kinds[0] {
    case "text": return LineParser.Content(bytes: Array(text.utf8))
    case "bytes": return LineParser.Content(bytes: try Self.bytes(text))
    default:
      do throws(Diagnostic) {
        return try kinds == ["message"] ? parser.content(text, fields: fields) : parser.content(text)
      } catch {
        throw ControlError(error)
      }
    }
  }

  private static func fieldValue(_ value: JSONValue) throws(ControlError) -> LineParser.FieldValue {
    if let hex = value.hexOfBytes { .bytes(try bytes(hex)) } else { .text(value.valueText) }
  }

  static func bytes(_ hex: String) throws(ControlError) -> [UInt8] {
    do { return try HexText.parse(hex) } catch {
      throw ControlError(.badParameters, "'\(hex)' is not hex: \(error)", hint: "as in A5 06 83")
    }
  }
}
