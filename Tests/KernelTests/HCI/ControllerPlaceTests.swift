import Testing

@testable import Kernel

@Suite struct ControllerPlaceTests {
  @Test(
    arguments: [
      ("tcp:localhost:6402", .tcp(host: "localhost", port: 6402), "localhost:6402"),
      ("tcp:10.0.2.2:1", .tcp(host: "10.0.2.2", port: 1), "10.0.2.2:1"),
      ("tcp:[::1]:65535", .tcp(host: "::1", port: 65535), "[::1]:65535"),
      ("/dev/ttyACM0", .uart(path: "/dev/ttyACM0", speed: 1_000_000), "/dev/ttyACM0"),
      ("/dev/ttyUSB1:115200", .uart(path: "/dev/ttyUSB1", speed: 115_200), "/dev/ttyUSB1"),
      (
        "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0",
        .uart(path: "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0", speed: 1_000_000),
        "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0"
      ),
    ] as [(String, ControllerPlace, String)])
  func `a place is a host and a port, or a serial port`(
    text: String, place: ControllerPlace, description: String
  ) throws {
    #expect(ControllerPlace.isMeant(by: text))
    #expect(try ControllerPlace(text) == place)
    #expect(place.description == description)
    #expect(try ControllerPlace(place.argument) == place)
  }

  @Test(
    arguments: [
      ("hci0", "a controller is tcp:HOST:PORT or the path of a serial port, not 'hci0'"),
      ("tcp", "tcp needs a host and a port, as in tcp:localhost:6402, not 'tcp'"),
      ("tcp:6402", "tcp needs a host and a port, as in tcp:localhost:6402, not 'tcp:6402'"),
      ("tcp:localhost:0", "tcp needs a host and a port, as in tcp:localhost:6402, not 'tcp:localhost:0'"),
      ("tcp:localhost:x", "tcp needs a host and a port, as in tcp:localhost:6402, not 'tcp:localhost:x'"),
      ("tcp::1:6402", "tcp needs a host and a port, as in tcp:localhost:6402, not 'tcp::1:6402'"),
      (
        "/dev/ttyACM0:",
        "the speed of a serial port is a number from 1200 to 12000000, as in /dev/ttyACM0:1000000, not ''"
      ),
      (
        "/dev/ttyACM0:300",
        "the speed of a serial port is a number from 1200 to 12000000, as in /dev/ttyACM0:1000000, not '300'"
      ),
      (
        "/dev/ttyACM0:99999999999999999999",
        "the speed of a serial port is a number from 1200 to 12000000, as in /dev/ttyACM0:1000000, "
          + "not '99999999999999999999'"
      ),
    ])
  func `any other text is a mistake`(text: String, sentence: String) {
    let mistake = #expect(throws: ControllerPlaceMistake.self) { try ControllerPlace(text) }
    #expect(mistake?.description == sentence)
  }
}
