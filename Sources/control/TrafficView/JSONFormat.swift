import Behavior
import Bluetooth
import Framing
import Peripheral

/// Formats traffic for programs: one JSON object per line. `JSONEvents`, in the tests, describes them.
package struct JSONFormat: TrafficFormat {
  /// The device's name; nil: it is the only one.
  private let device: String?
  private let messages: EventMessages

  package init(device: String? = nil, _ messages: EventMessages = .none) {
    (self.device, self.messages) = (device, messages)
  }

  package func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer) {
    var object = JSONObject(in: lines)
    object.set("time", time)
    object.set("device", device)
    fill(&object, event)
    messages.message(in: event)?.write(to: &object)
    lines = object.end()
  }

  private func fill(_ object: inout JSONObject, _ event: TrafficEvent.Kind) {
    switch event {
    case .onAir(let device):
      begin(&object, "on-air")
      fill(&object, device)
    case .offAir(let ending, let totals):
      begin(&object, "off-air")
      fill(&object, ending, totals)
    case .address(let address, let set):
      begin(&object, "address")
      object.set("set", set)
      fill(&object, address)
    case .connected(let central, let link):
      begin(&object, "connected", central)
      fill(&object, link)
    case .disconnected(let central, let reason):
      begin(&object, "disconnected", central)
      fill(&object, reason)
    case .link(let central, let change):
      begin(&object, "link", central)
      fill(&object, change)
    case .identified(let central, let identity):
      begin(&object, "identified", central)
      object.set("identity", identity.address)
      fill(&object, identity.kind)
    case .paired(let central): begin(&object, "paired", central)
    case .bonded(let central): begin(&object, "bonded", central)
    case .pairingFailed(let central, let failure):
      begin(&object, "pairing-failed", central)
      object.set("reason", failure.description)
    case .encrypted(let central, let security):
      begin(&object, "encrypted", central)
      object.set("level", security.level.description)
      object.set("key-size", security.keySize)
    case .passkeyShown(let central, let passkey):
      begin(&object, "passkey", central)
      object.set("passkey", Passkey.text(of: passkey))
    case .subscribed(let central, let attribute): begin(&object, "subscribed", central, attribute)
    case .unsubscribed(let central, let attribute): begin(&object, "unsubscribed", central, attribute)
    case .read(let central, let attribute, let value, let error):
      begin(&object, "read", central, attribute, value)
      object.set("refused", error?.description)
    case .write(let central, let attribute, let value, let kind, let error):
      begin(&object, "write", central, attribute, value)
      object.set("kind", kind?.rawValue)
      object.set("refused", error?.description)
    case .notify(let attribute, let value, _): begin(&object, "notify", nil, attribute, value)
    case .indicate(let attribute, let value, _): begin(&object, "indicate", nil, attribute, value)
    case .opened(let central, let channel): begin(&object, "opened", central, channel)
    case .closed(let central, let channel, let reason):
      begin(&object, "closed", central, channel)
      object.set("reason", reason)
    case .channelIn(let central, let channel, let bytes):
      begin(&object, "channel-in", central, channel, bytes)
    case .channelOut(let channel, let bytes, _): begin(&object, "channel-out", nil, channel, bytes)
    case .discovered(let central, let found, let missing):
      begin(&object, "discovered", central)
      object.set("found", found.joined(separator: " "))
      object.set("missing", missing.joined(separator: " "))
    case .clientIn(let central, let attribute, let bytes, let isRead):
      begin(&object, "client-in", central, attribute, bytes)
      object.set("kind", isRead ? "read" : "value")
    case .clientOut(let central, let attribute, let bytes, _):
      begin(&object, "client-out", central, attribute, bytes)
    case .wireIn(let bytes): begin(&object, "wire-in", nil, nil, bytes)
    case .wireOut(let bytes, _): begin(&object, "wire-out", nil, nil, bytes)
    case .plain(let stream, let bytes, let isSent):
      begin(&object, "plain", nil, stream, bytes)
      object.set("direction", isSent ? "out" : "in")
    case .frame(let central, let stream, let bytes, _, let isSent):
      begin(&object, "frame", central, stream, bytes)
      object.set("direction", isSent ? "out" : "in")
    case .controlled(let operation):
      begin(&object, "control")
      object.set("command", operation.words)
    case .sent(let value):
      begin(&object, "control")
      object.set("command", value.words)
    case .intercepted(let number, let step):
      begin(&object, "intercepted")
      object.set("intercept", number)
      object.set("message", step.words)
    case .wire(let event):
      begin(&object, "wire")
      fill(&object, event)
    case .oneSided(.device, let event): fillOfDevice(&object, event)
    case .oneSided(.peer, let event): fill(&object, event)
    case .fault(let strike):
      begin(&object, "fault")
      fill(&object, strike)
    case .log(let text):
      begin(&object, "log")
      object.set("message", text)
    case .warning(let text, let attribute, let bytes):
      begin(&object, "warning", nil, attribute, attribute == nil ? nil : bytes)
      object.set("message", text)
    case .error(let text):
      begin(&object, "error")
      object.set("message", text)
    }
  }

  /// Writes what the device has sent or received, where the central has got or written something else.
  private func fillOfDevice(_ object: inout JSONObject, _ event: TrafficEvent.Kind) {
    switch event {
    case .notify(let place, let value, _), .indicate(let place, let value, _),
      .channelOut(let place, let value, _):
      begin(&object, "sent", nil, place, value)
    case .wireOut(let value, _): begin(&object, "sent", nil, "wire", value)
    case .write(let central, let place, let value, let kind, let error):
      begin(&object, "received", central, place, value)
      object.set("kind", kind?.rawValue)
      object.set("refused", error?.description)
    case .channelIn(let central, let place, let value): begin(&object, "received", central, place, value)
    case .wireIn(let value): begin(&object, "received", nil, "wire", value)
    default: fill(&object, event)
    }
  }

  /// Writes the name of the event, as `JSONEvents` has it, and the members that many events have.
  private func begin(
    _ object: inout JSONObject, _ name: StaticString, _ central: DeviceAddress? = nil,
    _ attribute: String? = nil, _ value: [UInt8]? = nil
  ) {
    object.set("event", word: name)
    object.set("central", central)
    object.set("attribute", attribute)
    guard let value else { return }
    object.set("value", hex: value)
    object.set("text", printable: value)
  }

  private func fill(_ object: inout JSONObject, _ device: TrafficEvent.OnAir) {
    object.set("definition", device.definition)
    object.set("name", device.name)
    object.set("adapter", device.adapter.name)
    if let address = device.ownAddress {
      fill(&object, address)
    } else {
      object.set("address", device.adapter.address)
    }
    object.set("stack", device.adapter.stack)
    object.set("services", device.services.map(\.description).joined(separator: " "))
    if let packets = device.packets {
      object.set("advertising-data", hex: packets.advertisingData.bytes)
      object.set("scan-response", hex: packets.scanResponse.bytes)
    }
    object.set("wire", device.wire)
  }

  private func fill(_ object: inout JSONObject, _ address: SetAddress) {
    object.set("address", address.address)
    object.set("address-type", word: "random")
    object.set("address-kind", address.address.randomKind?.name)
    object.set("identity", address.identity?.address)
  }

  private func fill(_ object: inout JSONObject, _ ending: TrafficEvent.Ending, _ totals: TrafficEvent.Totals)
  {
    if case .failed(let reason) = ending { object.set("reason", reason) }
    object.set("milliseconds", Int(totals.duration.wholeMilliseconds))
    object.set("centrals", totals.centrals)
    object.set("values-in", totals.valuesIn)
    object.set("values-out", totals.valuesOut)
    object.set("values-lost", totals.valuesLost)
  }
}
