import BlueZ
import Bluetooth
import EventLoop
import Testing
import Wire

@testable import CommandLineTool
@testable import Devices

@Suite struct ArgumentsTests {
  @Test(arguments: [
    ["hm-10", "--log", "json"], ["--log=json", "hm-10"], ["hm-10", "--log", "none", "--json"],
    ["--log", "text", "--log=json", "--", "hm-10"],
  ])
  func `an option may be anywhere, and the last one counts`(words: [String]) throws {
    let arguments = try Arguments(words, for: .run)
    #expect(arguments["--log"] == "json")
    #expect(try arguments.one("DEFINITION") == "hm-10")
  }

  @Test(arguments: [["x", "--json"], ["x", "--log", "json"], ["--format=json", "x"]])
  func `JSON has the same words in every command`(words: [String]) throws {
    #expect(try Arguments(words, for: .journal)["--json"] != nil)
    #expect(try Arguments(words, for: .check)["--format"] == "json")
    #expect(throws: CommandError.self) { try Arguments(words, for: .test) }
  }

  @Test func `a value may contain equals signs, and an option may be repeated`() throws {
    let arguments = try Arguments(["x", "--set", "a=1=2", "--set=b="], for: .run)
    #expect(arguments.all("--set") == ["a=1=2", "b="])
  }

  @Test(arguments: [
    (["hm-10", "--exec", "cat"], ["cat"]),
    (["--exec", "cat", "--", "hm-10"], ["cat"]),
    (["hm-10", "--exec", "sh", "-c", "exit 3", "--log=json"], ["sh", "-c", "exit 3", "--log=json"]),
    (["--exec=sh", "-c", "--help", "--", "--log", "json", "hm-10"], ["sh", "-c", "--help"]),
    (["hm-10", "--exec", "old", "--", "--exec", "new"], ["new"]),
  ])
  func `a program takes all words up to two hyphens or the end`(words: [String], program: [String]) throws {
    let arguments = try Arguments(words, for: .run)
    #expect(arguments.words(of: "--exec") == program)
    #expect(try arguments.one("DEFINITION") == "hm-10")
    #expect(try WireSide(arguments) == .program(program, .onFailure))
  }

  @Test func `an option selects the attachment of the wire side`() throws {
    func wireSide(_ words: String...) throws -> WireSide { try WireSide(Arguments(words, for: .run)) }
    #expect(try wireSide() == .none)
    #expect(try wireSide("--pty", "hm10") == .pseudoTerminal("hm10"))
    #expect(try wireSide("--stdio") == .standardStreams)
    #expect(try wireSide("--tcp", "4000") == .tcp(SocketPlace("127.0.0.1:4000")!))
    #expect(try wireSide("--serial", "/dev/ttyS0") == .serialDevice("/dev/ttyS0", baud: nil))
    #expect(try wireSide("--serial=/dev/ttyS0:9600") == .serialDevice("/dev/ttyS0", baud: 9600))
    #expect(try wireSide("--restart", "never", "--exec", "a") == .program(["a"], .never))
  }

  @Test(arguments: [
    (
      ["x", "--lgo", "json"],
      CommandError.unknownOption(
        "--lgo", command: "run",
        known: [
          "--on", "--take", "--pty", "--exec", "--restart", "--tcp", "--serial", "--stdio", "--set",
          "--state",
          "--forget-bonds", "--capture", "--fault", "--seed", "--log", "--name", "--control", "--no-control",
          "--color",
          "--help",
        ])
    ),
    (["x", "--log"], .missingValue(option: "--log", placeholder: "text|json|none")),
    (["x", "--stdio=1"], .unexpectedValue(option: "--stdio")),
  ])
  func `a mistyped option is an error`(words: [String], error: CommandError) {
    #expect(throws: error) { try Arguments(words, for: .run) }
  }

