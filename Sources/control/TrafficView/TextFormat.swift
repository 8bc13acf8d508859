import Behavior
import Bluetooth
import Framing
import Peripheral

/// Formats traffic for people.
///
///     12:01:03.221  + 4C:32:75:0A:11:9E connected
///     12:01:04.002  > FFE1  48 65 6C 6C 6F 0D 0A  Hello\r\n
///     12:01:04.010  < FFE1  4F 4B  OK
package struct TextFormat: TrafficFormat {
  private let messages: EventMessages
  private let marks: LogMarks
  /// Whether each line begins with the time of day.
  private let hasTime: Bool

  package init(_ messages: EventMessages = .none, _ style: TextStyle = .plain, hasTime: Bool = true) {
    self.messages = messages
    marks = style.hasColors ? .colored : .plain
    self.hasTime = hasTime
  }

  package func write(_ event: TrafficEvent.Kind, at instant: WallTime, to lines: inout LineBuffer) {
    let time = hasTime ? instant : nil
    switch event {
    case .onAir(let device): lines.append(string: onAir(device))
    case .offAir(let ending, let totals): lines.append(string: offAir(ending, totals))
    case .address(let address, let set):
      lines.line(time, marks.none, "\(set.map { "set \($0)" } ?? "the device") has the address \(address)")
    case .connected(let central, let link):
      lines.line(time, marks.connected, "\(central) connected\(note(link?.words))")
    case .disconnected(let central, let reason):
      lines.line(time, marks.disconnected, "\(central) disconnected\(note(reason?.note))")
    case .link(let central, let change): lines.line(time, marks.none, "\(central): \(change.words)")
    case .identified(let central, let identity):
      lines.line(time, marks.none, "\(central) has the identity address \(identity)")
    case .paired(let central): lines.line(time, marks.none, "\(central) paired")
    case .bonded(let central): lines.line(time, marks.none, "\(central) bonded")
    case .pairingFailed(let central, let failure):
      lines.line(time, marks.warning, "pairing with \(central) failed: \(failure)")
    case .encrypted(let central, let security):
      lines.line(time, marks.none, "\(central) encrypted the link (\(security))")
    case .passkeyShown(let central, let passkey):
      lines.line(time, marks.message, "the passkey for \(central) is \(Passkey.text(of: passkey))")
    case .subscribed(let central, let attribute):
      lines.line(time, marks.none, "\(name(central)) subscribed to \(attribute)")
    case .unsubscribed(let central, let attribute):
      lines.line(time, marks.none, "\(name(central)) unsubscribed from \(attribute)")
    case .read(_, let attribute, let value, let error):
      lines.value(time, marks.read, attribute, value, nil, refused(error))
    case .write(_, let attribute, let value, _, let error):
      lines.value(time, marks.write, attribute, value, name(of: value), refused(error))
    case .notify(let attribute, let value, let message):
      lines.value(time, marks.send, attribute, value, message ?? name(of: value))
    case .indicate(let attribute, let value, let message):
      lines.value(time, marks.send, attribute, value, message ?? name(of: value), "indicated")
    case .opened(let central, let channel): lines.line(time, marks.none, "\(central) opened \(channel)")
    case .closed(let central, let channel, let reason):
      lines.line(
        time, marks.none,
        reason.map { "\(channel) closed for \(central) (\($0))" }
          ?? "\(central) closed \(channel)")
    case .channelIn(_, let channel, let bytes):
      lines.value(time, marks.write, channel, bytes, name(of: bytes))
    case .channelOut(let channel, let bytes, let message):
      lines.value(time, marks.send, channel, bytes, message ?? name(of: bytes))
    case .discovered(let central, let found, let missing):
      let has = found.isEmpty ? "nothing that the device looks for" : found.joined(separator: ", ")
      let lacks = missing.isEmpty || found.isEmpty ? "" : ", and lacks " + missing.joined(separator: ", ")
      lines.line(time, marks.none, "\(central) has \(has)\(lacks)")
    case .clientIn(_, let attribute, let bytes, let isRead):
      lines.value(time, marks.write, attribute, bytes, name(of: bytes), isRead ? "read" : nil)
    case .clientOut(_, let attribute, let bytes, let message):
      lines.value(time, marks.send, attribute, bytes, message ?? name(of: bytes))
    case .wireIn(let bytes): lines.value(time, marks.wireIn, "wire", bytes, name(of: bytes))
    case .wireOut(let bytes, let message):
      lines.value(time, marks.wireOut, "wire", bytes, message ?? name(of: bytes))
    case .plain(let stream, let bytes, let isSent):
      lines.value(time, isSent ? marks.encoded : marks.decoded, stream, bytes, name(of: bytes))
    case .frame(_, let stream, let bytes, let message, let isSent):
      lines.value(
        time, isSent ? marks.send : marks.write, stream, bytes, message ?? name(of: bytes) ?? "whole")
    case .controlled(let operation): lines.line(time, marks.control, operation.words)
    case .sent(let value): lines.line(time, marks.control, value.words + note(value.message))
    case .intercepted(let number, let step):
      lines.line(time, marks.control, "intercept \(number) \(step.words)")
    case .wire(let event): lines.line(time, marks.none, event.sentence)
    case .oneSided(.device, let event): write(ofDevice: event, at: instant, to: &lines)
    case .oneSided(.peer, let event): write(event, at: instant, to: &lines)
    case .fault(let strike): write(strike, at: time, to: &lines)
    case .log(let text): lines.line(time, marks.message, text)
    case .warning(let text, nil, _): lines.line(time, marks.warning, text)
    case .warning(let text, let attribute?, let bytes):
      lines.value(time, marks.warning, attribute, bytes, VisibleText.escape(text))
    case .error(let text): lines.line(time, marks.warning, "error: \(text)")
    }
  }

  /// What the device has sent or received, where the central has got or written something else.
  private func write(ofDevice event: TrafficEvent.Kind, at instant: WallTime, to lines: inout LineBuffer) {
    let time = hasTime ? instant : nil
    func value(_ place: String, _ bytes: [UInt8], _ message: String?, _ end: String?) {
      lines.value(time, marks.none, place, bytes, message ?? name(of: bytes), end)
    }
    switch event {
    case .notify(let place, let bytes, let message), .indicate(let place, let bytes, let message),
      .channelOut(let place, let bytes, let message):
      value(place, bytes, message, "sent")
    case .wireOut(let bytes, let message): value("wire", bytes, message, "sent")
    case .write(_, let place, let bytes, _, let error):
      value(place, bytes, nil, refused(error).map { "received, \($0)" } ?? "received")
    case .channelIn(_, let place, let bytes): value(place, bytes, nil, "received")
    case .wireIn(let bytes): value("wire", bytes, nil, "received")
    default: write(event, at: instant, to: &lines)
    }
  }

  /// The value that the fault strikes, with the fault's text.
  private func write(_ strike: FaultStrike, at time: WallTime?, to lines: inout LineBuffer) {
    guard let place = strike.place else { return lines.line(time, marks.fault, strike.fault) }
    lines.value(time, marks.fault, place, strike.value ?? [], strike.fault)
  }

  /// The name of the message that bytes are, which the device has not sent by a name.
  private func name(of bytes: [UInt8]) -> String? { messages.name(of: bytes) }

  private func name(_ central: DeviceAddress?) -> String { central?.description ?? "a central" }

  private func note(_ words: String?) -> String { words.map { " (\($0))" } ?? "" }

  private func refused(_ error: ATTError?) -> String? { error.map { "refused: \($0)" } }
}

