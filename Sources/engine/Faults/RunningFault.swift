import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// A fault of a running device. Its kind decides which of the occurrences below concern it.
@EventLoop
class RunningFault {
  let number: Int
  let text: String
  let kind: Fault.Kind
  var gate: FaultGate
  unowned let stage: FaultStage

  init(_ fault: Fault, number: Int, on stage: FaultStage) {
    self.number = number
    self.stage = stage
    text = fault.description
    kind = fault.kind
    gate = FaultGate(fault, number: number, seed: stage.seed, of: stage.definition)
  }

  var fault: Fault { gate.fault }

  /// Whether it never strikes again.
  var isSpent: Bool { gate.isOver(at: stage.now) }

  /// The device goes on the air, or the fault is added to a device on the air.
  func start() { gate.start(at: stage.now) }

  /// The fault is removed: it releases what it holds.
  func end() {}

  /// Whether values of this stream pass through it.
  func concerns(_ stream: FaultStream) -> Bool { false }

  /// Takes a value, and passes on the result.
  func take(_ value: PassingValue) { passOn(value) }

  /// The fault's effect on a request; nil: the request passes.
  func fate(of request: FaultGate.Candidate, by central: Central?) -> RequestFate? { nil }

  /// What goes wrong with something that a central asks below ATT; nil: nothing.
  func fault(in request: LinkRequest, of central: Central) -> LinkFault? { nil }

  /// A central has confirmed an indication.
  func confirmed(_ characteristic: Int) {}

  /// The device has changed its state.
  func stateChanged() {}

  func connected(_ central: Central) {}

  func disconnected(_ central: Central) {}

  /// Changes where the device is.
  func move(_ path: inout RadioPath) {}

  /// The advertisement that it changes this one to.
  func change(_ advertisement: Advertisement) -> Advertisement? { advertisement }

  /// Whether each new connection ends at once.
  var refusesConnections: Bool { false }

  /// Whether it blocks everything.
  var isSilent: Bool { false }

  /// Whether the device is off the air because it restarts.
  var isOffAir: Bool { false }

  /// How many values of a characteristic wait for it.
  func backlog(of characteristic: Int) -> Int { 0 }
}

extension RunningFault {
  /// Passes a value on to the next fault.
  func passOn(_ value: PassingValue) { stage.pass(value, after: number) }

  /// The occurrence that the fault may strike now.
  func candidate(_ bytes: [UInt8], in stream: FaultStream) -> FaultGate.Candidate {
    FaultGate.Candidate(bytes: bytes, stream: stream, time: stage.now, state: stage.state)
  }

  /// Counts a strike, and reports it.
  ///
  /// - Parameters:
  ///   - value: the struck value; nil: the device as a whole.
  ///   - request: the place of the struck request; nil: none is struck.
  ///   - replacement: the bytes that pass in place of the value; nil: the value itself.
  ///   - refused: the error with which it refuses a request.
  func strike(
    _ value: [UInt8]? = nil, in stream: FaultStream? = nil, at request: RequestPlace? = nil,
    by central: Central? = nil,
    replacement: [[UInt8]]? = nil, refused: ATTError? = nil
  ) {
    gate.countStrike()
    var strike = FaultStrike(text, number: number, ordinal: gate.seen)
    strike.place =
      request.flatMap { stage.definition.name(of: $0) }
      ?? stream.map { stage.definition.name(of: $0.endpoint) }
    strike.direction = request == nil ? stream?.direction : .into
    (strike.central, strike.value, strike.replacement) = (central, value, replacement)
    strike.refused = refused
    stage.tell(.fault(strike))
  }
}
