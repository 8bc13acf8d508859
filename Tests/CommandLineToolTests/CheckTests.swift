import Glibc
import TestSupport
import Testing

@testable import CommandLineTool

/// What `blemu check` takes, and what it says of it.
@Suite struct CheckTests {
  private static let lamp = "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n"

  @Test func `several files are all reported`() {
    let shell = Shell(["a.yaml": "blemu: 1\n", "b.yaml": Self.lamp, "c.yaml": "name: [\n"])
    let result = shell.run("blemu check a.yaml none.yaml b.yaml c.yaml")
    #expect(result.status == 65)
    #expect(result.output == "b.yaml: no errors\n")
    for place in ["a.yaml:1:1: error: ", "there is no file 'none.yaml'", "c.yaml:2:1: error: "] {
      #expect(result.error.contains(place))
    }
  }

  @Test func `of a folder all definitions are checked`() {
    let shell = Shell(["a.yaml": Self.lamp, "b.yaml": "blemu: 1\nnam: B\n", "other.yaml": "a: 1\n"])
    let result = shell.run("blemu check .")
    #expect(result.status == 65)
    #expect(result.output == "./a.yaml: no errors\n")
    #expect(result.error.contains("./b.yaml:2:1: error: a definition has no key 'nam'"))
    #expect(!result.error.contains("other.yaml"))
  }

  @Test func `a transcript is checked against the definition next to it`() {
    let shell = Shell([
      "lamp.yaml": Self.lamp, "lamp.transcript": "== It is there\nadvertises local-name=\"Lamp\"\n",
      "lamp-2.transcript": "== It waves\nwave\n", "lamp.svg": "<svg/>",
    ])
    let good = shell.run("blemu check lamp.transcript")
    #expect(good == .init(status: 0, output: "lamp.transcript: no errors\n", error: ""))
    let bad = shell.run("blemu check lamp-2.transcript")
    #expect(bad.status == 65)
    #expect(bad.error.hasPrefix("lamp-2.transcript:2:1: error: unknown line"))
    #expect(bad.error.hasSuffix("lamp-2.transcript: 1 error\n"))
    let json = shell.run("blemu check --format json lamp-2.transcript")
    #expect(json.output.hasPrefix("{\"file\": \"lamp-2.transcript\", \"line\": 2, \"column\": 1,"))
    let run = shell.run("blemu run --on loopback lamp.transcript")
    #expect(run.status == 64)
    #expect(run.error.contains("'lamp.transcript' is a transcript, not a definition"))
    #expect(shell.run("blemu show lamp.svg").error.contains("'lamp.svg' is a drawing, not a definition"))
  }

  @Test func `the standard input is checked`() {
    let shell = Shell(["lamp.yaml": Self.lamp])
    #expect(shell.run("blemu check - <lamp.yaml").output == "standard input: no errors\n")
    let result = shell.run("echo 'nam: Lamp' | blemu check --format json -")
    #expect(result.status == 65)
    #expect(result.output.hasPrefix("{\"file\": \"<stdin>\", \"line\": 1, \"column\": 1,"))
  }

  @Test(arguments: [
    ("lamp.yaml", "check lamp.yaml", "lamp.yaml:1:6: error: the file is not UTF-8 text: it has the byte E9"),
    (
      "lamp.transcript", "test lamp.transcript",
      "'lamp.transcript' is not UTF-8 text: it has the byte E9 in line 1, column 6"
    ),
    (
      "lamp.state", "run --on loopback --state lamp.state hm-10",
      "'lamp.state' is not UTF-8 text: it has the byte E9 in line 1, column 6"
    ),
  ])
  func `a file that is not UTF-8 is a mistake of the file`(name: String, words: String, message: String) {
    let shell = Shell(["lamp.yaml": Self.lamp])
    let result = shell.run("printf '# caf\\351\\n' >\(name); blemu \(words)")
    #expect(result.status == 65)
    #expect(result.error.contains(message))
  }
}
