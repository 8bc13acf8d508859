import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) struct CommandTests {
  @EventLoop @Test func `the indices of controllers are a count and two bytes each`() async throws {
    let (socket, kernel) = socket(
      """
      > 03 00 FF FF 00 00                                # the command, no controller, no parameters
      < 01 00 FF FF 09 00  03 00 00  02 00 00 00 01 01   # Command Complete: the command, Success, two controllers
      """)
    #expect(try await socket.controllers() == [0, 0x0101])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `the information of a controller has its address, settings and name`() async throws {
    let name = "68 63 69" + String(repeating: " 00", count: 246)
    let shortName = String(repeating: "41 ", count: 11)
    let (socket, kernel) = socket(
      """
      > 04 00 01 00 00 00
      < 01 00 01 00 1B 01  04 00 00  13 71 DA 7D 1A 00  09  F1 05  FF BF 01 00  81 0A 00 00  0C 01 1C  \(name) \(shortName)
      """)
    let information = try await socket.information(of: 1)
    #expect(
      information
        == ControllerInformation(
          address: DeviceAddress("00:1A:7D:DA:71:13")!, bluetoothVersion: 9, manufacturer: 0x05F1,
          supported: ControllerSettings(rawValue: 0x1BFFF),
          current: [.powered, .basicRate, .lowEnergy, .secureConnections], name: "hci"))
    #expect(information.supported.isSuperset(of: [.staticAddress, .phyConfiguration]))
    #expect(!information.supported.contains(.configuration))
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a switch is one byte, and the settings come back`() async throws {
    let (socket, kernel) = socket(
      """
      > 05 00 00 00 01 00 01
      < 01 00 00 00 07 00  05 00 00  01 02 00 00
      > 2D 00 00 00 01 00 00
      < 01 00 00 00 07 00  2D 00 00  03 02 00 00
      """)
    #expect(try await socket.setPowered(true, on: 0) == [.powered, .lowEnergy])
    #expect(try await socket.setSecureConnections(false, on: 0) == [.powered, .lowEnergy, .connectable])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a switch that the kernel reports but has not made is made again`() async throws {
    let on = "> 05 00 00 00 01 00 01"
    let done = "< 01 00 00 00 07 00  05 00 00  01 02 00 00"
    let notDone = "< 01 00 00 00 07 00  05 00 00  00 02 00 00"
    let (socket, kernel) = socket(
      [on, notDone, on, done, "> 05 00 00 00 01 00 00", done, "> 05 00 00 00 01 00 00", notDone]
        .joined(separator: "\n"))
    #expect(try await socket.setPowered(true, on: 0) == [.powered, .lowEnergy])
    #expect(try await socket.setPowered(false, on: 0) == .lowEnergy)
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a switch that the kernel never makes is an error`() async throws {
    let request = """
      > 05 00 00 00 01 00 01
      < 01 00 00 00 07 00  05 00 00  00 02 00 00

      """
    let (socket, kernel) = socket(String(repeating: request, count: 3))
    await #expect(throws: ManagementError.refused(.setPowered, .failed)) {
      try await socket.setPowered(true, on: 0)
    }
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `connections are a count, and an address with its kind each`() async throws {
    let (socket, kernel) = socket(
      """
      > 15 00 00 00 00 00
      < 01 00 00 00 13 00  15 00 00  02 00  13 71 DA 7D 1A 00 00  06 05 04 03 02 C1 02
      """)
    #expect(
      try await socket.connections(of: 0)
        == [DeviceAddress("00:1A:7D:DA:71:13")!, DeviceAddress("C1:02:03:04:05:06")!])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop
  @Test(arguments: ["", "02 00 00 00 01"])
  func `return parameters that are cut short fail the command`(parameters: String) async {
    let count = hexadecimal([UInt8(3 + bytes(parameters).count)])
    let (socket, kernel) = socket("> 03 00 FF FF 00 00\n< 01 00 FF FF \(count) 00 03 00 00 \(parameters)")
    let error = await error { () throws(ManagementError) in _ = try await socket.controllers() }
    #expect(error == .unexpectedAnswer(.readControllerIndexList, bytes(parameters)))
    #expect(
      error?.message
        == "the kernel answered Read Controller Index List with unexpected data: '\(parameters)'")
    #expect(await kernel.outcome() == nil)
  }
}
