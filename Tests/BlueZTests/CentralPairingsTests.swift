import Behavior
import Bluetooth
import Testing

@testable import BlueZ

/// What bluetoothd tells of a pairing, in the orders in which it does, and what the device's rules hear of it.
@Suite struct CentralPairingsTests {
  private let central = DeviceAddress([0, 0, 0, 0, 0, 2])!
  private let other = DeviceAddress([0, 0, 0, 0, 0, 3])!

  @Test func `a passkey is shown once, however many digits are entered, and a new one again`() {
    var pairings = CentralPairings()
    let shown = [123_456, 123_456, 7, 7].map { pairings.shows($0, central) }
    #expect(shown == [true, false, true, false])
    let isNew = pairings.shows(7, other)
    #expect(isNew)
    #expect(pairings.awaited == [central, other])
  }

  @Test func `a central pairs and bonds once, and bonds after it has paired`() {
    var pairings = CentralPairings()
    let events = [
      pairings.bonded(central), pairings.paired(central), pairings.paired(central), pairings.bonded(central),
    ]
    #expect(events == [[], [.paired(central), .bonded(central)], [], []])
    let others = pairings.paired(other) + pairings.bonded(other)
    #expect(others == [.paired(other), .bonded(other)])
  }

  @Test func `pairing fails once, and only while a passkey is shown`() {
    var pairings = CentralPairings()
    var events = pairings.failed(central)
    _ = pairings.shows(7, central)
    _ = pairings.shows(8, other)
    _ = pairings.paired(other)
    #expect(pairings.awaited == [central])
    for each in [other, central, central] { events += pairings.failed(each) }
    #expect(events == [.pairingFailed(central, .unknown)])
    let isNew = pairings.shows(7, central)
    #expect(isNew)
  }

  /// bluetoothd then tells nothing of this pairing.
  @Test func `a central that had paired before neither fails nor pairs`() {
    var pairings = CentralPairings()
    _ = pairings.shows(7, central)
    pairings.isPairedAlready(central)
    #expect(pairings.awaited == [])
    let events = pairings.failed(central) + pairings.paired(central)
    #expect(events == [])
  }

  @Test func `a central that has left or lost its keys pairs anew`() {
    var pairings = CentralPairings()
    _ = pairings.paired(central)
    pairings.forget(central)
    let events = pairings.bonded(central) + pairings.paired(central)
    #expect(events == [.paired(central), .bonded(central)])
  }
}
