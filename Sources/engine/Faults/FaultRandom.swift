import DeviceModel

/// The random numbers of one strike: a function of the seed, the fault and the occurrence's ordinal, not of time.
struct FaultRandom {
  private var source: RandomSource
  private var site: UInt64 = 0

  init(seed: UInt64, fault number: Int, ordinal: Int) {
    source = RandomSource(seed: RandomSource(seed: seed).bits(at: UInt64(number)))
    source.step = UInt64(ordinal)
  }

  mutating func next() -> UInt64 {
    defer { site += 1 }
    return source.bits(at: site)
  }

  /// A number from 0 up to but excluding `limit`.
  mutating func below(_ limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// This many different numbers below `limit`, in ascending order; all of them if there are fewer.
  mutating func distinct(_ count: Int, below limit: Int) -> [Int] {
    var chosen: Set<Int> = []
    for top in max(0, limit - count)..<max(0, limit) {
      let number = below(top + 1)
      chosen.insert(chosen.contains(number) ? top : number)
    }
    return chosen.sorted()
  }
}
