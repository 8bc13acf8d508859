import Glibc
import TestSupport
import Testing

@testable import CommandLineTool

/// `blemu test`, from the command line to the exit status.
@Suite struct TestCommandTests {
  private static let lamp = """
    blemu: 1
    name: Lamp
    advertisement: { local-name: Lamp }
    services: [{ uuid: FFE0, characteristics: [{ id: switch, uuid: FFE1, properties: [read], value: "01" }] }]

    """

  private let folder = TemporaryFolder([
    "lamp.yaml": lamp,
    "lamp.transcript": "== It is on\nconnect\nread switch\n= 01\n== It is off\nconnect\nread switch\n= 00\n",
    "other/broken.yaml": "blemu: 1\nnmae: x\n", "other/broken.transcript": "connect\n",
    "other/lamp.yaml": lamp, "other/lamp.transcript": "connect\nraed switch\n",
    "good/lamp.yaml": lamp, "good/lamp.transcript": "== Good\nconnect\n", "empty/notes.txt": "",
  ])

  @Test(arguments: [
    (
      ["--on", "exact:hci0"],
      CommandError.missingOption("--central", placeholder: "exact:ADAPTER", with: "--on exact")
    ),
    (
      ["--on", "exact:/dev/ttyACM0"],
      .missingOption("--central", placeholder: "exact:ADAPTER", with: "--on exact")
    ),
    (
      ["--on", "bluez:hci0", "--central", "exact:hci1"],
      .badValue(
        option: "--central", value: "exact:hci1",
        expected: "bluez:ADAPTER, because a device on bluez needs a central on Linux")
    ),
    (["--central", "exact:hci1"], .conflictingOptions("--on loopback", "--central")),
  ])
  func `device and central have to be on the same air`(places: [String], error: CommandError) throws {
    let arguments = try Arguments([folder.path + "good"] + places, for: .test)
    #expect(throws: error) { try TestCommand(arguments) }
  }

  @Test(arguments: [
    ["--on", "exact:tcp:localhost:6402"],
    ["--on", "exact:tcp:localhost:6402", "--central", "exact:tcp:localhost:6403"],
    ["--on", "exact:hci0", "--central", "bluez:hci1"],
    ["--on", "exact:/dev/ttyACM0", "--central", "exact:hci0"],
  ])
  func `a central on exact is on a controller of any kind`(places: [String]) throws {
    let arguments = try Arguments([folder.path + "good"] + places, for: .test)
    #expect(throws: Never.self) { try TestCommand(arguments) }
  }

  @Test(arguments: [
    ("", "1 passed, 1 failed\n", 1), (".", "1 passed, 1 failed\n", 1),
    ("lamp.yaml", "1 passed, 1 failed\n", 1),
    ("--filter on", "1 passed, 0 failed\n", 0), ("--filter 'IS OFF'", "0 passed, 1 failed\n", 1),
    ("--filter 'is on' --filter 'is off'", "1 passed, 1 failed\n", 1),
    ("lamp.transcript:1", "1 passed, 0 failed\n", 0), ("lamp.transcript:4", "1 passed, 0 failed\n", 0),
    ("lamp.transcript:8", "0 passed, 1 failed\n", 1), ("lamp.transcript:4 good", "2 passed, 0 failed\n", 0),
    (
      "lamp.transcript:1 other good", "2 passed, 0 failed, 2 files not run because of mistakes\n", 65
    ), ("missing.transcript good", "1 passed, 0 failed\n", 66),
  ])
  func `the arguments select what is tested`(arguments: String, end: String, status: Int32) {
    let outcome = BlemuProcess.run("test " + arguments, in: folder)
    #expect(outcome.output.hasSuffix(end))
    #expect(outcome.status == status)
  }

  @Test func `each broken file is reported`() {
    let outcome = BlemuProcess.run("test other good --report report.xml", in: folder)
    #expect(outcome.errors.contains("other/broken.yaml:2:1: error: "))
    #expect(outcome.errors.contains("other/lamp.transcript:2:1: error: unknown line"))
    #expect(outcome.output.contains("ok      1 of 1  good/lamp.transcript\n"))
    let report = String(decoding: Repository.bytes(ofFile: folder.path + "report.xml") ?? [], as: UTF8.self)
    #expect(report.contains("<testsuites name=\"blemu\" tests=\"3\" failures=\"0\" errors=\"2\""))
  }

