import Behavior
import Framing
import Peripheral

/// Formats the traffic of one of several devices for people: each line begins with its name.
///
///     scale  12:01:03.221  + 4C:32:75:0A:11:9E connected
package struct NamedFormat: TrafficFormat {
  private let format: TextFormat
  private let beginning: [UInt8]

  /// - Parameter width: the columns of the longest name.
  package init(
    _ name: String, width: Int, _ messages: EventMessages = .none, _ style: TextStyle = .plain
  ) {
    format = TextFormat(messages, style)
    let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
    beginning = Array((style.mark(name, as: .heading) + gap).utf8)
  }

  package func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer) {
    let start = lines.count
    format.write(event, at: time, to: &lines)
    lines.insert(beginning, beforeEachLineFrom: start)
  }
}
