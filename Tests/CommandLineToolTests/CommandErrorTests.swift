import Definitions
import EventLoop
import Glibc
import Peripheral
import Testing
@testable import Wire

@testable import CommandLineTool

@Suite struct CommandErrorTests {
  @Test(arguments: [
    (CommandError.noCommand, Int32(64)), (.unknownCommand("rnu"), 64),
    (.unknownDefinition("hm10", bundled: []), 66),
    (.unreadable(FileError(message: "")), 66), (.badDefinition, 65),
    (.badSettings(problem: ""), 65), (.unwritable(UnwritableFile(path: "", reason: "")), 73),
    (.badState(path: "", problem: ""), 65),
    (.stateInUse(path: ""), 73), (.bondsOfBluetoothd, 64),
    (.transport(TransportError(.unavailable, "", hint: "")), 69),
    (.transport(TransportError(.noPermission, "", hint: "")), 77),
    (.transport(TransportError(.invalid, "", hint: "")), 65), (.wire(WireError(message: "", hint: "")), 73),
    (.failure(""), 70),
    (.lostOutput(reason: ""), 74), (.noWebProgram(folder: ""), 69), (.brokenWebProgram("", output: ""), 69),
    (.otherWebProgram("", answer: ""), 69),
  ])
  func `each kind of failure has its exit status`(error: CommandError, status: Int32) {
    #expect(error.status.rawValue == status)
  }

  @Test(arguments: [
    (CommandError.unknownCommand("frob"), "unknown command 'frob'", "'blemu help' lists the commands"),
    (
      .unknownCommand("rnu", suggestion: "blemu run"), "unknown command 'rnu'", "did you mean 'blemu run'?"
    ),
    (
      .misplacedOption("--log", known: ["--log"]), "'--log' is not a command",
      "options follow the command: blemu COMMAND --log"
    ),
    (
      .misplacedOption("--verison", known: ["--help", "--version"]), "'--verison' is not a command",
      "did you mean '--version'?"
    ),
    (
      .unknownDefinition("hm10", bundled: ["bracelet", "hm-10"]), "there is no definition 'hm10'",
      "did you mean 'hm-10'? Give the path of a file of your own, as in ./hm10.yaml"
    ),
    (
      .unknownDefinition("lamp", bundled: ["bracelet", "hm-10"]), "there is no definition 'lamp'",
      "'blemu list' lists the bundled definitions. Give the path of a file of your own, as in ./lamp.yaml"
    ),
    (
      .unknownOption("--lgo", command: "run", known: ["--log", "--set"]), "'run' has no option '--lgo'",
      "did you mean '--log'?"
    ),
    (
      .badState(path: "s.yaml", problem: "'s.yaml' does not hold what was kept of HM-10"),
      "'s.yaml' does not hold what was kept of HM-10",
      "'s.yaml' is unchanged; correct it, remove it, or choose another file with --state"
    ),
    (
      .noWebProgram(folder: "/usr/bin"), "there is no blemu-web in '/usr/bin'",
      "it serves the page; in the repository, tools/build makes it, and tools/install installs it"
    ),
    (
      .brokenWebProgram("/bin/blemu-web", output: "error while loading shared libraries: libsoup-3.0.so.0"),
      "'/bin/blemu-web' does not start: error while loading shared libraries: libsoup-3.0.so.0",
      "libsoup is missing; 'apt-get install libsoup-3.0-0' installs it"
    ),
    (
      .brokenWebProgram("/bin/blemu-web", output: "Permission denied"),
      "'/bin/blemu-web' does not start: Permission denied",
      "in the repository, tools/install installs it again"
    ),
    (
      .stateInUse(path: "s.yaml"), "'s.yaml' is in use by another blemu",
      "stop the other one, or choose another file with --state"
    ),
    (
      .takenArgument("DEFINITION", command: "run", by: "--exec", words: ["cat", "hm-10"]),
      "'run' needs a DEFINITION: '--exec' has taken all words after it, 'cat hm-10'",
      "put the DEFINITION before '--exec', or put '--' between the program's last word and the DEFINITION"
    ),
    (.unknownSetting("x", known: []), "the definition has no setting 'x'", "it has no settings"),
    (
      .unknownSetting("nme", known: (1...20).map { "setting-\($0)" }), "the definition has no setting 'nme'",
      "'blemu show' lists the settings of a DEFINITION"
    ),
    (
      .unwritable(UnwritableFile("/there/report", ENOENT)),
      "cannot write '/there/report': No such file or directory",
      "choose a file in a folder that you can write to"
    ),
  ])
  func `an error names the problem and its solution`(error: CommandError, message: String, hint: String) {
    #expect(error.sentences?.message == message)
    #expect(error.sentences?.hint == hint)
  }

  @Test func `mistakes that are already printed are not reported again`() {
    #expect(CommandError.badDefinition.sentences == nil)
  }
}