// MARK: Lines

extension LineBuffer {
  /// The bytes of a value on one line.
  private static let width = 20

  fileprivate mutating func line(_ time: WallTime?, _ mark: StaticString, _ text: String) {
    begin(time, mark)
    append(string: VisibleText.escape(text))
    append("\n")
  }

  private mutating func begin(_ time: WallTime?, _ mark: StaticString) {
    if let time {
      append(localTime: time)
      append("  ")
    }
    append(mark)
    append(" ")
  }

  /// Appends a value in hex and, if it is text, as text, in rows of ``width`` bytes. The last ends with the name of the message that it is,
  /// and a remark, in parentheses.
  fileprivate mutating func value(
    _ time: WallTime?, _ mark: StaticString, _ attribute: String, _ bytes: [UInt8], _ name: String? = nil,
    _ remark: String? = nil
  ) {
    guard !bytes.isEmpty else {
      let note = [name, remark].compactMap(\.self).joined(separator: ", ")
      return line(time, mark, "\(attribute)  (\(note.isEmpty ? "empty" : note))")
    }
    let isText = PrintableText.isText(bytes)
    for start in stride(from: 0, to: bytes.count, by: Self.width) {
      let end = min(start + Self.width, bytes.count)
      let row = bytes.span.extracting(start..<end)
      begin(time, start == 0 ? mark : " ")
      if start == 0 { append(string: attribute) } else { append(spaces: attribute.count) }
      append("  ")
      append(hex: row)
      if isText {
        if bytes.count > Self.width { append(spaces: 3 * (Self.width - row.count)) }
        append("  ")
        append(printable: row)
      }
      if end == bytes.count { append(name, remark) }
      append("\n")
    }
  }

