import Bluetooth
import EventLoop
import HCIPackets
import Testing

@testable import Exact

@Suite struct CrowdTests {
  private static func sets(_ count: UInt8) -> [AdvertisingSet] {
    (0..<count).map { number in
      AdvertisingSet(
        handle: number,
        parameters: AdvertisingSetParameters(properties: .legacy, interval: AdvertisingSet.usualInterval),
        data: [number], scanResponse: [])
    }
  }

  /// Gives turns to one set of the controller after the other.
  @EventLoop private final class Turns {
    private(set) var shown: [UInt8] = []
    let areOver = Promise<Void>()
    private var turns: CrowdTurns?

    init(of sets: [AdvertisingSet], at once: Int, count: Int) {
      turns = CrowdTurns(sets, room: once) { [weak self] in
        guard let self, let turns = self.turns else { return }
        shown.append(turns.current[shown.count % once].data[0])
        if shown.count == count { areOver.fulfil() } else { turns.began(shown.count % once) }
      }
      turns?.began(0)
    }
  }

  @Test @EventLoop func `each advertiser has its turn before any has its next`() async {
    let turns = Turns(of: Self.sets(5), at: 2, count: 8)
    await turns.areOver.value()
    #expect(turns.shown == [2, 3, 4, 0, 1, 2, 3, 4])
  }

  @Test @EventLoop func `a crowd for which there is room advertises at once, as it is`() {
    let sets = Self.sets(5)
    #expect(CrowdTurns(sets, room: 5) {}.current == sets)
    // Of a larger one, each advertises within the 100 ms × 4 / 5 of its turn.
    let intervals = CrowdTurns(sets, room: 4) {}.current.map(\.parameters.interval.upperBound.milliseconds)
    #expect(intervals == [70, 70, 70, 70])
  }

  @Test @EventLoop func `new values do not change whose turn it is`() {
    let turns = CrowdTurns(Self.sets(5), room: 1) {}
    var sets = Self.sets(5)
    sets[0].data = [0xAA]
    #expect(turns.change(sets, room: 1) && turns.current[0].data == [0xAA])
    #expect(!turns.change(Self.sets(6), room: 1) && !turns.change(sets, room: 0))
  }
}
