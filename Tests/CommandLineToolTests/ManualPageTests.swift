import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct ManualPageTests {
  private let shell = Shell()

  @Test func `every command, option and exit status is in the manual page`() {
    let text = ManualPage().text
    for command in Command.all {
      #expect(text.contains("\n.SS \"blemu \(command.name)"))
      for option in command.allOptions { #expect(text.contains("\n\\fB\(Roff.text(option.name))\\fR")) }
      for example in command.examples { #expect(text.contains("\n.B \(Roff.argument(example.line))\n")) }
    }
    for status in ExitStatus.allCases { #expect(text.contains("\n.TP\n\(status.rawValue)\n")) }
  }

  @Test func `roff takes no text for its own`() {
    #expect(Roff.text(".SH 'a' \\ -x …") == "\\&.SH \\(aqa\\(aq \\e \\-x \\[u2026]")
    #expect(Roff.text("'x") == "\\&\\(aqx")
    #expect(ManualPage().text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(.enabled(if: Shell.has("man"), "man is not installed"))
  func `man shows the page without a warning`() {
    let result = shell.run("blemu man >blemu.1; MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l blemu.1")
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output.contains("source <(blemu completion bash)"))
    #expect(result.output.contains("--exec PROGRAM [ARGUMENT…]"))
  }

  @Test(.enabled(if: Shell.has("mandoc"), "mandoc is not installed"))
  func `mandoc finds no mistake`() {
    let result = shell.run("blemu man | mandoc -Tlint -Wstyle")
    #expect(result.output == "")
  }
}
