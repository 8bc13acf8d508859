import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// The effect of a kind of fault on each occurrence that it strikes. A kind implements the methods that concern it.
protocol FaultEffect {
  /// The effect on a value.
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate

  /// The result for gathered values, in their order.
  func combine(_ values: [[UInt8]]) -> [[UInt8]]

  /// The effect on a request; nil: the device answers it at once.
  var requestFate: RequestFate? { get }

  /// The advertisement while the fault lasts.
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement?

  /// Changes where the device is while the fault lasts.
  func move(_ path: inout RadioPath)

  /// Begins to last, or strikes at a moment.
  ///
  /// - Parameter central: the central whose connection has lasted so long; nil: all.
  @EventLoop func begin(on device: any FaultyDevice, for central: Central?)

  /// Whether each new connection ends at once while the fault lasts.
  var refusesConnections: Bool { get }

  /// Whether the fault blocks everything while it lasts.
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

  func move(_ path: inout RadioPath) {}

  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) {}

  var refusesConnections: Bool { false }

  var isSilent: Bool { false }

  var linkLifetime: Duration? { nil }
}

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
  /// It takes as long as on a line with this many bytes a second.
  case paced(Int)
  /// It waits until this many values are gathered, itself included; they pass combined.
  case gathered(Int)
}

/// The effect on a request that a fault strikes.
enum RequestFate: Hashable {
  /// The device does not see it.
  case refused(ATTError)
  /// The response is sent this much later; nil: never.
  case answered(after: Duration?)
}

/// The combined effect of several faults on a request.
struct RequestOutcome: Hashable {
  /// nil: the device answers.
  private(set) var refusal: ATTError?
  /// How much later the response is sent; nil: never.
  private(set) var lateness: Duration? = .zero

  mutating func add(_ fate: RequestFate) {
    switch fate {
    case .refused(let error): refusal = error
    case .answered(let time): lateness = time.flatMap { time in lateness.map { $0 + time } }
    }
  }
}

/// The device as seen by faults that strike it as a whole.
@EventLoop
protocol FaultyDevice: AnyObject {
  /// Ends the connection of a central, or of all (nil).
  func disconnect(_ central: Central?, _ reason: HCIError)
  /// Ends the connection of a central, or of all (nil), without a goodbye.
  func loseLink(of central: Central?)
  /// Restarts the device.
  func restart()
}
