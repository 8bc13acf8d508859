import Bluetooth
import Framing
import Peripheral

/// Traffic for programs: one JSON object a line. The names are stable; README lists them.
package struct JSONFormat: TrafficFormat {
  package init() {}

  package func text(for event: TrafficEvent.Kind, at time: WallTime) -> String {
    var object = JSONObject()
    object.set("time", time.utc)
    fill(&object, event)
    return object.text + "\n"
  }

  package func dropped(_ count: Int, at time: WallTime) -> String {
    text(for: .warning("\(count) lines were dropped here: nobody read them", attribute: nil, []), at: time)
  }

  private func fill(_ object: inout JSONObject, _ event: TrafficEvent.Kind) {
    switch event {
    case .onAir(let device): fill(&object, device)
    case .offAir(let reason, let totals): fill(&object, reason, totals)
    case .connected(let central): fill(&object, "connected", central)
    case .disconnected(let central): fill(&object, "disconnected", central)
    case .subscribed(let central, let attribute): fill(&object, "subscribed", central, attribute)
    case .unsubscribed(let central, let attribute): fill(&object, "unsubscribed", central, attribute)
    case .read(let central, let attribute, let value, let error):
      fill(&object, "read", central, attribute, value)
      object.set("refused", error?.description)
    case .write(let central, let attribute, let value, let kind, let error):
      fill(&object, "write", central, attribute, value)
      object.set("kind", kind?.rawValue)
      object.set("refused", error?.description)
    case .notify(let attribute, let value): fill(&object, "notify", nil, attribute, value)
    case .indicate(let attribute, let value): fill(&object, "indicate", nil, attribute, value)
    case .wireIn(let bytes): fill(&object, "wire-in", nil, nil, bytes)
    case .wireOut(let bytes): fill(&object, "wire-out", nil, nil, bytes)
    case .log(let text): fill(&object, "log", text: text)
    case .warning(let text, let attribute, let bytes):
      fill(&object, "warning", nil, attribute, attribute == nil ? nil : bytes)
      object.set("message", text)
    case .error(let text): fill(&object, "error", text: text)
    }
  }

  private func fill(_ object: inout JSONObject, _ name: String, text: String) {
    object.set("event", name)
    object.set("message", text)
  }

  private func fill(
    _ object: inout JSONObject, _ name: String, _ central: DeviceAddress?, _ attribute: String? = nil,
    _ value: [UInt8]? = nil
  ) {
    object.set("event", name)
    object.set("central", central?.description)
    object.set("attribute", attribute)
    guard let value else { return }
    object.set("value", HexText.format(value))
    object.set("text", PrintableText.escape(value))
  }

  private func fill(_ object: inout JSONObject, _ device: TrafficEvent.OnAir) {
    object.set("event", "on-air")
    object.set("definition", device.definition)
    object.set("name", device.name)
    object.set("adapter", device.adapter.name)
    object.set("address", device.adapter.address.description)
    object.set("stack", device.adapter.stack)
    object.set("services", device.services.map(\.description).joined(separator: " "))
    object.set("advertising-data", HexText.format(device.layout.advertisingData.bytes))
    object.set("scan-response", HexText.format(device.layout.scanResponse.bytes))
    object.set("wire", device.wire)
  }

  private func fill(_ object: inout JSONObject, _ reason: String?, _ totals: TrafficEvent.Totals) {
    object.set("event", "off-air")
    object.set("reason", reason)
    object.set("milliseconds", Int(totals.duration.wholeMilliseconds))
    object.set("centrals", totals.centrals)
    object.set("values-in", totals.valuesIn)
    object.set("values-out", totals.valuesOut)
    object.set("values-lost", totals.valuesLost)
  }
}

/// A flat JSON object, its members in the order in which they were set.
package struct JSONObject {
  private var members = ""

  package init() {}

  package var text: String { "{" + members + "}" }

  /// Adds a text; nil leaves the member out.
  package mutating func set(_ name: String, _ text: String?) {
    if let text { append(name, Self.quoted(text)) }
  }

  package mutating func set(_ name: String, _ number: Int) { append(name, String(number)) }

  private mutating func append(_ name: String, _ value: String) {
    if !members.isEmpty { members += "," }
    members += Self.quoted(name) + ":" + value
  }

  /// A JSON string (RFC 8259, 7).
  package static func quoted(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return "\"" + text + "\""
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
