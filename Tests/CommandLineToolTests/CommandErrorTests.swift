import BlemuControl
import EventLoop
import Glibc
import Peripheral
import TestSupport
import Testing

@testable import CommandLineTool
import Devices

/// What the program says of a command line that fails, and its exit status.
@Suite struct CommandErrorTests {
  private let shell = Shell([
    "lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n",
    "bad.yaml": "blemu: 1\nnmae: Lamp\n",
    "other.state": "definition: \"Other\"\n",
    "taken.state": "",
    "folder/file": "",
  ])

  @Test(arguments: [
    (
      "run hm10", 66, "there is no definition 'hm10'",
      "did you mean 'hm-10'? Give the path of a file of your own, as in ./hm10.yaml"
    ),
    (
      "run desk", 66, "there is no definition 'desk'",
      "'blemu list' lists the bundled definitions. Give the path of a file of your own, as in ./desk.yaml"
    ),
    (
      "check ./there.yaml", 66, "there is no file './there.yaml'",
      "for a bundled definition, give its name, as in hm-10"
    ),
    (
      "run --exec cat hm-10", 64,
      "'run' needs a DEFINITION, but '--exec' took all words after it: 'cat hm-10'",
      "put the DEFINITION before '--exec', or put '--' between the program's last word and the DEFINITION"
    ),
    ("run lamp.yaml --loopback", 64, "'run' has no option '--loopback'", "write --on loopback"),
    (
      "test --loopback", 64, "'test' has no option '--loopback'",
      "write --on loopback, or leave it out: it is the default"
    ),
    (
      "play --loopback lamp.yaml", 64, "'play' has no option '--loopback'",
      "leave it out: 'play' runs in memory"
    ),
    (
      "diff lamp.yaml", 64, "'diff' compares two devices, and 'lamp.yaml' is one",
      "name another after it: a definition, a bundled one (blemu list) or a recording"
    ),
    ("run lamp.yaml --on loopback --set x=1", 64, "the definition has no setting 'x'", "it has no settings"),
    (
      "run hm-10 --on loopback --set xyzzy=1", 64, "the definition has no setting 'xyzzy'",
      "'blemu show' lists the settings of a DEFINITION"
    ),
    (
      "show hm-10 --set uuid=1800", 65,
      "the service 'FFE0': BlueZ serves its own Generic Access (1800) instead of this one, and there is no other service",
      "change the setting in --set"
    ),
    (
      "run lamp.yaml --on loopback --pty lamp", 64, "Lamp has no wire side for '--pty'",
      "remove the option, or add 'wire:' to the definition"
    ),
    ("run lamp.yaml --forget-bonds", 64, "'--forget-bonds' also needs '--state'", "--state FILE"),
    (
      "run lamp.yaml --forget-bonds --state new.state", 64,
      "'--forget-bonds' needs '--on exact': with bluez, bluetoothd keeps the bonds",
      "'bluetoothctl remove ADDRESS' forgets one"
    ),
    (
      "run lamp.yaml --on loopback --state folder/file/state", 73,
      "cannot write 'folder/file/state': Not a directory",
      "choose a file in a folder that you can write to"
    ),
    (
      "run hm-10 --on loopback --pty there/hm10", 73,
      "cannot create the link 'there/hm10': No such file or directory",
      "choose an unused path in a folder that you can write to"
    ),
    (
      "get lamp level", 69, "no device 'lamp' runs", "no device is running; 'blemu run DEFINITION' starts one"
    ),
  ])
  func `a failure has a sentence, a remedy and a status of its kind`(
    words: String, status: Int32, message: String, hint: String
  ) {
    let expected = Shell.Result(status: status, output: "", error: "blemu: \(message)\n  \(hint)\n")
    #expect(shell.run("XDG_RUNTIME_DIR=$PWD blemu \(words)") == expected)
  }

  @Test func `a state file that another process has locked is in use`() {
    let expected = Shell.Result(
      status: 73, output: "",
      error: """
        blemu: 'taken.state' is in use by another blemu
          stop the other one, or choose another file with --state

        """)
    #expect(shell.run("flock taken.state blemu run lamp.yaml --on loopback --state taken.state") == expected)
  }

  @Test func `a state file of another device is unchanged`() {
    let result = shell.run("blemu run lamp.yaml --on loopback --state other.state")
    #expect(result.status == 65)
    #expect(
      result.error.hasSuffix(
        """
        blemu: 'other.state' does not hold the settings of Lamp
          'other.state' is unchanged; correct it, remove it, or choose another file with --state

        """), "\(result.error)")
    #expect(shell.folder.read("other.state") == "definition: \"Other\"\n")
  }

  @Test func `mistakes in a definition are printed once`() {
    let result = shell.run("blemu run bad.yaml --on loopback")
    #expect(result.status == 65)
    #expect(result.error.hasPrefix("bad.yaml:2:1: error: ") && !result.error.contains("blemu: "))
  }

  @Test func `lines that 'play' cannot read are mistakes, also after others`() {
    let result = shell.run("printf 'connect\\nfrob\\n' | blemu play lamp.yaml")
    #expect(result.status == 65)
    #expect(
      result.error.hasSuffix("blemu: 1 line was not understood\n  see the messages above\n"),
      "\(result.error)")
  }

  @Test func `without a bus there is no Bluetooth`() {
    let result = shell.run("DBUS_SYSTEM_BUS_ADDRESS=unix:path=/there/bus blemu run lamp.yaml")
    #expect(result.status == 69)
    #expect(result.error.hasPrefix("blemu: cannot connect to the D-Bus system bus: "), "\(result.error)")
  }

  /// Command lines reach these only next to bluetoothd.
  @Test(
    arguments: [(TransportError.Kind.noPermission, 77), (.invalid, 65)] as [(TransportError.Kind, Int32)])
  func `a transport's refusal has a status of its own`(kind: TransportError.Kind, status: Int32) {
    #expect(DeviceFailure.transport(TransportError(kind, "", hint: "")).status.rawValue == status)
  }

  @Test(
    arguments: [
      (.refused(EADDRINUSE), 73, "port 80 is in use"),
      (.refused(EADDRNOTAVAIL), 73, "192.0.2.9 is not an address of this machine"),
      (.refused(EACCES), 77, "port 80 needs privileges"),
      (.refused(ENOMEM), 73, "cannot listen on 192.0.2.9, port 80: Cannot allocate memory"),
      (.unknownHost(reason: ""), 73, "cannot find the host '192.0.2.9'"),
    ] as [(ListeningFailure, Int32, String)])
  func `a place at which the page cannot be served is explained`(
    failure: ListeningFailure, status: Int32, message: String
  ) {
    let error = CommandError.cannotListen(at: SocketPlace("192.0.2.9:80")!, failure)
    #expect(error.status.rawValue == status)
    #expect(error.message == message && error.hint != nil)
  }

  @Test func `a page whose address cannot be printed is not served`() {
    let result = shell.run("blemu web --listen 0 >/dev/full")
    #expect(
      result
        == .init(
          status: 74, output: "",
          error: "blemu: cannot write to standard output: No space left on device\n"))
  }
}
