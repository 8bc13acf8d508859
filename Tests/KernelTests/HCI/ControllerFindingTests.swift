import Testing

@testable import Kernel

@Suite struct ControllerFindingTests {
  static let tcp = ControllerPlace.tcp(host: "localhost", port: 6402)
  static let uart = ControllerPlace.uart(path: "/dev/ttyACM0", speed: 1_000_000)
  static let adapter = ControllerPlace.adapter(0)

  @Test(
    arguments: [
      (
        .unknownHost("x", reason: "Name or service not known"),
        "cannot find the host 'x': Name or service not known"
      ),
      (.nothingListens(tcp), "nothing listens at localhost:6402"),
      (
        .unreachable(tcp, reason: "No route to host"), "cannot connect to localhost:6402: No route to host"
      ),
      (.doesNotAnswer(tcp, seconds: 5), "localhost:6402 has not answered in 5 s"),
      (.noSerialPort(path: "/dev/ttyACM0"), "there is no serial port '/dev/ttyACM0'"),
      (.notASerialPort(path: "/dev/null"), "'/dev/null' is not a serial port"),
      (.mayNotOpen(path: "/dev/ttyACM0"), "this user may not open '/dev/ttyACM0'"),
      (.portInUse(path: "/dev/ttyACM0"), "another program uses '/dev/ttyACM0'"),
      (.badSpeed(path: "/dev/ttyS0", speed: 7), "'/dev/ttyS0' does not support 7 bits per second"),
      (.cannotOpen(path: "/dev/ttyS0", reason: "No such device"), "cannot open '/dev/ttyS0': No such device"),
      (.noAdapter(adapter), "there is no adapter hci0"),
      (.adapterIsOn(adapter), "hci0 is on: the kernel or another program uses it"),
      (
        .mayNotTakeAdapter(adapter), "taking hci0 from the kernel needs the capability CAP_NET_ADMIN"
      ),
      (
        .cannotTakeAdapter(adapter, reason: "Operation not possible due to RF-kill"),
        "cannot take hci0 from the kernel: Operation not possible due to RF-kill"
      ),
      (.gone(tcp), "localhost:6402 has closed the connection"),
      (.gone(uart), "/dev/ttyACM0 is gone"),
      (.failed(uart, reason: "Bad message"), "/dev/ttyACM0 has failed: Bad message"),
      (
        .notHCI(tcp, firstWrongByte: 0x53),
        "the bytes from localhost:6402 are not HCI (first wrong byte 0x53)"
      ),
      (
        .packetTooLong(uart, length: 65_000),
        "the bytes from /dev/ttyACM0 are not HCI (a packet of 65000 bytes)"
      ),
    ] as [(ControllerFinding, String)])
  func `a finding is a clause`(finding: ControllerFinding, message: String) {
    #expect(finding.sentences.message == message)
    #expect(!finding.sentences.hint.isEmpty)
  }

  @Test func `what to do about bytes that are not HCI depends on where they come from`() {
    #expect(
      ControllerFinding.notHCI(Self.uart, firstWrongByte: 0x0A).sentences == (
        "the bytes from /dev/ttyACM0 are not HCI (first wrong byte 0x0A)",
        "the speed is probably wrong: blemu used 1000000 bits per second; another one: /dev/ttyACM0:115200"
      ))
    #expect(
      ControllerFinding.notHCI(Self.tcp, firstWrongByte: 0x53).sentences.hint
        == "check the port: a controller speaks H4 there")
  }
}
