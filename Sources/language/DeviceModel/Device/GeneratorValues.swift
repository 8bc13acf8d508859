import Glibc

/// The values of a device's generators over time.
package struct GeneratorValues: Sendable {
  /// The most steps of a walk at once. After a longer time without an event, the walk continues from its current value.
  private static let mostSteps: Int64 = 100_000

  private let definitions: [GeneratorDefinition]
  private let random: RandomSource
  /// How far each walk has gone.
  private var walks: [Int: (steps: Int64, value: Double)] = [:]

  package init(_ definitions: [GeneratorDefinition], seed: UInt64) {
    self.definitions = definitions
    random = RandomSource(seed: seed)
  }

  /// The values at a time, milliseconds since the start; never less than 0.
  package mutating func update(_ values: inout [Value], at elapsed: Int64, tables: [DataTable]) {
    if definitions.isEmpty { return }  // with an empty loop, 'values' are made unique all the same
    for (index, definition) in definitions.enumerated() {
      values[index] = value(index, definition, at: elapsed, tables)
    }
  }

  private mutating func value(
    _ index: Int, _ definition: GeneratorDefinition, at elapsed: Int64, _ tables: [DataTable]
  ) -> Value {
    let number: Double
    switch definition.shape {
    case .sine(let least, let most, let period):
      let angle = 2 * Double.pi * Double(elapsed % period) / Double(period)
      number = (least + most) / 2 + (most - least) / 2 * sin(angle)
    case .ramp(let from, let to, let over):
      number = from + (to - from) * Double(elapsed % over) / Double(over)
    case .random(let range, let every):
      number = range.point(at: fraction(elapsed / every, index), isWhole: definition.type == .integer)
    case .randomWalk(let range, let step, let every):
      number = walk(index, range, step, steps: elapsed / every)
    case .replay(let table, let column, let every):
      let rows = tables[table].rows
      return rows[Int(elapsed / every % Int64(rows.count))][column]
    }
    return definition.type == .integer ? .integer(Int64(number.rounded())) : .decimal(number)
  }

  /// A number from 0 to just below 1 for one step of one generator.
  private func fraction(_ step: Int64, _ index: Int) -> Double {
    var source = random
    source.step = UInt64(bitPattern: step)
    return Double(source.bits(at: UInt64(index)) >> 11) / Double(UInt64(1) << 53)
  }

  private mutating func walk(
    _ index: Int, _ range: ClosedRange<Double>, _ step: Double, steps: Int64
  ) -> Double {
    var (done, value) = walks[index] ?? (0, (range.lowerBound + range.upperBound) / 2)
    done = max(done, steps - Self.mostSteps)
    while done < steps {
      done += 1
      value = range.reflected(value + step * (2 * fraction(done, index) - 1))
    }
    walks[index] = (done, value)
    return value
  }
}

extension ClosedRange<Double> {
  /// The point at a fraction of the range; in a range of whole numbers all are equally likely.
  fileprivate func point(at fraction: Double, isWhole: Bool) -> Double {
    isWhole
      ? lowerBound + ((upperBound - lowerBound + 1) * fraction).rounded(.down)
      : lowerBound + (upperBound - lowerBound) * fraction
  }

  /// Reflects a number beyond a limit back into the range.
  fileprivate func reflected(_ number: Double) -> Double {
    let inside = number < lowerBound ? 2 * lowerBound - number : number
    let reflected = inside > upperBound ? 2 * upperBound - inside : inside
    return Swift.min(Swift.max(reflected, lowerBound), upperBound)
  }
}
