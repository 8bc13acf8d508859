import Bluetooth
import Framing
import Peripheral

/// Traffic for people.
///
///     12:01:03.221  + 4C:32:75:0A:11:9E connected
///     12:01:04.002  > FFE1  48 65 6C 6C 6F 0D 0A  Hello\r\n
///     12:01:04.010  < FFE1  4F 4B  OK
package struct TextFormat: TrafficFormat {
  /// Bytes of a value on one line.
  private static let width = 20

  package init() {}

  package func text(for event: TrafficEvent.Kind, at time: WallTime) -> String {
    switch event {
    case .onAir(let device): onAir(device)
    case .offAir(let reason, let totals): offAir(reason, totals)
    case .connected(let central): line(time, "+", "\(central) connected")
    case .disconnected(let central): line(time, "-", "\(central) disconnected")
    case .subscribed(let central, let attribute):
      line(time, " ", "\(who(central)) subscribed to \(attribute)")
    case .unsubscribed(let central, let attribute):
      line(time, " ", "\(who(central)) unsubscribed from \(attribute)")
    case .read(_, let attribute, let value, let error):
      self.value(time, "?", attribute, value, refused(error))
    case .write(_, let attribute, let value, _, let error):
      self.value(time, ">", attribute, value, refused(error))
    case .notify(let attribute, let value): self.value(time, "<", attribute, value)
    case .indicate(let attribute, let value): self.value(time, "<", attribute, value, "indicated")
    case .wireIn(let bytes): value(time, "]", "wire", bytes)
    case .wireOut(let bytes): value(time, "[", "wire", bytes)
    case .log(let text): line(time, "*", text)
    case .warning(let text, nil, _): line(time, "!", text)
    case .warning(let text, let attribute?, let bytes): value(time, "!", attribute, bytes, text)
    case .error(let text): line(time, "!", "error: \(text)")
    }
  }

  package func dropped(_ count: Int, at time: WallTime) -> String {
    line(time, "!", "\(count) lines were dropped here: nobody read them")
  }

  private func line(_ time: WallTime, _ mark: String, _ text: String) -> String {
    "\(time.local)  \(mark) \(VisibleText.escape(text))\n"
  }

  private func who(_ central: DeviceAddress?) -> String { central?.description ?? "a central" }

  private func refused(_ error: ATTError?) -> String? { error.map { "refused: \($0)" } }

  private func value(
    _ time: WallTime, _ mark: String, _ attribute: String, _ bytes: [UInt8], _ note: String? = nil
  ) -> String {
    let head = "\(attribute)  "
    guard !bytes.isEmpty else { return line(time, mark, head + "(\(note ?? "empty"))") }
    let remark = note.map { "  (\($0))" } ?? ""
    guard bytes.count > Self.width else {
      return line(time, mark, head + HexText.format(bytes) + "  " + PrintableText.escape(bytes) + remark)
    }
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: Self.width) {
      let row = bytes[start..<min(start + Self.width, bytes.count)]
      let hex = HexText.format(row) + String(repeating: "   ", count: Self.width - row.count)
      let indent = start == 0 ? head : String(repeating: " ", count: head.count)
      let tail = start + Self.width >= bytes.count ? remark : ""
      text += line(time, start == 0 ? mark : " ", indent + hex + "  " + PrintableText.escape(row) + tail)
    }
    return text
  }
}

// MARK: First and last lines

extension TextFormat {
  private func onAir(_ device: TrafficEvent.OnAir) -> String {
    let adapter = device.adapter
    var text = "\(VisibleText.escape(device.definition)) as \"\(VisibleText.escape(device.name))\" "
    text += "on \(adapter.name) (\(adapter.address)), \(adapter.stack)\n"
    text += "on the air: \(services(device)), \(device.layout.advertisingData.size) of "
    text += "\(AdvertisingData.legacyCapacity) bytes\(namePlace(device.layout))\n"
    if let wire = device.wire { text += "wire side: \(wire)\n" }
    return text
  }

  private func services(_ device: TrafficEvent.OnAir) -> String {
    device.services.map(\.description).joined(separator: ", ")
  }

  private func namePlace(_ layout: AdvertisingLayout) -> String {
    layout.scanResponse.structures.contains { $0.type == .completeLocalName }
      ? "; the name is in the scan response" : ""
  }

  private func offAir(_ reason: String?, _ totals: TrafficEvent.Totals) -> String {
    let counts =
      "\(totals.centrals) \(totals.centrals == 1 ? "central" : "centrals"), \(totals.valuesIn) values in, "
      + "\(totals.valuesOut) out, \(totals.valuesLost) lost"
    let duration = Self.duration(totals.duration)
    guard let reason else { return "off the air after \(duration): \(counts); adapter as it was\n" }
    return "off the air after \(duration): \(reason) (\(counts))\n"
  }

  static func duration(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}
