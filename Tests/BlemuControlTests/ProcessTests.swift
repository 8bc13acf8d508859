import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BlemuControl

/// Devices that a program runs.
@Suite struct ProcessTests {
  private static let definition = """
    blemu: 1
    name: Lamp
    settings:
      local-name: { type: text, max: 20, default: Lamp }
      level: { type: integer, min: 0, max: 9, default: 1 }
    advertisement: { local-name: "{local-name}", services: [FFE0] }
    services:
      - uuid: FFE0
        characteristics: [ { id: switch, uuid: FFE1, properties: [read, write, notify], value: "00" } ]
    wire: {}
    messages: { turn: "A5 {state: u8}" }
    controls: { bell: { do: { log: it rings } }, dimmer: { set: level } }
    rules:
      - { on: { write: switch }, if: size(value) > 2, do: { refuse: 0x80 } }
      - { on: { receive: turn, from: wire }, do: { log: "the wire turns it to {state}" } }
      - { on: { receive: turn }, do: { send: turn, to: switch } }
    """

  private let folder = TemporaryFolder(["lamp.yaml": definition])
  private var lamp: String { folder.path + "lamp.yaml" }

  /// The program that is built with the tests.
  private static let program: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/blemu"
  }()

  @discardableResult
  private func withLamp<Result>(
    settings: [String: Device.Value] = [:], wire: DeviceProcess.Wire? = nil,
    _ body: (Device) async throws -> Result
  ) async throws -> Result {
    try await withRunningDevice(lamp, settings: settings, wire: wire, program: Self.program, body)
  }

  @Test func `a device runs with its settings, and ends`() async throws {
    let (process, path) = try await withLamp(settings: ["level": 2, "local-name": "Robot"]) { device in
      let status = try await device.status()
      #expect(status.isOnAir && status.deviceName == "Robot" && status.definition == "Lamp")
      #expect(try await device.get("level") == 2)
      #expect(try await device.get()["local-name"] == "Robot")
      #expect(try await device.describe()["settings"]?[1]?["name"] == "level")
      return (status.process, device.name)
    }
    #expect(kill(pid_t(process), 0) != 0)
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a program answers in place of the rules`() async throws {
    try await withLamp { lamp in
      let phone = lamp.central()
      try await phone.connect()
      try await phone.subscribe(to: "switch")
      try await lamp.withAnswers(to: "> switch turn", within: .seconds(20)) { question in
        switch question.fields["state"] {
        case 1: .message("turn", ["state": try await lamp.get("level + 6")])
        case 2: .refusal("0x81")
        default: nil
        }
      } during: {
        try await phone.write("turn state=1", to: "switch")
        try await lamp.expect("< switch turn state=7")
        await #expect(throws: RequestRefusal(line: "> switch turn state=2", error: "application-error-81")) {
          try await phone.write("turn state=2", to: "switch")
        }
        try await phone.write("turn state=3", to: "switch")
        try await lamp.expect("< switch turn state=3")
      }
      try await phone.write("turn state=1", to: "switch")
      try await lamp.expect("< switch turn state=1")
      #expect(
        try await lamp.withAnswers(to: "read switch") { _ in
          [5, 6]
        } during: {
          try await phone.read("switch")
        } == [5, 6])
    }
  }

  @Test func `an answer that fails is told, and thrown when all is done`() async throws {
    struct Unknown: Error {}
    try await withLamp { lamp in
      let phone = lamp.central()
      try await phone.connect()
      await #expect(throws: Unknown.self) {
        try await lamp.withAnswers(to: "read switch", within: .seconds(20)) { _ in
          throw Unknown()
        } during: {
          #expect(try await phone.read("switch") == [0])
          try await lamp.expect("! \"intercept 1 failed at 'read switch': Unknown()\" ...")
        }
      }
      await #expect(throws: ControlFailure.self) {
        try await lamp.withAnswers(to: "< switch") { _ in
          nil
        } during: {
        }
      }
    }
  }

  @Test func `a central in memory and a test talk about the same device`() async throws {
    try await withLamp { lamp in
      let phone = lamp.central()
      try await phone.connect(mtu: 185)
      try await phone.subscribe(to: "switch")
      try await phone.write(.message("turn", ["state": 3]), to: "switch")
      let events = try await lamp.expect("> switch turn state=3", "< switch A5 03")
      #expect(events.map(\.kind) == ["write", "notify"] && events[1].value == [0xA5, 3])
      #expect(events[0].fields == ["state": 3])
      try await phone.write([1], to: "switch", withResponse: true)
      #expect(try await phone.read("switch") == [1])
      await #expect(throws: RequestRefusal(line: "> switch 01 02 03", error: "application-error-80")) {
        try await phone.write([1, 2, 3], to: "switch")
      }
      try await phone.disconnect(reason: "supervision-timeout")
      try await lamp.expect("disconnect")
      #expect(try await lamp.status().centrals == [])
    }
  }

  @Test func `a test steers a device`() async throws {
    try await withLamp { lamp in
      let outcome = try await lamp.set(["level": 3])
      #expect(outcome.warnings == [])
      try await lamp.expect("set level=3", after: outcome.after)
      try await lamp.press("bell")
      try await lamp.expect(#"* "it rings""#)
      try await lamp.press("dimmer", 5)
      #expect(try await lamp.get("level * 2") == 10)
      try await lamp.wire(.message("turn", ["state": 1]))
      try await lamp.expect(#"* "the wire turns it to 1""#)
      try await lamp.central().connect()
      try await lamp.advertise(false)
      try await lamp.disconnect(reason: "remote-low-resources")
      try await lamp.expect("disconnect")
      try await lamp.reset()
      let refusal = await #expect(throws: ControlFailure.self) { try await lamp.set(["levle": 3]) }
      guard case .refused(let error) = refusal else { throw refusal ?? .ended }
      #expect(error.code == .badParameters && error.hint == "did you mean 'level'?")
      #expect(try await lamp.journalText().contains("it rings\n"))
      #expect(try await lamp.transcript().contains("\n* \"it rings\"\n"))
    }
  }

  @Test func `a fault lasts as long as its body`() async throws {
    try await withLamp { lamp in
      let phone = lamp.central()
      try await phone.connect()
      try await phone.subscribe(to: "switch")
      try await lamp.withFault("drop out on switch") {
        try await lamp.send("turn state=1", from: "switch")
        try await lamp.expect("fault drop out on switch")
        let fault = try #require(try await lamp.faults().first)
        #expect(fault.struck == 1 && !fault.isSpent)
      }
      #expect(try await lamp.faults() == [])
      try await lamp.send("turn state=2", from: "switch")
      try await lamp.expect("< switch turn state=2")
      await #expect(throws: CancellationError.self) {
        try await lamp.withFault("drop out on switch") { throw CancellationError() }
      }
      #expect(try await lamp.faults() == [])
    }
  }

  @Test func `a fault ends with a task that is cancelled`() async throws {
    try await withLamp { lamp in
      let task = Task {
        try await lamp.withFault("drop out on switch") { try await Task.sleep(for: .seconds(600)) }
      }
      while try await lamp.faults().isEmpty {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await lamp.faults() == [])
    }
  }

  @Test func `an expectation that is not met shows both sides`() async throws {
    try await withLamp { lamp in
      try await lamp.central().connect()
      try await lamp.central().write("turn state=2", to: "switch")
      let line: UInt = #line + 1
      let error = await #expect(throws: ExpectationError.self) {
        try await lamp.expect("> switch turn state=3", within: .zero)
      }
      let lines = "\(try #require(error))".split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines.first
          == "BlemuControlTests/ProcessTests.swift:\(line): '> switch turn state=3' did not come; in event 3, state is 2, not 3"
      )
      #expect(lines.contains { $0.hasPrefix("->       > switch turn state=3") })
      #expect(lines.contains { $0.contains("> switch  A5 02  turn state=2") })
    }
  }

  @Test func `lines are counted, and each expectation begins after the last`() async throws {
    try await withLamp { lamp in
      for level in 1...3 { try await lamp.set(["level": .integer(level)]) }
      #expect(
        try await lamp.expect("set level", atLeast: 3, after: 0).map(\.kind) == [
          "control", "control", "control",
        ])
      try await lamp.expect("set level", never: true)
      try await lamp.expect("set level", atMost: 3, after: 0)
      await #expect(throws: ExpectationError.self) { try await lamp.expect("set level", atMost: 2, after: 0) }
      async let late = lamp.expect("set level=4", within: .seconds(60))
      try await lamp.set(["level": 4])
      #expect(try await late.count == 1)
    }
  }

  @Test func `what came before an act is not its effect`() async throws {
    try await withLamp { lamp in
      try await lamp.press("bell")
      try await lamp.press("dimmer", 5)
      let error = await #expect(throws: ExpectationError.self) {
        try await lamp.expect(#"* "it rings""#, within: .zero)
      }
      #expect(error?.hint?.hasPrefix("event 3 would meet it, but came before") == true)
      try await lamp.expect(#"* "it rings""#, after: 0)
    }
  }

  @Test func `ten minutes pass at once`() async throws {
    try await withLamp { lamp in
      let before = try await lamp.status().time
      #expect(try await lamp.advance(by: .seconds(600)).warnings == [])
      #expect(try await lamp.status().time - before >= .seconds(600))
    }
  }

  @Test func `events come as they happen`() async throws {
    try await withLamp { lamp in
      async let rang: Bool = lamp.events().contains { $0.message == "it rings" }
      try await lamp.press("bell")
      #expect(try await rang)
    }
  }

  @Test func `a device may stop itself`() async throws {
    try await withLamp { try await $0.stop() }
  }

  @Test func `a program may be attached to the wire side`() async throws {
    try await withLamp(wire: .exec(["printf", "\\245\\007"])) {
      try await $0.expect("] wire turn state=7")
    }
  }

  @Test func `the error of the body is kept`() async throws {
    struct Mistake: Error {}
    await #expect(throws: Mistake.self) { try await withLamp { _ in throw Mistake() } }
  }

  @Test func `blemu says why it does not start`() async throws {
    let failure = await #expect(throws: ProcessFailure.self) {
      try await withRunningDevice("no-such-device", program: Self.program) { _ in }
    }
    #expect(failure?.message == "blemu did not start (exit status 66)")
    #expect(failure?.output.hasPrefix("blemu: there is no definition 'no-such-device'\n") == true)
    let missing = await #expect(throws: ProcessFailure.self) {
      try await withRunningDevice(lamp, program: "/opt/no-blemu") { _ in }
    }
    #expect("\(try #require(missing))".hasPrefix("cannot run '/opt/no-blemu': No such file or directory\n"))
  }

  @Test func `a device that dies is told from one that ends`() async throws {
    let failure = await #expect(throws: ProcessFailure.self) {
      try await withLamp { lamp in
        kill(pid_t(try await lamp.status().process), SIGKILL)
        while true { _ = try await lamp.status() }
      }
    }
    #expect(failure?.message == "blemu did not end well (killed by signal 9)")
  }

  @Test func `a device ends with the task that is cancelled`() async throws {
    let number = Mutex(0)
    let task = Task {
      try await withLamp { lamp in
        let process = try await lamp.status().process
        number.withLock { $0 = process }
        try await lamp.expect("connect", within: .seconds(3600))
      }
    }
    while number.withLock({ $0 == 0 }) { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(kill(pid_t(number.withLock { $0 }), 0) != 0)
  }

  @Test func `a start may be cancelled`() async throws {
    // It neither listens nor ends by itself.
    let other = TemporaryFolder(["sleeper": "#!/bin/sh\n: >\"${0%/*}/started\"\nexec sleep 3600\n"])
    chmod(other.path + "sleeper", 0o755)
    let task = Task { try await withRunningDevice(lamp, program: other.path + "sleeper") { _ in } }
    while other.read("started") == nil { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a child ends with the program that is killed`() throws {
    let child = try #require(Child(["sleep", "3600"], output: nil, errors: "/dev/null"))
    // The end of the only connection is what the end of this program would be.
    do { _ = Guardian(of: child) }
    #expect(child.wait(for: .seconds(60)) == .killed(signal: SIGTERM))
  }

  @Test func `the command line`() {
    let command = DeviceProcess.Command(
      "lamp.yaml", on: .bluez("hci0"), settings: ["level": 3, "loud": true], seed: 7, state: "lamp.state",
      faults: ["drop on switch", "reboot after 5s"], wire: .exec(["python3", "-u", "my robot.py"]),
      log: .json,
      arguments: ["--forget-bonds"])
    #expect(
      command.words(socket: "/run/lamp.sock") == [
        "run", "lamp.yaml", "--on", "bluez:hci0", "--log", "json", "--control", "/run/lamp.sock", "--set",
        "level=3",
        "--set", "loud=true", "--seed", "7", "--state", "lamp.state", "--fault", "drop on switch", "--fault",
        "reboot after 5s", "--forget-bonds", "--exec", "python3", "-u", "my robot.py",
      ])
  }
}