  @Test(arguments: [
    ("--filter Nothing", "no section's title contains 'Nothing'"),
    ("lamp.transcript:100", "'lamp.transcript' has no section at line 100"),
    ("empty", "there is no transcript in 'empty'"), ("hm-1O", "there is no definition 'hm-1O'"),
  ])
  func `nothing to test is an error`(arguments: String, message: String) {
    let outcome = BlemuProcess.run("test " + arguments, in: folder)
    #expect(outcome.errors.hasPrefix("blemu: \(message)\n"))
    #expect(outcome.status == 66)
  }

  @Test(arguments: [
    ("", "'talk.transcript' does not say for which definition it is"),
    ("device Lamp.yaml\n", "'talk.transcript' is for 'Lamp.yaml', which does not exist"),
  ])
  func `a transcript beside the definition that is for another is named`(device: String, reason: String) {
    let folder = TemporaryFolder([
      "lamp.yaml": Self.lamp, "other.yaml": Self.lamp, "talk.transcript": "\(device)connect\n",
    ])
    let outcome = BlemuProcess.run("test lamp.yaml", in: folder)
    let hint = "begin it with 'device lamp.yaml', or name it lamp.transcript"
    #expect(outcome.errors == "blemu: no transcript next to 'lamp.yaml' is for it: \(reason)\n  \(hint)\n")
    #expect(outcome.status == 66)
    folder.write("connect\n", to: "lamp.transcript")
    #expect(BlemuProcess.run("test lamp.yaml", in: folder).output.hasSuffix("1 passed, 0 failed\n"))
  }

  @Test func `a folder without transcripts needs an argument`() {
    let outcome = BlemuProcess.run("test", in: TemporaryFolder(["notes.txt": ""]))
    #expect(outcome.errors.hasPrefix("blemu: the current folder has no transcript\n  give a transcript, "))
    #expect(outcome.status == 66)
  }
}

/// Lines for `blemu play` from a file.
@Suite struct PlayInputTests {
  private let folder = TemporaryFolder([
    "lamp.yaml": """
    blemu: 1
    name: Lamp
    generators: { level: { shape: ramp, from: 0, to: 100, over: 100s } }
    advertisement: { manufacturer-data: { FFFF: "{level: u8}" }, every: 10s, connectable: true }
    services: [{ uuid: FFE0, characteristics: [{ id: switch, uuid: FFE1, properties: [read], value: "01" }] }]

    """, "old.transcript": "",
  ])

