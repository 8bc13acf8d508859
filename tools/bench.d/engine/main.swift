import Behavior
import Bluetooth
import Framing
import Peripheral
import TrafficView

// Does what its first argument names as often as the second says; without them it prints the names. tools/bench.d/instructions runs it
// in valgrind, and counts what so many more take more.

/// From the bytes of a write to the actions that follow.
func measureFrames(size: Int, rules: Int, _ times: Int) {
  var (engine, writes) = Device(size: size, rules: rules).start()
  var (answers, outcome) = (0, Outcome())
  // Those from all over the rules.
  for index in 0..<times {
    let write = writes[index * 7 % writes.count]
    engine.handle(write, at: .milliseconds(Int64(index)), into: &outcome)
    answers += outcome.actions.count
  }
  guard answers == times else { fatalError("\(times) frames, \(answers) answers") }
}

/// From a value that was sent to its line in the log.
func measureLines(_ format: some TrafficFormat, _ value: [UInt8], _ times: Int) {
  var lines = LineBuffer()
  for index in 0..<times {
    lines.removeAll()
    format.write(.notify("FFE1", value), at: WallTime(microseconds: Int64(index) * 1000), to: &lines)
  }
}

/// The values that a condition about a device reads between two events.
func measureContexts(_ times: Int) {
  let (engine, _) = Device(size: 20, rules: 10).start()
  var values = 0
  for index in 0..<times { values += engine.context(at: .milliseconds(Int64(index))).variables.count }
  guard values == times else { fatalError("\(values) values") }
}

/// What the host above a controller needs for a value, without the server and the engine.
func measureHost(_ times: Int, _ step: (inout ValuesOnHost) -> Void) {
  var values = ValuesOnHost()
  for _ in 0..<times { step(&values) }
}

let text = Array("Twenty bytes of text".utf8)
let binary = (0..<20).map { UInt8($0 * 13) }
let things: [(name: String, perform: (_ times: Int) -> Void)] =
  [
    ("line-text", { measureLines(TextFormat(), text, $0) }),
    ("line-text-binary", { measureLines(TextFormat(), binary, $0) }),
    ("line-json", { measureLines(JSONFormat(), text, $0) }),
    ("line-json-binary", { measureLines(JSONFormat(), binary, $0) }),
    ("frame-20-rules-10", { measureFrames(size: 20, rules: 10, $0) }),
    ("frame-20-rules-1000", { measureFrames(size: 20, rules: 1000, $0) }),
    ("frame-500-rules-10", { measureFrames(size: 500, rules: 10, $0) }),
    ("context", measureContexts),
    ("host-write", { measureHost($0) { $0.takeWrite() } }),
    ("host-notification", { measureHost($0) { $0.sendNotification() } }),
    ("path", { Path.run($0) }),
    ("path-controlled", { Path.run($0, isControlled: true) }),
    ("bluez-echo", { BlueZPath.run($0) }),
    ("bluez-notification", { BlueZPath.run($0, notifications: 20) }),
  ] + Exchange.allCases.map { exchange in ("exact-\(exchange)", { ExactPath.run(exchange, $0) }) }

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "bluetoothd", let rounds = Int(arguments[2]),
  let values = Int(arguments[3])
{
  Bluetoothd.run(rounds: rounds, notifications: values)
} else if arguments.count == 3, let times = Int(arguments[2]) {
  things.first { $0.name == arguments[1] }?.perform(times)
} else {
  for thing in things { print(thing.name) }
}
