import Bluetooth
import Framing
import Peripheral
import Traffic

/// Formats traffic for programs: one JSON object per line. The names are stable;
/// Sources/CommandLineTool/json.md lists them.
package struct JSONFormat: TrafficFormat {
  /// The device's name; nil: it is the only one.
  private let device: String?

  package init(device: String? = nil) { self.device = device }

  package func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer) {
    var object = JSONObject(in: lines)
    object.set("time", time)
    object.set("device", device)
    fill(&object, event)
    lines = object.end()
  }

  private func fill(_ object: inout JSONObject, _ event: TrafficEvent.Kind) {
    switch event {
    case .onAir(let device): fill(&object, device)
    case .offAir(let ending, let totals): fill(&object, ending, totals)
    case .connected(let central, let link):
      fill(&object, "connected", central)
      fill(&object, link)
    case .disconnected(let central, let reason):
      fill(&object, "disconnected", central)
      fill(&object, reason)
    case .link(let central, let change):
      fill(&object, "link", central)
      fill(&object, change)
    case .paired(let central): fill(&object, "paired", central)
    case .bonded(let central): fill(&object, "bonded", central)
    case .pairingFailed(let central, let failure):
      fill(&object, "pairing-failed", central)
      object.set("reason", failure.description)
    case .encrypted(let central, let security):
      fill(&object, "encrypted", central)
      object.set("level", security.level.description)
      object.set("key-size", security.keySize)
    case .passkeyShown(let central, let passkey):
      fill(&object, "passkey", central)
      object.set("passkey", Passkey.text(of: passkey))
    case .subscribed(let central, let attribute): fill(&object, "subscribed", central, attribute)
    case .unsubscribed(let central, let attribute): fill(&object, "unsubscribed", central, attribute)
    case .read(let central, let attribute, let value, let error):
      fill(&object, "read", central, attribute, value)
      object.set("refused", error?.description)
    case .write(let central, let attribute, let value, let kind, let error):
      fill(&object, "write", central, attribute, value)
      object.set("kind", kind?.rawValue)
      object.set("refused", error?.description)
    case .notify(let attribute, let value, let message):
      fill(&object, "notify", nil, attribute, value)
      object.set("message", message)
    case .indicate(let attribute, let value, let message):
      fill(&object, "indicate", nil, attribute, value)
      object.set("message", message)
    case .wireIn(let bytes): fill(&object, "wire-in", nil, nil, bytes)
    case .wireOut(let bytes, let message):
      fill(&object, "wire-out", nil, nil, bytes)
      object.set("message", message)
    case .plain(let stream, let bytes, let isSent):
      fill(&object, "plain", nil, stream, bytes)
      object.set("direction", isSent ? "out" : "in")
    case .frame(let central, let stream, let bytes, let message, let isSent):
      fill(&object, "frame", central, stream, bytes)
      object.set("direction", isSent ? "out" : "in")
      object.set("message", message)
    case .controlled(let words):
      object.set("event", word: "control")
      object.set("command", words)
    case .sent(let value):
      object.set("event", word: "control")
      object.set("command", value.words)
      object.set("message", value.message)
    case .intercepted(let number, let words):
      object.set("event", word: "intercepted")
      object.set("intercept", number)
      object.set("message", words)
    case .wire(let event): fill(&object, event)
    case .fault(let strike): fill(&object, strike)
    case .log(let text): fill(&object, "log", text: text)
    case .warning(let text, let attribute, let bytes):
      fill(&object, "warning", nil, attribute, attribute == nil ? nil : bytes)
      object.set("message", text)
    case .error(let text): fill(&object, "error", text: text)
    }
  }

  private func fill(_ object: inout JSONObject, _ name: StaticString, text: String) {
    object.set("event", word: name)
    object.set("message", text)
  }

  private func fill(
    _ object: inout JSONObject, _ name: StaticString, _ central: DeviceAddress?, _ attribute: String? = nil,
    _ value: [UInt8]? = nil
  ) {
    object.set("event", word: name)
    object.set("central", central)
    object.set("attribute", attribute)
    guard let value else { return }
    object.set("value", hex: value)
    object.set("text", printable: value)
  }

  private func fill(_ object: inout JSONObject, _ device: TrafficEvent.OnAir) {
    object.set("event", word: "on-air")
    object.set("definition", device.definition)
    object.set("name", device.name)
    object.set("adapter", device.adapter.name)
    object.set("address", device.ownAddress ?? device.adapter.address)
    if device.ownAddress != nil { object.set("address-type", word: "random") }
    object.set("stack", device.adapter.stack)
    object.set("services", device.services.map(\.description).joined(separator: " "))
    if let packets = device.packets {
      object.set("advertising-data", hex: packets.advertisingData.bytes)
      object.set("scan-response", hex: packets.scanResponse.bytes)
    }
    object.set("wire", device.wire)
  }

  private func fill(_ object: inout JSONObject, _ ending: TrafficEvent.Ending, _ totals: TrafficEvent.Totals)
  {
    object.set("event", word: "off-air")
    if case .failed(let reason) = ending { object.set("reason", reason) }
    object.set("milliseconds", Int(totals.duration.wholeMilliseconds))
    object.set("centrals", totals.centrals)
    object.set("values-in", totals.valuesIn)
    object.set("values-out", totals.valuesOut)
    object.set("values-lost", totals.valuesLost)
  }
}
