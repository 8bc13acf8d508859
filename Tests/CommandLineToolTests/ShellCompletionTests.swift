import TestSupport
import Testing

@testable import CommandLineTool

/// Completes command lines in real shells.
@Suite struct ShellCompletionTests {
  private let shell = Shell(["lamp.yaml": "", "la la.yaml": ""])

  /// What bash would offer for a line with these words, the cursor at its end.
  private func bash(_ line: String, _ words: String...) -> [String] {
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    let result = shell.run(
      """
      cat >script <<'END'
      source <(blemu completion bash)
      COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
      COMP_WORDS=(\(array)) COMP_CWORD=\(words.count - 1)
      _blemu
      [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
      END
      bash script
      """)
    #expect(result.status == 0 && result.error == "", "\(result)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `bash completes commands, options and names`() {
    #expect(bash("blemu sch", "blemu", "sch") == ["schema"])
    #expect(bash("blemu ", "blemu", "") == Command.all.map(\.name))
    #expect(bash("blemu run --lo", "blemu", "run", "--lo") == ["--log"])
    #expect(bash("blemu run brac", "blemu", "run", "brac") == ["bracelet"])
  }

  @Test func `bash replaces only what follows a colon or an equals sign`() {
    #expect(bash("blemu run --log=j", "blemu", "run", "--log", "=", "j") == ["json"])
    #expect(bash("blemu run --log=", "blemu", "run", "--log", "=") == ["text", "json", "none"])
    #expect(
      bash("blemu run hm-10 --set firmware=V60", "blemu", "run", "hm-10", "--set", "firmware", "=", "V60")
        == ["V603", "V605"])
    #expect(
      bash("blemu run --on bluez:hci0 brac", "blemu", "run", "--on", "bluez", ":", "hci0", "brac")
        == ["bracelet"])
  }

  @Test func `bash replaces only what follows the place's sign`() {
    #expect(bash("blemu run hm-10@loo", "blemu", "run", "hm-10", "@", "loo") == ["loopback"])
  }

  @Test func `bash completes the names of files`() {
    #expect(bash("blemu check la", "blemu", "check", "la").sorted() == ["la la.yaml", "lamp.yaml"])
    #expect(bash("blemu run x --state=lam", "blemu", "run", "x", "--state", "=", "lam") == ["lamp.yaml"])
  }

  @Test(
    .enabled(if: Shell.has("zsh"), "zsh is not installed"),
    arguments: [
      ("run --lo", "--log:"), ("run brac", "bracelet:Fitness"), ("run hm-10 --set fir", "firmware=:"),
      ("run hm-10 --log ", "json:"), ("run bluno --on lo", "loopback:"),
    ])
  func `zsh completes`(words: String, candidate: String) {
    let parts = ("blemu " + words).split(separator: " ", omittingEmptySubsequences: false)
    let result = shell.run(
      """
      cat >script <<'END'
      compdef() {}; compset() {}; _files() { print files }
      _describe() { print -rl -- "${(@P)4}" }
      source <(blemu completion zsh)
      words=(\(parts.map { "'\($0)'" }.joined(separator: " "))); CURRENT=\(parts.count); PREFIX='\(parts.last!)'
      _blemu
      END
      zsh -f script
      """)
    #expect(result.error == "")
    #expect(result.output.split(separator: "\n").contains { $0.hasPrefix(candidate) }, "\(result)")
  }

  @Test(
    .enabled(if: Shell.has("fish"), "fish is not installed"),
    arguments: [
      ("run --lo", "--log\t"), ("run brac", "bracelet\tFitness"), ("run hm-10 --set fir", "firmware=\t"),
      ("run hm-10 --log ", "json"), ("check la", "lamp.yaml"), ("run x --state=la", "--state=lamp.yaml"),
    ])
  func `fish completes`(words: String, candidate: String) {
    let result = shell.run(
      "HOME=$PWD fish --no-config -c 'blemu completion fish | source; complete -C \"blemu \(words)\"'")
    #expect(result.output.split(separator: "\n").contains { $0.hasPrefix(candidate) }, "\(result)")
  }

  @Test func `a script for bash has no mistake in its syntax`() { expectSyntax(of: "bash") }

  @Test(.enabled(if: Shell.has("zsh"), "zsh is not installed"))
  func `a script for zsh has no mistake in its syntax`() { expectSyntax(of: "zsh") }

  @Test(.enabled(if: Shell.has("fish"), "fish is not installed"))
  func `a script for fish has no mistake in its syntax`() { expectSyntax(of: "fish") }

  private func expectSyntax(of name: String) {
    let expected = Shell.Result(status: 0, output: "", error: "")
    #expect(shell.run("blemu completion \(name) >script; \(name) -n script") == expected)
  }

  @Test func `other shells are unknown`() {
    #expect {
      try CompletionCommand(Arguments(["bsh"], for: .completion))
    } throws: {
      ($0 as? CommandError)?.hint == "did you mean 'bash'?"
    }
  }
}
