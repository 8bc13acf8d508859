import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct NewCommandTests {
  private let shell = Shell()

  @Test(arguments: ["lamp", "no", "null", "On", "x", "my-second-lamp-with-a-very-long-name-2", "a--b-"])
  func `a new definition passes check and test at once`(name: String) {
    let made = shell.run("blemu new \(name)")
    #expect(made.status == 0, "\(made)")
    let result = shell.run("blemu check \(name) && blemu test \(name)")
    #expect(result.status == 0, "\(result)")
    #expect(result.error == "")
    #expect(result.output.contains("no errors\n"))
    #expect(result.output.hasSuffix("5 passed, 0 failed\n"))
  }

  /// All of them in one run each of 'check' and 'test'; by default, every fifth.
  @Test func `definitions that extend the bundled ones pass both, too`() {
    let bases = Sample.some(of: DefinitionLibrary.ofThisProgram().names)
    let result = shell.run(
      """
      for base in \(bases.joined(separator: " ")); do blemu new my-$base --from $base || exit; done >made
      blemu check --on loopback my-* && blemu test my-*
      """)
    #expect(result.status == 0, "\(result)")
    #expect(result.error == "")
    for base in bases { #expect(result.output.contains("my-\(base)/my-\(base).yaml: no errors\n")) }
  }

  @Test func `it prints the next three commands, which work`() {
    let made = shell.run("mkdir 'two words'; blemu new 'two words/lamp/'")
    #expect(
      made.output == """
        made two words/lamp/lamp.yaml, two words/lamp/lamp.transcript, two words/lamp/README.md, \
        two words/lamp/lamp.svg; next:

          blemu check 'two words/lamp'
          blemu test 'two words/lamp'
          blemu run 'two words/lamp'

        """)
    #expect(shell.run("blemu check 'two words/lamp' && blemu test 'two words/lamp'").status == 0)
  }

  @Test func `a mistake in the face is one that check finds`() {
    #expect(shell.run("blemu new lamp && sed -i 's/is-on/is-up/' lamp/lamp.svg").status == 0)
    let result = shell.run("blemu check lamp")
    #expect(result.status == 65)
    #expect(result.error.contains("lamp/lamp.svg:11:74: error: unknown name 'is-up'\n"), "\(result.error)")
    #expect(result.error.hasSuffix("lamp/lamp.svg: 1 error\n") || result.error.contains(" errors\n"))
  }

  @Test func `nothing is overwritten`() {
    #expect(shell.run("mkdir empty; blemu new empty").status == 0)
    let full = shell.run("blemu new empty")
    #expect(full.status == 73)
    #expect(
      full.error
        == "blemu: 'empty' already exists and is not empty\n  choose another name, or remove it\n")
    #expect(shell.run("echo mine > file; blemu new file; cat file").output == "mine\n")
    #expect(shell.run("blemu new no-folder/lamp").status == 73)
  }

  @Test(arguments: ["2nd", "-", ".", "..", "a b", "a_b", "", "é", "a.yaml"])
  func `a name that could not be used everywhere is refused`(name: String) {
    #expect(throws: CommandError.badName(name)) { try NewCommand(Arguments(["--", name], for: .new)) }
  }

  @Test(arguments: [
    (["x", "--from", "hm10"], "there is no bundled definition 'hm10'", "did you mean 'hm-10'?"),
    (
      ["x", "--from", "./x.yaml"], "there is no bundled definition './x.yaml'",
      "'blemu list' lists the bundled definitions"
    ),
  ])
  func `only a bundled definition can be extended`(words: [String], message: String, hint: String) {
    #expect {
      try NewCommand(Arguments(words, for: .new))
    } throws: {
      let error = $0 as? CommandError
      return error?.message == message && error?.hint == hint
    }
  }
}
