import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Traffic

/// Lets interceptors take over what centrals do: a stage between the transport with its faults and the device.
///
/// While an interceptor is asked about something that a central has done, what this central does next waits. Everything
/// else goes on. The stage is there only while there are interceptors or questions.
@EventLoop
final class InterceptionStage {
  /// The most questions that may be open at once: one of each central.
  static let mostQuestions = 64
  /// The most events, and the most bytes, that may wait for a question of their central.
  static let mostWaiting = 4096
  static let mostWaitingBytes = 1 << 20

  let device: LivePeripheral
  let pipeline: Pipeline
  let scheduler: any Scheduler
  let definition: PeripheralDefinition
  /// How long a central waits for the response to a request.
  let patience: Duration
  /// In the order of their numbers.
  private(set) var interceptors: [Interceptor] = []
  var lanes: [Central?: InterceptionLane] = [:]
  /// The last read of each central: the value that an interceptor has given, for its further parts; nil: the rules'.
  var reads: [Central?: (attribute: AttributeReference, value: [UInt8]?)] = [:]
  /// The message that an interceptor has just been asked about with its write, and does not want.
  var passed: (key: StreamKey, frame: [UInt8])?

  init(of device: LivePeripheral, _ pipeline: Pipeline, _ scheduler: any Scheduler, patience: Duration) {
    (self.device, self.pipeline, self.scheduler) = (device, pipeline, scheduler)
    (definition, self.patience) = (pipeline.definition, patience)
    pipeline.onWantedFrame = { [weak self] in self?.ask(about: $1, on: $0) }
  }

  func add(_ interceptor: Interceptor) {
    interceptors.append(interceptor)
    interceptorsChanged()
  }

  /// Ends an interceptor. The question that it has not answered goes on, and the log says why.
  func remove(_ number: Int, because reason: String) {
    guard let index = interceptors.firstIndex(where: { $0.number == number }) else { return }
    interceptors.remove(at: index)
    interceptorsChanged()
    for question in lanes.values.compactMap(\.question) where question.interceptor.number == number {
      question.answer(.failed("\(reason) before it had answered \(question.event.interceptedWords)"))
    }
    device.leaveUnusedStage()
  }

  /// Whether it is of no use any more.
  var isIdle: Bool { interceptors.isEmpty && lanes.isEmpty }

  /// Lets the engine keep the frames that an interceptor wants.
  private func interceptorsChanged() {
    guard !interceptors.isEmpty else { return pipeline.engine.ask(about: nil) }
    let wants = interceptors.map { $0.wants }
    let names = TrafficNames(definition)
    pipeline.engine.ask { key, frame in
      guard case .characteristic = key.endpoint else { return false }
      let event = TrafficEvent.Kind.frame(key.central, names.name(of: key.endpoint), frame, isSent: false)
      return wants.contains { $0(event) }
    }
  }
}

// MARK: Passing on

extension InterceptionStage: TransportHost {
  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    device.congestionChanged(isCongested, of: characteristic)
  }

  func fellOffAir(_ reason: String) { device.fellOffAir(reason) }

  func cameBackOnAir() { device.cameBackOnAir() }

  func keep(_ bonds: [Bond]) { device.keep(bonds) }

  var isLogging: Bool { device.isLogging }

  func linkChanged(_ central: Central, _ change: LinkChange) { device.linkChanged(central, change) }

  func struck(_ strike: FaultStrike) { device.struck(strike) }

  func warn(_ message: String) { device.warn(message) }
}
