/// A value that changes by itself, as a sensor's does.
package struct GeneratorDefinition: Sendable {
  /// All durations are milliseconds, at least 1.
  package enum Shape: Sendable {
    case sine(Double, Double, period: Int64)
    /// From one number to the other, then again.
    case ramp(from: Double, to: Double, over: Int64)
    /// Starts in the middle; goes up or down by up to `step`, and back from the limits.
    case randomWalk(ClosedRange<Double>, step: Double, every: Int64)
    case random(ClosedRange<Double>, every: Int64)
    /// A column of a data table, row by row, in an endless cycle.
    case replay(table: Int, column: Int, every: Int64)
  }

  package var name: String
  package var shape: Shape
  package var type: ValueType

  package init(name: String, shape: Shape, type: ValueType) {
    (self.name, self.shape, self.type) = (name, shape, type)
  }
}
