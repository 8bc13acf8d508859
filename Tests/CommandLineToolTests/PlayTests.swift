import Definitions
import Glibc
import TestSupport
import Testing
import Transcripts

@testable import CommandLineTool

/// A person plays at a terminal.
@Suite(.enabled(if: dlopen("libedit.so.2", RTLD_LAZY) != nil, "libedit is not installed"))
struct PlayTests {
  private let folder = TemporaryFolder([
    "meter.yaml": """
    blemu: 1
    name: Meter
    settings: { label: { type: text, max: 40, default: "" } }
    advertisement: { local-name: Meter }
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify] }
    messages:
      day-request: "A5 {month: u8} {day: u8}"
      day-total: "5A {packets: u8}"
      name: "01 {name: text}"
    rules:
      - { on: { receive: day-request }, do: { send: day-total, with: { packets: day } } }
      - { on: { receive: name, from: serial }, do: { log: "the name is {name}" } }
    """
  ])

  private func play(_ options: String...) -> PlayTerminal {
    PlayTerminal([folder.path + "meter.yaml"] + options, home: folder)
  }

  @Test func `Tab completes a message with its fields, and goes to the next`() {
    let terminal = play()
    #expect(terminal.takesKeys())
    terminal.type("con\t\nsub\tser\t\n> ser\tday-r\t1\t2\n")
    #expect(terminal.shows("< serial  5A 02  day-total packets=2"))
    terminal.type("quit\n")
    #expect(terminal.end() == 0)
  }

  @Test func `several words are listed`() {
    let terminal = play()
    #expect(terminal.takesKeys())
    terminal.type("connect\n> serial \t\t")
    #expect(terminal.shows("day-request  day-total  name"))
    terminal.type("\u{3}")
    #expect(terminal.shows("^C"))
    terminal.type("quit\n")
    #expect(terminal.end() == 0)
  }

  @Test func `the cursor and backspace take whole characters, wide ones too`() {
    let terminal = play()
    #expect(terminal.takesKeys())
    terminal.type("connect\n> serial name name=\"aé漢b\u{2}\u{7F}\u{7F}ü\"\u{4}\n")
    #expect(terminal.shows("* the name is aü"))
    terminal.type("quit\n")
    #expect(terminal.end() == 0)
  }

  @Test func `Ctrl-C discards a line, and ends on an empty one`() {
    let terminal = play("--record", folder.path + "talk.transcript")
    #expect(terminal.takesKeys())
    terminal.type("connect\nwave")
    #expect(terminal.shows("wave"))
    terminal.type("\u{3}")
    #expect(terminal.shows("^C"))
    terminal.type("read serial\n")
    #expect(terminal.shows("= \"\""))
    terminal.type("\u{3}")
    #expect(terminal.shows("Ctrl-C again, or 'quit', ends"))
    terminal.type("\u{3}")
    #expect(terminal.shows("saved the conversation to "))
    #expect(terminal.end() == 0)
    let text = try? TextFile.read(folder.path + "talk.transcript")
    #expect(text == "device meter.yaml\n\n== A conversation\nconnect\nread serial\n= \"\"\n")
  }

  @Test func `an end of the input ends`() {
    let terminal = play()
    #expect(terminal.takesKeys())
    terminal.type("\u{4}")
    #expect(terminal.end() == 0)
  }

  @Test func `a recording replaces a file only after a question`() {
    let path = folder.path + "old.transcript"
    func content() -> String? { try? TextFile.read(path) }
    #expect((try? BlemuTool.write("old", to: path)) != nil)
    let refused = play("--record", path)
    #expect(refused.shows("exists. Replace it? [y/N] "))
    refused.type("n\n")
    #expect(refused.end() == 0)
    #expect(content() == "old")
    let accepted = play("--record", path)
    #expect(accepted.shows("[y/N] "))
    accepted.type("y\n")
    #expect(accepted.takesKeys())
    accepted.type("connect\nquit\n")
    #expect(accepted.end() == 0)
    #expect(content()?.hasSuffix("connect\n") == true)
  }

