import Framing
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct ColorTests {
  @Test(arguments: [
    (ColorChoice.auto, true, [:], false), (.auto, true, ["TERM": "xterm"], true),
    (.auto, true, ["TERM": "dumb"], false), (.auto, false, ["TERM": "xterm"], false),
    (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
    (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
    (.always, false, ["TERM": "dumb", "NO_COLOR": "1"], true), (.never, true, ["TERM": "xterm"], false),
  ])
  func `a terminal gets colours where it takes them`(
    choice: ColorChoice, isTerminal: Bool, environment: [String: String], hasColors: Bool
  ) {
    #expect(choice.style(isTerminal: isTerminal) { environment[$0] }.hasColors == hasColors)
  }

  private let shell = Shell([
    "bad.yaml": "blemu: 1\nnmae: Lamp\n",
    "lamp.yaml":
      "blemu: 1\nname: Lamp\nservices: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], value: '00' }] }]\n",
    "lamp.transcript": "connect\nread FFE1\n= 01\n",
  ])

  @Test(arguments: ["list", "check bad.yaml", "test lamp.yaml", "rnu"])
  func `a pipe gets none, unless --color says so`(words: String) {
    let plain = shell.run("TERM=xterm blemu \(words)")
    #expect(!(plain.output + plain.error).contains("\u{1B}"))
    guard words != "rnu" else { return }
    let colored = shell.run("blemu \(words) --color always")
    #expect((colored.output + colored.error).contains("\u{1B}["))
    #expect((colored.output + colored.error).withoutColors == plain.output + plain.error)
    let never = shell.run("blemu \(words) --color=never")
    #expect(never == plain)
  }

  @Test(arguments: ["list --json", "show --json hm-10", "check --format json bad.yaml", "schema"])
  func `JSON never has colours`(words: String) {
    #expect(!shell.run("blemu \(words) --color always").output.contains("\u{1B}"))
  }

  @Test func `a terminal shows errors in red, and hints`() {
    let result = shell.run("blemu check bad.yaml --color always")
    #expect(result.error.contains("bad.yaml:2:1: \u{1B}[1;31merror:\u{1B}[0m "))
    #expect(result.error.contains(" | \u{1B}[1;31m^~~~\u{1B}[0m \u{1B}[36mdid you mean 'name'?\u{1B}[0m\n"))
  }

  @Test func `a failed test is red`() {
    let output = shell.run("blemu test lamp.yaml --color always").output
    #expect(output.hasPrefix("\u{1B}[1;31mFAILED\u{1B}[0m  0 of 1  lamp.transcript\n"))
    #expect(output.contains("\n\u{1B}[1;31m->\u{1B}[0m    3  = 01"))
  }

  @Test func `another word after --color is an error`() {
    let result = shell.run("blemu list --color sometimes")
    #expect(result.status == 64)
    #expect(
      result.error == "blemu: 'sometimes' is not a value of '--color'\n  auto, always or never\n")
  }
}

extension String {
  /// Without what begins with an escape, up to an `m`.
  fileprivate var withoutColors: String {
    split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, part in
      index == 0 ? String(part) : String(part.drop { $0 != "m" }.dropFirst())
    }.joined()
  }
}
