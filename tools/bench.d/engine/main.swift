import Behavior
import Bluetooth
import Framing
import Peripheral
import TrafficView

// Does what its argument names, so many times (`path`: as many as a second one says); without one it prints the names. tools/bench.d/instructions runs it in
// valgrind, which counts the instructions of `measured`.

let times = 500

/// Does it once more than it counts: what happens only the first time is not measured.
func measure(_ step: (Int) -> Void) {
  step(0)
  measured(step)
}

/// The name by which valgrind knows what to count.
@inline(never)
func measured(_ step: (Int) -> Void) {
  for index in 1...times { step(index) }
}

/// From the bytes of a write to the actions that follow.
func measureFrames(size: Int, rules: Int) {
  var (engine, writes) = Device(size: size, rules: rules).start()
  var answers = 0
  // Those from all over the rules.
  measure { index in
    let write = writes[index * 7 % writes.count]
    answers += engine.handle(write, at: .milliseconds(Int64(index))).actions.count
  }
  guard answers == times + 1 else { fatalError("\(times + 1) frames, \(answers) answers") }
}

/// From a value that was sent to its line in the log.
func measureLines(_ format: some TrafficFormat, _ value: [UInt8]) {
  var lines = LineBuffer()
  measure { index in
    lines.removeAll()
    format.write(.notify("FFE1", value), at: WallTime(microseconds: Int64(index) * 1000), to: &lines)
  }
}

/// The values that a condition about a device reads between two events.
func measureContexts() {
  let (engine, _) = Device(size: 20, rules: 10).start()
  var values = 0
  measure { index in values += engine.context(at: .milliseconds(Int64(index))).variables.count }
  guard values == times + 1 else { fatalError("\(values) values") }
}

/// What the host above a controller needs for a value, without the server and the engine.
func measureHost(_ step: (inout ValuesOnHost) -> Void) {
  var values = ValuesOnHost()
  measure { _ in step(&values) }
}

let text = Array("Twenty bytes of text".utf8)
let binary = (0..<20).map { UInt8($0 * 13) }
var things: [(name: String, perform: () -> Void)] = [
  ("line-text", { measureLines(TextFormat(), text) }),
  ("line-text-binary", { measureLines(TextFormat(), binary) }),
  ("line-json", { measureLines(JSONFormat(), text) }),
  ("line-json-binary", { measureLines(JSONFormat(), binary) }),
]
for size in [20, 100, 500] {
  for rules in [10, 1000] {
    things.append(("frame-\(size)-rules-\(rules)", { measureFrames(size: size, rules: rules) }))
  }
}

things.append(("context", measureContexts))
things.append(("host-write", { measureHost { $0.takeWrite() } }))
things.append(("host-notification", { measureHost { $0.sendNotification() } }))

// The loop does not run inside `measured`: a run with twice as many rounds tells what they need.
things.append(("path", { Path.run(Int(CommandLine.arguments[2])!) }))
things.append(("path-controlled", { Path.run(Int(CommandLine.arguments[2])!, isControlled: true) }))

if CommandLine.arguments.count == 1 {
  for thing in things { print(thing.name, times) }
} else {
  things.first { $0.name == CommandLine.arguments[1] }?.perform()
}
