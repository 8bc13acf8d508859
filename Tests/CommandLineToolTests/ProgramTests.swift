import TestSupport
import Testing

@testable import CommandLineTool

/// What the built program prints, where, and its exit status.
@Suite struct ProgramTests {
  private let shell = Shell(["lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n"])

  @Test(arguments: [
    "list", "show hm-10", "check hm-10", "schema", "test hm-10", "help", "help run", "run --help",
    "--version",
  ])
  func `a full disk is an error`(words: String) {
    let result = shell.run("blemu \(words) >/dev/full")
    #expect(result.status == 74)
    #expect(result.error.hasSuffix("blemu: cannot write to standard output: No space left on device\n"))
  }

  @Test(
    arguments: Sample.part(
      ["schema", "test hm-10 hm-10-cable hello bluno", "help"],
      of: ["schema", "test hm-10 hm-10-cable hello bluno", "help", "list"]))
  func `nothing is said when the reader has read enough`(words: String) {
    let result = shell.run("blemu \(words) | head -n 1 | wc -l")
    #expect(result.output == "1\n")
    #expect(result.error == "")
  }

  @Test func `a device ends when the reader of its log has read enough`() {
    let result = shell.run("{ blemu run lamp.yaml --on loopback --no-control; echo $? >&2; } | head -n 1")
    #expect(result.output == "Lamp as \"Lamp\" on loopback (00:00:00:00:00:01), no radio\n")
    #expect(result.error == "0\n")
  }

  @Test func `without a command, the help is an error`() {
    let result = shell.run("blemu")
    #expect(result == Shell.Result(status: 64, output: "", error: Help().overview))
  }

  @Test(arguments: [
    ("hm-10", "unknown command 'hm-10'", "did you mean 'blemu run hm-10'?"),
    ("./lamp.yaml", "unknown command './lamp.yaml'", "did you mean 'blemu run ./lamp.yaml'?"),
    ("bracelt", "unknown command 'bracelt'", "did you mean 'blemu run bracelet'?"),
    ("tset hm-10", "unknown command 'tset'", "did you mean 'blemu test'?"),
    (
      "help rnu", "there is no command, page or section 'rnu'",
      "did you mean 'blemu help run'? 'blemu help -k rnu' searches all pages"
    ),
    ("xyzzy", "unknown command 'xyzzy'", "'blemu help' lists the commands"),
    ("--log json run hm-10", "'--log' is not a command", "options follow the command: blemu COMMAND --log"),
    ("--hepl", "'--hepl' is not a command", "did you mean '--help'?"),
    ("run hm-10 --lgo json", "'run' has no option '--lgo'", "did you mean '--log'?"),
    (
      "web --listen x", "'x' is not a value of '--listen'",
      "a port or ADDRESS:PORT, as in 8080 or 0.0.0.0:8080"
    ),
    (
      "web --allow-origin localhost:5173", "'localhost:5173' is not a value of '--allow-origin'",
      "a scheme, a host and a port, as in http://localhost:5173"
    ),
    (
      "web 'a b'", "'a b' is not a name for a device",
      "a name has letters (A to Z), digits, '-', '_' and '.', and begins with a letter or a digit"
    ),
  ])
  func `a mistyped command line says what may be meant`(words: String, message: String, hint: String) {
    let expected = Shell.Result(status: 64, output: "", error: "blemu: \(message)\n  \(hint)\n")
    #expect(shell.run("blemu \(words)") == expected)
  }

  @Test func `a port that is in use is an error, and what to do is said`() {
    let result = shell.run(
      """
      blemu web --listen 0 >address & server=$!
      until grep -qs token address; do kill -0 $server || exit 99; sleep 0.01; done
      blemu web --listen $(sed 's/.*:\\([0-9]*\\).*/\\1/' address)
      status=$?
      kill $server; wait $server && exit $status
      """)
    #expect(result.status == 73)
    #expect(result.error.hasPrefix("blemu: port "))
    #expect(
      result.error.hasSuffix(
        " is in use\n  perhaps by another 'blemu web'; choose another port with --listen, or 0 for any free one\n"
      ))
  }

  @Test func `the page for a device that does not run says so, and waits for it`() {
    let result = shell.run(
      """
      blemu web lmap --listen 0 >address & server=$!
      until grep -qs token address; do kill -0 $server || exit 99; sleep 0.01; done
      kill $server; wait $server
      """)
    #expect(result.status == 0)
    #expect(
      result.error.hasPrefix("blemu: no device 'lmap' runs\n")
        && result.error.hasSuffix("the page shows it after it starts\n"), "\(result.error)")
  }

  @Test(arguments: ["run", "list", "help"])
  func `help of a command is the same in both forms`(command: String) {
    let text = Help().text(for: Command.named(command)!)
    #expect(shell.run("blemu help \(command)") == Shell.Result(status: 0, output: text, error: ""))
    #expect(shell.run("blemu \(command) --help") == Shell.Result(status: 0, output: text, error: ""))
  }

  @Test(arguments: [
    ("up none", 66, "there is no stand in the folder 'none'"),
    ("up two", 66, "the folder 'two' has several stands\n  give one of them: two/a.yaml, two/b.yaml"),
    ("up lamp", 64, "'lamp' is a definition, not a stand"),
    ("run one", 64, "'one' is a stand, not a definition"),
    ("up one blet", 64, "the stand has no device 'blet'\n  did you mean 'belt'?"),
  ])
  func `a folder is the only stand in it`(words: String, status: Int32, message: String) {
    let result = shell.run(
      """
      mkdir none two lamp one; cp lamp.yaml lamp
      for file in two/a two/b one/desk; do
        printf 'stand: Desk\\ndevices: { belt: { definition: ../lamp.yaml, on: loopback } }\\n' >$file.yaml
      done
      blemu \(words)
      """)
    #expect(result.status == status)
    #expect(result.error.hasPrefix("blemu: \(message)\n"), "\(result.error)")
  }

  @Test func `'play' checks the expectations of a transcript on its standard input`() {
    let shell = Shell([
      "talk": "device x.yaml\n== One\nconnect\n* centrals == 1\n", "bad": "connect\n* centrals == 2\n",
    ])
    let good = shell.run("blemu play hm-10 <talk")
    #expect(good.status == 0)
    #expect(good.output.hasSuffix("    0.000  met: * centrals == 1; centrals is 1\nexpectations met: 1\n"))
    let bad = shell.run("blemu play hm-10 <bad")
    #expect(bad.status == 1)
    #expect(
      bad.output.hasSuffix(
        "line 2:\n    0.000  not met: * centrals == 2; this is not true: centrals is 1\n"))
    #expect(
      bad.error == "blemu: 1 of 1 expectation was not met\n  the lines with 'not met' say why\n")
    #expect(shell.run("(cat bad; echo wave) | blemu play hm-10").status == 65)
  }

  @Test func `without a system bus, 'run' says how to do without Bluetooth`() {
    let result = shell.run("DBUS_SYSTEM_BUS_ADDRESS=unix:path=$PWD/none blemu run lamp.yaml")
    #expect(result.status == 69)
    #expect(
      result.error.contains(
        "'--on loopback' runs the device in memory, 'blemu play' lets you play its central"))
  }
}