  @Test func `wrong lines are numbered, and the rest goes on`() {
    let outcome = BlemuProcess.run(
      "play lamp.yaml", in: folder, input: "connect\nwave\nread switch\n\nread light\n")
    #expect(
      outcome.output.hasSuffix(
        """
        line 2:
        wave
        ^~~~ unknown line; type 'help'
            0.000  = 01
        line 5:
        read light
             ^~~~~ no characteristic has the id 'light'; known: switch

        """))
    #expect(outcome.errors == "blemu: 2 lines were not understood\n  see the messages above\n")
    #expect(outcome.status == 65)
  }

  @Test(arguments: [
    ("read switch\n", "1 line had no effect", 1),
    ("connect\n= 01\nread switch\n= 01\n", "1 line had no effect", 1),
    ("connect\nread switch\n= 00\n= 01\n", "1 of 2 expectations were not met", 1),
    ("= 01\nwave\n", "1 line was not understood", 65),
  ])
  func `only a line that is not understood is bad input`(input: String, error: String, status: Int32) {
    let outcome = BlemuProcess.run("play lamp.yaml", in: folder, input: input)
    #expect(outcome.errors.hasPrefix("blemu: \(error)\n"))
    #expect(outcome.status == status)
  }

  @Test func `an advertisement that changes by itself is shown`() {
    let outcome = BlemuProcess.run("play lamp.yaml", in: folder, input: "+20s\n")
    #expect(outcome.output.contains("\n   10.000  advertises manufacturer-data=FFFF:0A "))
    #expect(outcome.output.contains("\n   20.000  advertises manufacturer-data=FFFF:14 "))
    #expect(outcome.status == 0)
  }

  @Test func `a recording does not replace a file`() {
    let refused = BlemuProcess.run("play lamp.yaml --record old.transcript", in: folder, input: "connect\n")
    #expect(
      refused.errors
        == "blemu: 'old.transcript' exists\n  choose another file, or replace it with --force\n")
    #expect(refused.status == 73)
    let forced = BlemuProcess.run(
      "play lamp.yaml --record old.transcript --force", in: folder, input: "connect\nread switch\n")
    #expect(forced.status == 0)
    #expect(BlemuProcess.run("test old.transcript", in: folder).output.hasSuffix("1 passed, 0 failed\n"))
  }

  @Test func `a recording with settings passes from another folder`() {
    let recorded = BlemuProcess.run(
      "play hm-10 --set local-name=Demo --seed 7 --record new.transcript", in: folder,
      input: "connect\nread FFE1\n")
    #expect(recorded.status == 0)
    let text = String(decoding: Repository.bytes(ofFile: folder.path + "new.transcript") ?? [], as: UTF8.self)
    #expect(
      text.hasPrefix(
        "device hm-10\n\n== A conversation\nset local-name=\"Demo\"\nseed 7\nconnect\nread FFE1\n"))
    #expect(BlemuProcess.run("test new.transcript", in: folder).status == 0)
  }
}

/// `--watch`: a command runs again.
@Suite struct WatchTests {
  private let folder = TemporaryFolder([
    "lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n",
    "lamp.transcript": "advertises local-name=\"Demo\"\n",
  ])

  private func output() -> String {
    String(decoding: Repository.bytes(ofFile: folder.path + "output") ?? [], as: UTF8.self)
  }

  /// Waits until the output contains a text so often. The limit is only against hanging.
  private func shows(_ text: String, times: Int = 1) -> Bool {
    for _ in 0..<6000 {
      if output().ranges(of: text).count >= times { return true }
      usleep(20_000)
    }
    return false
  }

  private func change(_ name: String, _ text: String) {
    #expect((try? BlemuTool.write(text, to: folder.path + name)) != nil)
  }

  /// Without a file, the folder is one of the files: it may get another transcript.
  @Test(arguments: [("test lamp.yaml --watch", ""), ("test --watch", "., ")])
  func `a test runs again when its files change`(arguments: String, folders: String) {
    let process = BlemuProcess.start(arguments, in: folder)
    #expect(shows("0 passed, 1 failed\nwatching for changes; Ctrl-C ends\n"))
    change("lamp.yaml", "blemu: 1\nname: Lamp\nadvertisement: { local-name: Demo }\n")
    #expect(shows("\nchanged: \(folders)lamp.yaml\n\n"))
    #expect(shows("1 passed, 0 failed\nwatching"))
    change("lamp.transcript", "advertises local-name=\"Other\"\n")
    #expect(shows("\nchanged: \(folders)lamp.transcript\n\n"))
    #expect(shows("0 passed, 1 failed\nwatching", times: 2))
    end(process)
  }

  @Test func `a check runs again when its files change`() {
    let process = BlemuProcess.start("check lamp.yaml --watch", in: folder)
    #expect(shows("lamp.yaml: no errors\nwatching"))
    change("lamp.yaml", "blemu: 1\n")
    #expect(shows("changed: lamp.yaml"))
    end(process)
  }

  /// Ctrl-C for the program, which is the shell's child or its successor.
  private func end(_ process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      killProgram()
      usleep(100_000)
    }
  }

  /// Finds the program by its folder: no other works there.
  private func killProgram() {
    for name in Repository.names(in: "/proc") {
      guard let process = pid_t(name), let link = realpath("/proc/\(name)/cwd", nil) else { continue }
      defer { free(link) }
      let command = String(decoding: Repository.bytes(ofFile: "/proc/\(name)/comm") ?? [], as: UTF8.self)
      if String(cString: link) + "/" == folder.path, command == "blemu\n" { kill(process, SIGINT) }
    }
  }
}