  @Test func `the history outlasts a run, and only its user may read it`() {
    let first = play()
    #expect(first.takesKeys())
    first.type("connect\nread serial\nquit\n")
    #expect(first.end() == 0)
    var status = stat()
    #expect(stat(folder.path + "state/blemu/history", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let second = play()
    #expect(second.takesKeys())
    second.type("connect\n\u{10}\u{10}\u{10}\n")  // back over 'connect' and 'quit' to 'read serial'
    #expect(second.shows("= \"\""))
    second.type("quit\n")
    #expect(second.end() == 0)
  }

  @Test func `a changed definition starts anew at once, and the line goes on`() {
    let terminal = play("--watch")
    #expect(terminal.takesKeys())
    terminal.type("conn")
    #expect(terminal.shows("conn"))
    let text = (try? TextFile.read(folder.path + "meter.yaml")) ?? ""
    let new = text.replacing("local-name: Meter", with: "local-name: Renamed")
    #expect((try? BlemuTool.write(new, to: folder.path + "meter.yaml")) != nil)
    #expect(terminal.shows("changed: \(folder.path)meter.yaml"))
    #expect(terminal.shows("the device restarts"))
    #expect(terminal.shows("advertises local-name=\"Renamed\""))
    #expect(terminal.shows("Meter> conn"))
    terminal.type("ect\ndisconnect\n")
    #expect(terminal.shows("Meter> disconnect"))
    terminal.type("quit\n")
    #expect(terminal.end() == 0)
    #expect(!terminal.shown.contains("unknown"))
  }

  @Test func `a definition with mistakes is reported at once, and not taken`() {
    let terminal = play("--watch")
    #expect(terminal.takesKeys())
    let text = (try? TextFile.read(folder.path + "meter.yaml")) ?? ""
    #expect((try? BlemuTool.write(text + "\nrulez: []\n", to: folder.path + "meter.yaml")) != nil)
    #expect(terminal.shows("a definition has no key 'rulez'"))
    #expect(terminal.shows("the device runs on as it was"))
    terminal.type("connect\nquit\n")
    #expect(terminal.end() == 0)
  }
}

/// Lines that a person has typed.
@Suite struct HistoryFileTests {
  @Test func `the last lines are kept`() throws {
    let folder = TemporaryFolder()
    let history = try #require(HistoryFile { $0 == "XDG_STATE_HOME" ? folder.path + "state" : nil })
    #expect(history.load() == [])
    for number in 1...(HistoryFile.mostLines * 2 + 1) { history.append("+\(number)ms") }
    #expect(history.load().count == HistoryFile.mostLines)
    #expect(history.load().last == "+2001ms")
    #expect(try TextFile.read(folder.path + "state/blemu/history").split(separator: "\n").count == 1000)
  }

  @Test func `the home folder is the default`() throws {
    let folder = TemporaryFolder()
    let history = try #require(HistoryFile { $0 == "HOME" ? String(folder.path.dropLast()) : nil })
    history.append("connect")
    #expect(try TextFile.read(folder.path + ".local/state/blemu/history") == "connect\n")
    #expect(HistoryFile { _ in nil } == nil)
  }
}

/// What a recording says of its device.
@Suite struct DeviceLineTests {
  private let folder = TemporaryFolder(["a/lamp.yaml": "", "b/c/notes": ""])

  @Test(arguments: [
    ("a/lamp.yaml", "a/new.transcript", "lamp.yaml"), ("a/lamp.yaml", "b/new.transcript", "../a/lamp.yaml"),
    ("a/lamp.yaml", "b/c/new.transcript", "../../a/lamp.yaml"),
    ("a/lamp.yaml", "new.transcript", "a/lamp.yaml"),
  ])
  func `a definition has a path from the recording's folder`(path: String, recording: String, name: String) {
    #expect(DeviceLine.name(of: folder.path + path, for: folder.path + recording) == name)
  }

  @Test func `a bundled definition has its name`() throws {
    let path = try #require(DefinitionLibrary.ofThisProgram().path(of: "hm-10"))
    #expect(DeviceLine.name(of: path, for: folder.path + "new.transcript") == "hm-10")
  }
}
