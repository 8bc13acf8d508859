import Bluetooth
import Testing

@testable import BlueZ

@Suite struct ConnectedCentralsTests {
  private let first = DeviceAddress("02:00:00:00:00:02")!
  private let second = DeviceAddress("02:00:00:00:00:03")!

  @Test func `a central comes once and goes once`() {
    var centrals = ConnectedCentrals()
    #expect(
      [centrals.arrived(second), centrals.arrived(second), centrals.arrived(first)] == [true, false, true])
    #expect(centrals.all == [first, second])
    #expect([centrals.left(second), centrals.left(second)] == [true, false])
    #expect(!centrals.isEmpty)
  }

  @Test func `a stranger is no central of the device until it comes again`() {
    var centrals = ConnectedCentrals(strangers: [first])
    let isNew = centrals.arrived(first)
    let wasOurs = centrals.left(first)
    #expect(!isNew && !wasOurs && centrals.isEmpty)
    let comesAgain = centrals.arrived(first)
    #expect(comesAgain)
  }

  @Test func `a bluetoothd that stops knows no strangers`() {
    var centrals = ConnectedCentrals(strangers: [first])
    centrals.forgetStrangers()
    let isNew = centrals.arrived(first)
    #expect(isNew)
  }
}
