import Behavior
import Bluetooth

/// The effect on a value that a fault strikes.
enum ValueFate: Hashable {
  /// The fault cannot change it, and does not count it.
  case untouched
  /// These pass in its place; none: it is lost.
  case replaced(by: [[UInt8]])
  /// It passes this much later, and later values do not overtake it.
  case delayed(Duration)
  /// It waits this long, and so do later values; nil: until the fault is removed.
  case blocked(Duration?)
  /// It takes as long as on a line with this many bytes a second, before which at most so many bytes wait; nil: all.
  case paced(Int, buffer: Int?)
  /// It waits until this many values are gathered, itself included; they pass combined.
  case gathered(Int)
}

/// The effect on a request that a fault strikes.
enum RequestFate: Hashable {
  /// The device does not see it.
  case refused(ATTError, handle: AttributeHandle?)
  /// The response is sent this much later; nil: never.
  case answered(after: Duration?)
}

/// The combined effect of several faults on a request.
struct RequestOutcome: Hashable {
  /// nil: the device answers.
  private(set) var refusal: Response?
  /// How much later the response is sent; nil: never.
  private(set) var lateness: Duration? = .zero

  mutating func add(_ fate: RequestFate) {
    switch fate {
    case .refused(let error, let handle): refusal = .refused(error, handle: handle)
    case .answered(let time): lateness = time.flatMap { time in lateness.map { $0 + time } }
    }
  }
}
