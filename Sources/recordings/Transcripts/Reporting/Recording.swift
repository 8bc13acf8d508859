import Definitions
import DeviceModel
import Framing

/// Records a conversation as a transcript that passes.
package struct Recording: Sendable {
  private var definition: PeripheralDefinition
  /// The definition's file or name.
  private let device: String?
  private var lines: [String] = []
  /// The time of the last line; the next one states its delay from here.
  private var mark = Instant()

  package init(_ definition: PeripheralDefinition, device: String? = nil) {
    self.definition = definition
    self.device = device
  }

  /// Whether it is still empty.
  package private(set) var isEmpty = true

  /// The same with another device.
  package func continued(with definition: PeripheralDefinition) -> Recording {
    var recording = self
    recording.definition = definition
    return recording
  }

  /// Begins with a device that has just started.
  package mutating func start(settings: [Value], seed: UInt64) {
    let isUsual = seed == 0 && zip(definition.settings, settings).allSatisfy { $0.initial == $1 }
    guard !isEmpty || !isUsual else { return }
    let wasEmpty = isEmpty
    begin("A conversation", settings: settings, seed: seed)
    isEmpty = wasEmpty
  }

  /// The text of a transcript file.
  package var text: String {
    let title = lines.first?.hasPrefix("== ") == true ? [] : ["== A conversation"]
    return (head + title + lines).joined(separator: "\n") + "\n"
  }

  private var head: [String] {
    guard let device else { return [] }
    let isPlain = device.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "=" && $0 != "#" }
    return ["device " + (isPlain ? device : ValueText.quote(Array(device.utf8))), ""]
  }

  package mutating func begin(_ title: String, settings: [Value], seed: UInt64, isPaced: Bool = false) {
    isEmpty = false
    if !lines.isEmpty { lines.append("") }
    lines.append("== \(title)")
    for (setting, value) in zip(definition.settings, settings) where setting.initial != value {
      lines.append("set \(setting.name)=\(ValueText.write(value))")
    }
    if seed != 0 { lines.append("seed \(seed)") }
    if isPaced { lines.append("paced") }
    mark = Instant()
  }

  /// Adds a line that the person typed.
  package mutating func take(_ line: String, at time: Instant) {
    pass(until: time)
    isEmpty = false
    lines.append(line)
    mark = time
  }

  /// Adds the response to the request of the line before.
  package mutating func takeAnswer(_ line: String) {
    isEmpty = false
    lines.append(line)
  }

  /// Adds output of the device.
  package mutating func take(_ arrival: Arrival) {
    isEmpty = false
    let delay = mark.duration(to: arrival.time)
    let after = delay > .zero ? "  after \(delay.written)" : ""
    switch arrival.source {
    case .disconnection: lines.append("disconnected\(after)")
    case .pdu:
      lines.append("<< \(HexText.format(arrival.bytes))\(after)  # \(PDUText.name(of: arrival.bytes))")
    case .log: lines.append("* \(ValueText.quote(arrival.bytes))\(after)")
    case .wire: lines.append("[ wire  \(ValueText.exact(arrival.bytes, at: "wire", of: definition))\(after)")
    case .channelEnd(let index): lines.append("closed \(definition.channels[index].id)\(after)")
    case .channel(let index): lines.append(value(arrival, of: definition.channels[index].id, after))
    case .sought(let index): lines.append(value(arrival, of: definition.sought[index].id, after))
    case .characteristic(let index):
      lines.append(value(arrival, of: definition.characteristics[index].id, after))
    }
    mark = arrival.time
  }

  private func value(_ arrival: Arrival, of id: String, _ after: String) -> String {
    "< \(id)  \(ValueText.exact(arrival.bytes, at: id, of: definition))\(after)\(comment(on: arrival.bytes))"
  }

  /// Adds the time that has passed without output.
  package mutating func pass(until time: Instant) {
    let silence = mark.duration(to: time)
    guard silence > .zero else { return }
    isEmpty = false
    lines.append("silence \(silence.written)")
    mark = time
  }

  private func comment(on bytes: [UInt8]) -> String {
    for message in definition.namedMessages {
      if let values = message.parse(bytes) { return "  # \(ValueText.write(message, values))" }
    }
    return ""
  }
}
