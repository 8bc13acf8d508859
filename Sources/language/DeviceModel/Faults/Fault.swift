/// A deliberate fault of a device: what goes wrong, where, how often, when.
///
/// It is a value without effect. ``description`` is the text that a person writes for it.
package struct Fault: Hashable, Sendable {
  /// The way of a value through the device.
  package enum Direction: String, CaseIterable, Sendable {
    /// Towards the device.
    case into = "in"
    /// Out of the device.
    case out
  }

  /// Where values pass, or requests go.
  package enum Place: Hashable, Sendable {
    /// A characteristic, by index and id.
    case characteristic(Int, id: String)
    /// A credit-based channel, likewise.
    case channel(Int, id: String)
    /// A layer, likewise.
    case layer(Int, id: String)
    /// The wire side.
    case wire
    /// What some requests are about, with its name.
    case request(RequestPlace, name: String)
  }

  /// A message of the definition, by index and name.
  package struct Message: Hashable, Sendable {
    package var index: Int
    package var name: String

    package init(index: Int, name: String) { (self.index, self.name) = (index, name) }
  }

  /// Selects the values or requests that it strikes.
  package enum Rate: Hashable, Sendable {
    case always
    /// Each, with this probability in millionths.
    case chance(millionths: Int)
    /// Every n-th.
    case every(Int)
    /// Periodically with this interval, for faults that strike no value.
    case period(Duration)
  }

  /// How much must pass before it begins.
  package enum Amount: Hashable, Sendable {
    case bytes(Int)
    case values(Int)
    case frames(Int)
    case time(Duration)
  }

  package var kind: Kind
  /// nil: both ways.
  package var direction: Direction?
  /// nil: every characteristic.
  package var place: Place?
  /// Only values that are this message, or that complete it.
  package var message: Message?
  package var rate = Rate.always
  package var after: Amount?
  /// How long it lasts once it has begun; nil: until it is removed.
  package var duration: Duration?
  /// Only while the device is in this state.
  package var state: String?
  /// How often it strikes; nil: without a limit.
  package var count: Int?

  package init(_ kind: Kind) { self.kind = kind }
}
