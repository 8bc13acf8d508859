import Bluetooth
import Captures
import Framing
import TestSupport
import Testing

/// `blemu run --capture`.
@Suite struct CaptureTests {
  private static let lamp = """
    blemu: 1
    name: Lamp
    advertisement: { local-name: Lamp, services: [FFE0] }
    services:
      - uuid: FFE0
        characteristics: [{ id: lamp, uuid: FFE1, properties: [read, write, notify], value: "07" }]
    messages: { question: "0A", answer: "01 02" }
    rules:
      - { on: { receive: question }, do: { send: answer } }
    """

  private let shell = Shell(["lamp.yaml": lamp])

  /// Runs lines while the lamp is on the air, in memory, with a recording in `a.log`, and kills it afterwards.
  private func run(_ lines: String, limit: String = "") -> Shell.Result {
    shell.run(
      """
      export XDG_RUNTIME_DIR=$PWD
      ( \(limit) exec blemu run lamp.yaml --on loopback --capture a.log ) & device=$!
      until blemu ps --json 2>/dev/null | grep -q '"on-air": true'; do sleep 0.01; done
      \(lines)
      blemu ps >/dev/null  # it answers once it has done all that came before
      kill -KILL $device
      wait $device 2>&-
      """)
  }

  @Test func `a device that is killed leaves what it has heard and said`() throws {
    _ = run(
      "blemu act lamp connect; blemu act lamp subscribe lamp; blemu act lamp '> lamp 0A'; blemu act lamp disconnect"
    )
    let capture = try Capture(path: shell.folder.path + "a.log")
    #expect(capture.notes == [])
    let device = try #require(capture.devices.first)
    #expect(capture.devices.count == 1)
    #expect(device.address == LinkAddress(DeviceAddress("00:00:00:00:00:01")!))
    #expect(device.advertisements.map(\.kind) == [.connectable, .scanResponse])
    #expect(
      device.advertisements.map(\.data) == [hex("02 01 06 03 03 E0 FF"), hex("05 09 4C 61 6D 70")])
    let connection = try #require(device.connections.first)
    #expect(connection.central == LinkAddress(DeviceAddress("00:00:00:00:00:02")!))
    #expect(connection.end?.reason == .remoteUserTerminated)
    #expect(connection.end?.by == .central)
    // The central discovers the attributes first.
    let attributes = connection.events.compactMap { event -> String? in
      guard case .attribute(let packet, let sender) = event.kind else { return nil }
      return (sender == .central ? "> " : "< ") + hexadecimal(packet)
    }
    #expect(
      attributes.suffix(5) == [
        "> 12 0D 00 01 00", "< 13", "> 12 0C 00 0A", "< 13", "< 1B 0C 00 01 02",
      ])
  }

  @Test func `a recording is complete up to the end of the disk, and the device goes on`() throws {
    // The shell counts blocks of 512 bytes.
    let lines =
      "blemu act lamp connect; blemu act lamp subscribe lamp\n"
      + String(repeating: "blemu act lamp '> lamp 0A'\n", count: 30)
    let result = run(lines + "blemu act lamp read lamp\n", limit: "trap '' XFSZ; ulimit -f 8;")
    #expect(result.output.split(separator: "\n").contains("01 02"))
    let warnings = result.output.split(separator: "\n").filter { $0.contains("a.log") }
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix("cannot write 'a.log': File too large; the recording ends here") == true)
    let capture = try Capture(path: shell.folder.path + "a.log")
    #expect(capture.notes == [] && capture.packetCount > 100)
  }

  @Test(
    arguments: [
      (
        "old.log", 73,
        "blemu: 'old.log' exists\n  choose another file, or remove it\n"
      ),
      (
        "a.txt", 64,
        "blemu: cannot record in 'a.txt': blemu writes pcapng and btsnoop\n"
          + "  end the name with .pcapng or .btsnoop (.log is btsnoop, too)\n"
      ),
      (
        "none/a.log", 73,
        "blemu: cannot write 'none/a.log': No such file or directory\n  choose a file in a folder that you can write to\n"
      ),
    ] as [(String, Int32, String)])
  func `a file that cannot be recorded in is an error`(path: String, status: Int32, error: String) {
    shell.folder.write("old", to: "old.log")
    let result = shell.run("blemu run lamp.yaml --on loopback --no-control --capture \(path)")
    #expect(result == Shell.Result(status: status, output: "", error: error))
    #expect(shell.folder.read("old.log") == "old")
  }

  @Test func `a device that cannot start leaves no recording`() {
    let result = shell.run("blemu run lamp.yaml --on loopback --control lamp.yaml --capture a.log")
    #expect(result.status == 73)
    #expect(shell.folder.read("a.log") == nil)
  }
}
