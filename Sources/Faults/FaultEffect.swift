import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// What a kind of fault does: given what it strikes, it says what becomes of that. A kind implements what concerns it.
protocol FaultEffect {
  /// What becomes of a value.
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate

  /// What becomes of values that have been gathered, in their order.
  func combine(_ values: [[UInt8]]) -> [[UInt8]]

  /// What becomes of a request; nil: the device answers it at once.
  var requestFate: RequestFate? { get }

  /// What the device advertises while the fault lasts.
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement?

  /// Begins to last, or strikes at a moment.
  ///
  /// - Parameter central: the central whose connection has lasted so long; nil: all.
  @EventLoop func begin(on device: any FaultyDevice, for central: Central?)

  /// Whether each new connection ends at once while the fault lasts.
  var refusesConnections: Bool { get }

  /// Whether nothing passes while the fault lasts.
  var isSilent: Bool { get }

  /// How long the connections last, once it has begun; nil: the fault does not end them.
  var linkLifetime: Duration? { get }
}

extension FaultEffect {
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .untouched
  }

  func combine(_ values: [[UInt8]]) -> [[UInt8]] { values }

  var requestFate: RequestFate? { nil }

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? {
    advertisement
  }

  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) {}

  var refusesConnections: Bool { false }

  var isSilent: Bool { false }

  var linkLifetime: Duration? { nil }
}

/// What becomes of a value that a fault strikes.
enum ValueFate: Hashable {
  /// The fault cannot change it, and does not count it.
  case untouched
  /// These go on in its place; none: it is lost.
  case replaced(by: [[UInt8]])
  /// It goes on this much later, and those after it not before it.
  case delayed(Duration)
  /// It waits, and so do those after it; nil: to the end.
  case blocked(Duration?)
  /// It takes as long as on a line of so many bytes a second.
  case paced(Int)
  /// It waits until so many values are together, itself included, and these go on combined.
  case gathered(Int)
}

/// What becomes of a request that a fault strikes.
enum RequestFate: Hashable {
  /// The device does not see it.
  case refused(ATTError)
  /// The response goes out this much later; nil: never.
  case answered(after: Duration?)
}

/// What has become of a request after several faults.
struct RequestOutcome: Hashable {
  /// nil: the device answers.
  private(set) var refusal: ATTError?
  /// How much later the response goes out; nil: never.
  private(set) var lateness: Duration? = .zero

  mutating func add(_ fate: RequestFate) {
    switch fate {
    case .refused(let error): refusal = error
    case .answered(let time): lateness = time.flatMap { time in lateness.map { $0 + time } }
    }
  }
}

/// A device as faults see it that strike all of it.
@EventLoop
protocol FaultyDevice: AnyObject {
  /// Ends the connection of a central, or of all (nil).
  func disconnect(_ central: Central?, _ reason: HCIError)
  /// Starts the device again.
  func restart()
}