  @Test(arguments: [
    ([], CommandError.missingArgument("DEFINITION", command: "run")),
    (
      ["--exec", "cat", "hm-10"],
      .takenArgument("DEFINITION", command: "run", by: "--exec", words: ["cat", "hm-10"])
    ),
    (["--exec", "cat"], .missingArgument("DEFINITION", command: "run")),
    (["hm-10", "bracelet@exact"], .sameAdapter("hm-10", "bracelet", adapter: "the first adapter")),
    (["hm-10@hci0", "bracelet"], .sameAdapter("hm-10", "bracelet", adapter: "the first adapter")),
    (["hm-10@hci1", "bracelet@exact:hci1"], .sameAdapter("hm-10", "bracelet", adapter: "hci1")),
    (["hm-10@loopback", "bracelet@loopback", "--on", "loopback"], .optionOfOneDevice("--on")),
    (["hm-10@loopback", "bracelet@loopback", "--pty", "x"], .optionOfOneDevice("--pty")),
    (["hm-10@hci1", "--on", "exact:hci1"], .conflictingOptions("hm-10@hci1", "--on")),
    (["hm-10@usb"], .badPlace("usb", in: "hm-10@usb")),
    (["hm-10@"], .badPlace("", in: "hm-10@")),
    (["@hci0"], .badPlace("hci0", in: "@hci0")),
    (["hm-10", "--pty", "x", "--stdio"], .conflictingOptions("--pty", "--stdio")),
    (["hm-10", "--tcp", "1", "--exec", "cat"], .conflictingOptions("--exec", "--tcp")),
    (
      ["hm-10", "--restart", "always"],
      .missingOption("--exec", placeholder: "PROGRAM [ARGUMENT…]", with: "--restart")
    ),
    (
      ["hm-10", "--restart", "often", "--exec", "cat"],
      .badValue(option: "--restart", value: "often", expected: "never, on-failure or always")
    ),
    (
      ["hm-10", "--tcp", "lots"],
      .badValue(
        option: "--tcp", value: "lots", expected: "a port or HOST:PORT, as in 4000 or 0.0.0.0:4000")
    ),
    (
      ["hm-10", "--serial", "/dev/ttyS0:fast"],
      .badValue(
        option: "--serial", value: "/dev/ttyS0:fast",
        expected: "a serial port, optionally with its speed, as in /dev/ttyUSB0 or /dev/ttyUSB0:9600")
    ),
    (["hm-10", "--stdio", "--serial", "/dev/ttyS0"], .conflictingOptions("--serial", "--stdio")),
    (["bracelet", "--exec", "cat"], .noWireSide(definition: "Fitness bracelet", option: "--exec")),
    (["hm-10", "--log", "xml"], .badValue(option: "--log", value: "xml", expected: "text, json or none")),
    (
      ["hm-10", "--on", "hci7"],
      .badValue(option: "--on", value: "hci7", expected: "did you mean 'bluez:hci7'?")
    ),
    (
      ["hm-10", "--on", "tcp:localhost:6402"],
      .badValue(
        option: "--on", value: "tcp:localhost:6402", expected: "did you mean 'exact:tcp:localhost:6402'?")
    ),
    (
      ["hm-10", "--on", "exact:tcp:localhost"],
      .badValue(
        option: "--on", value: "exact:tcp:localhost",
        expected: "tcp needs a host and a port, as in tcp:localhost:6402, not 'tcp:localhost'")
    ),
    (
      ["hm-10", "--on", "usb"],
      .badValue(
        option: "--on", value: "usb",
        expected: "loopback, bluez, exact, bluez:hci0 or exact:00:1A:7D:DA:71:13")
    ),
    (["hm-10-cable", "--set", "nme=x"], .unknownSetting("nme", known: ["local-name"])),
    (
      ["hm-10-cable", "--set", "local-name=ThirteenBytes"],
      .badSetting("local-name", problem: "'ThirteenBytes' has 13 bytes; at most 12 are allowed")
    ),
    (["bracelet", "--pty", "x"], .noWireSide(definition: "Fitness bracelet", option: "--pty")),
    (["hm10"], .unknownDefinition("hm10", bundled: DefinitionLibrary.ofThisProgram().names)),
  ])
  func `a wrong command line is refused before the command runs`(words: [String], error: CommandError) {
    #expect(throws: error) { try RunCommand(Arguments(words, for: .run)) }
  }

  @Test(arguments: [
    ("hm-10", "hm-10", nil), ("hm-10@hci1", "hm-10", "bluez:hci1"), ("lamp.yaml@exact", "lamp.yaml", "exact"),
    ("hm-10@00:1A:7D:DA:71:13", "hm-10", "bluez:00:1A:7D:DA:71:13"), ("a@b@loopback", "a@b", "loopback"),
    ("me@home/lamp.yaml", "me@home/lamp.yaml", nil),
    ("./a@b/l.yaml@exact:hci2", "./a@b/l.yaml", "exact:hci2"),
  ])
  func `a place may follow the definition`(word: String, definition: String, place: String?) throws {
    let placed = try PlacedDefinition(word)
    #expect(placed.definition == definition)
    #expect(placed.place == place)
  }

  @Test func `the report of mistakes is text or JSON`() {
    let error = CommandError.badValue(option: "--format", value: "xml", expected: "text or json")
    #expect(throws: error) { try CheckCommand(Arguments(["hm-10", "--format", "xml"], for: .check)) }
    #expect(throws: Never.self) { try CheckCommand(Arguments(["hm-10", "--format=json"], for: .check)) }
  }

  @Test func `an adapter is found by name or address`() {
    #expect(AdapterChoice("hci12") == .named("hci12"))
    #expect(AdapterChoice("00:1a:7d:da:71:13") == .address(DeviceAddress("00:1A:7D:DA:71:13")!))
    #expect(AdapterChoice("eth0") == nil)
    #expect(AdapterChoice("hci-1") == nil)
  }
}
