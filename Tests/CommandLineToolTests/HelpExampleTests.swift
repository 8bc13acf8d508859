import TestSupport
import Testing

@testable import CommandLineTool

/// Runs the examples of the help.
@Suite struct HelpExampleTests {
  /// Recordings, under the names of the examples.
  init() {
    let recordings = Repository.path + "Tests/CapturesTests/Captures/"
    _ = shell.run(
      "cp \(recordings)jk-b1a20s15p.btsnoop btsnoop_hci.log; cp \(recordings)treadmill.btsnoop .")
  }

  private static let lines = Command.all.flatMap(\.examples).map(\.line)

  private let shell = Shell([
    "lamp.yaml": """
    blemu: 1
    name: Lamp
    advertisement: { local-name: Lamp, services: [FFE0] }
    services:
      - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], value: "00" }] }
    """,
    "desk.yaml": """
    stand: Desk
    devices:
      lamp: { definition: lamp.yaml, on: loopback }
      scale: { definition: qn-scale, on: loopback }
    """,
    "lamp-2.yaml": "blemu: 1\nname: Lamp 2\nservices: [{ uuid: FFE0, characteristics: [] }]\n",
    "primary.txt": "attr handle = 0x0001, end grp handle = 0x0003 uuid: ffe0\n",
    "characteristics.txt":
      "handle = 0x0002, char properties = 0x02, char value handle = 0x0003, uuid = ffe1\n",
    "server.xml": "<server-configuration name=\"Lamp\"><service uuid=\"ffe0\"/></server-configuration>",
    "lamp.transcript": "connect\nread FFE1\n= 00\n",
  ])

  private static let others = lines.filter {
    !isRun($0) && !isOnAir($0) && !steersDevice($0) && !examinesMachine($0)
  }

  private static func isOnAir(_ line: String) -> Bool {
    !isRun(line) && !examinesMachine(line) && (line.contains("--on bluez:") || line.contains("--on exact:"))
  }

  /// What it finds depends on the machine, and so does its exit status.
  private static func examinesMachine(_ line: String) -> Bool {
    line.hasPrefix("blemu doctor") && !line.contains("loopback")
  }

  @Test(arguments: lines.filter(examinesMachine))
  func `an example examines this machine`(line: String) {
    let result = shell.run(line)
    #expect([0, 69, 77].contains(result.status) && result.error == "", "\(result)")
    #expect(result.output.contains("kernel "), "\(result)")
  }

  @Test(arguments: others.filter { !isForFish($0) && !isForMan($0) })
  func `an example works`(line: String) { expectWorks(line, in: line.contains("<(") ? "bash" : "sh") }

  private static func isForFish(_ line: String) -> Bool { line.hasSuffix("| source") }

  @Test(.enabled(if: Shell.has("fish"), "fish is not installed"), arguments: others.filter(isForFish))
  func `an example for fish works`(line: String) { expectWorks(line, in: "HOME=. fish") }

  private static func isForMan(_ line: String) -> Bool { line.contains("| man ") }

  @Test(.enabled(if: Shell.has("man"), "man is not installed"), arguments: others.filter(isForMan))
  func `an example for man works`(line: String) { expectWorks(line, in: "sh") }

  private func expectWorks(_ line: String, in reader: String) {
    let result = shell.run("cat >script <<'END'\n\(line)\nEND\n\(reader) script")
    // Two devices differ.
    let expected: Int32 = line.hasPrefix("blemu diff ") ? 1 : 0
    #expect(result.status == expected, "\(result)")
    #expect(!result.error.contains("error: "))
  }

  /// A shell runs the device in the background, and ends it once it is on the air.
  private static func isRun(_ line: String) -> Bool {
    line.hasPrefix("blemu run ") || line.hasPrefix("blemu up ")
  }

  @Test(arguments: lines.filter(isRun))
  func `an example puts devices on the air`(line: String) {
    let hasPlaces = line.contains("@") || line.hasPrefix("blemu up ")
    let result = shell.run(
      """
      export XDG_RUNTIME_DIR=$PWD
      \(line)\(hasPlaces ? "" : " --on loopback") >log & device=$!
      until grep -Eq 'on the air|"on-air"' log; do kill -0 $device || exit 99; sleep 0.01; done
      kill $device; wait $device
      """)
    #expect(result.status == 0, "\(result)")
  }

  private static func steersDevice(_ line: String) -> Bool {
    Command.named(line.split(separator: " ").dropFirst().first.map(String.init) ?? "")?.isForRunning
      ?? false
  }

  private static func isWeb(_ line: String) -> Bool { line.hasPrefix("blemu web") }

  /// Until the shell has the address, and ends it.
  @Test(arguments: lines.filter(isWeb))
  func `an example serves the page`(line: String) {
    let result = shell.run(
      """
      export XDG_RUNTIME_DIR=$PWD
      \(line) --listen 0 >address & server=$!
      until grep -qs token address; do kill -0 $server || exit 99; sleep 0.01; done
      kill $server; wait $server
      """)
    #expect(result.status == 0, "\(result)")
  }

  /// Devices, and what a central subscribes to.
  private static let devices: [(name: String, stream: String?)] = [
    ("hm-10", "FFE1"), ("bracelet", "serial"), ("heart-rate-belt", nil),
  ]

  /// The devices that it names run, or all three, and a central in memory has subscribed to them.
  @Test(arguments: lines.filter { steersDevice($0) && !isWeb($0) })
  func `an example steers a device`(line: String) {
    let named = Self.devices.filter { line.contains($0.name) }
    let devices = named.isEmpty ? Self.devices : named
    let names = devices.map(\.name).joined(separator: " ")
    let streams = devices.compactMap { device in device.stream.map { "\(device.name):\($0)" } }.joined(
      separator: " ")
    let result = shell.run(
      """
      cat >script <<'END'
      \(line)
      END
      export XDG_RUNTIME_DIR=$PWD
      for name in \(names); do
        blemu run $name --on loopback --log none & devices="$devices $!"
      done
      until [ "$(blemu ps --json 2>/dev/null | grep -c '"on-air": true')" = \(devices.count) ]; do sleep 0.01; done
      grep -q ' connect$' script || for name in \(streams); do
        blemu act ${name%:*} connect && blemu act ${name%:*} "subscribe ${name#*:}"
      done
      if grep -q 'logs -f' script; then (until grep -qs 'on the air' .output; do sleep 0.01; done; blemu stop hm-10) & fi
      if grep -q expect script; then  # what the example waits for has come already, by two commands
        blemu act hm-10 '> FFE1 41 54'
        sed -i '/ within /s/$/ from start/' script
      fi
      sh script; status=$?
      for device in $devices; do kill $device 2>&-; done
      wait
      exit $status
      """)
    #expect(result.status == 0, "\(result)")
    #expect(result.error == "")
  }

  @Test(arguments: lines.filter(isOnAir))
  func `an example on the air is a valid command line`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let command = try #require(Command.named(words[1]))
    let arguments = try Arguments(words.dropFirst(2), for: command)
    #expect(throws: Never.self) {
      switch command.name {
      case "scan": _ = try ScanCommand(arguments)
      case "clone": _ = try CloneCommand(arguments)
      case "relay": _ = try RelayCommand(arguments)
      default: _ = try TestCommand(arguments)
      }
    }
  }

  @Test func `what a newcomer needs is an example of a command`() {
    for example in Help.start { #expect(Self.lines.contains(example.line)) }
  }

  @Test func `every command that does something has an example`() {
    #expect(Command.all.filter(\.examples.isEmpty).map(\.name) == ["version"])
  }
}
