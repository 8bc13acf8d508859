import Behavior
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
  package mutating func start(settings: [Value], options: EngineOptions) {
    let isUsual =
      options == EngineOptions() && zip(definition.settings, settings).allSatisfy { $0.initial == $1 }
    guard !isEmpty || !isUsual else { return }
    let wasEmpty = isEmpty
    begin("A conversation", settings: settings, options: options)
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

  package mutating func begin(
    _ title: String, settings: [Value], options: EngineOptions, paces: Transcript.Paces = []
  ) {
    isEmpty = false
    if !lines.isEmpty { lines.append("") }
    lines.append("== \(title)")
    for (setting, value) in zip(definition.settings, settings) where setting.initial != value {
      lines.append("set \(setting.name)=\(ValueText.setting(value))")
    }
    if options.seed != 0 { lines.append("seed \(options.seed)") }
    if options.unixTime != EngineOptions().unixTime {
      lines.append("clock \(ClockText.write(options.unixTime))")
    }
    if paces.contains(.wire) { lines.append("paced") }
    if paces.contains(.link) { lines.append("link-time") }
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
    let words = TranscriptText(definition)
    lines.append(words.line(of: arrival) + after + words.comment(on: arrival))
    mark = arrival.time
  }

  /// Adds the time that has passed without output.
  package mutating func pass(until time: Instant) {
    let silence = mark.duration(to: time)
    guard silence > .zero else { return }
    isEmpty = false
    lines.append("silence \(silence.written)")
    mark = time
  }
}