  /// `  (day-total, indicated)`; nothing if there are no words.
  private mutating func append(_ name: String?, _ remark: String?) {
    guard let first = name ?? remark else { return }
    append("  (")
    append(string: first)
    if name != nil, let remark {
      append(", ")
      append(string: remark)
    }
    append(")")
  }
}

// MARK: First and last lines

extension TextFormat {
  private func onAir(_ device: TrafficEvent.OnAir) -> String {
    let adapter = device.adapter
    var text = "\(VisibleText.escape(device.definition)) as \"\(VisibleText.escape(device.name))\" "
    let address = device.ownAddress.map { "\($0)" } ?? "\(adapter.address)"
    text += "on \(adapter.name) (\(address)), \(adapter.stack)\n"
    text += "on the air: \(device.packets.map(advertised) ?? "")serves \(list(device.services))\n"
    if let wire = device.wire { text += "wire side: \(VisibleText.escape(wire))\n" }
    return text
  }

  private func advertised(_ packets: AdvertisingPackets) -> String {
    let data = packets.advertisingData
    guard packets.capacity.advertisingData + packets.capacity.scanResponse > 0 else {
      return "advertises to one device; "
    }
    let size = "\(data.size) of \(packets.capacity.advertisingData) bytes"
    let isNamed = packets.scanResponse.structures.contains { $0.type == .completeLocalName }
    let name = isNamed ? ", and the name in the scan response" : ""
    let services = data.serviceUUIDs
    let rest = data.remainder + packets.scanResponse.remainder
    let malformed = rest.isEmpty ? "" : ", of which no AD structure is \(HexText.format(rest))"
    return "advertises \(services.isEmpty ? "" : "\(list(services)) in ")\(size)\(name)\(malformed); "
  }

  private func list(_ services: [BluetoothUUID]) -> String {
    services.isEmpty ? "no service" : services.map(\.description).joined(separator: ", ")
  }

  private func offAir(_ ending: TrafficEvent.Ending, _ totals: TrafficEvent.Totals) -> String {
    let counts =
      "\(count(totals.centrals, "central", "centrals")), \(count(totals.valuesIn, "value", "values")) in, "
      + "\(totals.valuesOut) out, \(totals.valuesLost) lost"
    let end = "off the air after \(totals.duration.inWords): "
    return switch ending {
    case .stopped(restoringAdapter: true): end + "\(counts); adapter restored\n"
    case .stopped(restoringAdapter: false): end + "\(counts)\n"
    case .failed(let reason): end + "\(VisibleText.escape(reason)) (\(counts))\n"
    }
  }

  private func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}

extension Duration {
  /// `4 s`, `2 min 4 s`, `1 h 0 min`.
  package var inWords: String {
    let seconds = components.seconds
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}
