import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// Lets interceptors handle reads and writes: a stage between the device and its pipeline.
///
/// While a question about a central's request is open, the later events of this central wait. Everything else continues. The
/// stage exists only while there are interceptors or questions.
@EventLoop
final class InterceptionStage {
  /// The most open questions, of which each central has at most one.
  static let mostQuestions = 64
  /// The most events and the most bytes of a central that may wait for its question.
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
  /// The last read of each central, whose further parts have the same source: the value of an interceptor; nil: the rules.
  var reads: [Central?: (attribute: AttributeReference, value: [UInt8]?)] = [:]
  /// The message of the last write that no interceptor has taken, so that none is asked about it again.
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

  /// Removes an interceptor. Its open question passes to the others, and the log shows the reason.
  func remove(_ number: Int, because reason: String) {
    guard let index = interceptors.firstIndex(where: { $0.number == number }) else { return }
    interceptors.remove(at: index)
    interceptorsChanged()
    for question in lanes.values.compactMap(\.question) where question.interceptor.number == number {
      question.answer(.failed("\(reason) before it had answered \(question.event.interceptedWords)"))
    }
    device.leaveUnusedStage()
  }

  /// Whether it has neither interceptors nor waiting events.
  var isIdle: Bool { interceptors.isEmpty && lanes.isEmpty }

  /// Tells the engine which frames the interceptors want.
  private func interceptorsChanged() {
    guard !interceptors.isEmpty else { return pipeline.withEngine { $0.ask(about: nil) } }
    let wants = interceptors.map { $0.wants }
    let names = TrafficNames(definition)
    pipeline.withEngine { engine in
      engine.ask { key, frame in
        guard case .characteristic = key.endpoint else { return false }
        let event = TrafficEvent.Kind.frame(key.central, names.name(of: key.endpoint), frame, isSent: false)
        return wants.contains { $0(event) }
      }
    }
  }
}
