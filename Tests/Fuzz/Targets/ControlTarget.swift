import BlemuControl
import ControlServer
import DeviceModel
import EventLoop
import Faults
import BlemuJSON
import Loopback
import Peripheral
import TestSupport

extension FuzzTarget {
  /// Any bytes as requests to a running device: the name of the device on a line, then the requests.
  static let control = FuzzTarget(
    name: "control",
    run: { bytes in
      var input = FuzzInput(bytes)
      guard let definition = input.subject().definition else { return }
      let control = try await ControlHarness(definition)
      var lines = RequestLines()
      while !input.isEmpty {
        // Pieces of all sizes: a line may come in several, and one may end several.
        let size = 1 + input.number(below: 256) * 16
        for element in lines.take(input.bytes(size)[...]) {
          if case .line(let line) = element { try control.take(line) }
        }
      }
    },
    describe: { String(decoding: $0, as: UTF8.self) })
}

/// A device in memory that takes requests, and whose answers are checked.
@EventLoop
private final class ControlHarness {
  private let control: DeviceControl
  private var central: PlayedCentral?
  private let interceptions: Interceptions
  private let program = FuzzedProgram()
  private let stage: FaultStage

  init(_ definition: PeripheralDefinition) async throws {
    let (journal, transport) = (Journal(), LoopbackTransport())
    stage = FaultStage(of: definition, seed: 1)
    let peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial), transport: FaultyTransport(transport, stage),
      sinks: [journal])
    control = DeviceControl(
      ControlledDevice(
        name: "fuzz",
        source: .init(
          file: "fuzz.yaml", reference: { "fuzz.yaml" }, settings: definition.settings.map(\.initial), seed: 1
        ),
        transport: "loopback", peripheral: peripheral,
        definition: definition,
        journal: journal, faults: stage, memory: transport, stop: {}))
    interceptions = Interceptions(control)
    try await peripheral.start()
  }

  func take(_ line: [UInt8]) throws {
    switch ControlRequest.read(line) {
    case .one(let request): try take(request)
    case .batch(let requests): for request in requests { try take(request) }
    case .answer(let answer): interceptions.take(answer, from: program)
    }
  }

  private func take(_ request: Result<ControlRequest, ControlRequest.Refusal>) throws {
    switch request {
    case .failure(let refusal): try check(refusal.error)
    case .success(let request):
      do throws(ControlError) {
        try answer(request)
      } catch {
        try check(error)
      }
    }
  }

  private func answer(_ request: ControlRequest) throws(ControlError) {
    switch request.method {
    case .act: try control.act(request.parameters, ControlReply(to: .null) { _ in })
    case .central:
      if central == nil {
        central = try control.makeCentral { line in
          precondition((try? JSONValue(parsing: Array(line.utf8))) != nil, "a notification is not JSON")
        }
      }
      try central?.act(request.parameters, ControlReply(to: .null) { _ in })
    case .advance: try control.advance(request.parameters, ControlReply(to: .null) { _ in })
    case .journal:
      precondition((try? JSONValue(parsing: Array(control.journal(request.parameters).utf8))) != nil)
    case .expect: _ = try control.expected(request.parameters, after: 0)
    case .expectations, .share, .watch, .unwatch, .cancel, .stop: break
    case .intercept: _ = try interceptions.add(request.parameters, of: program)
    case .unintercept: _ = try interceptions.remove(request.parameters, of: program)
    case .describe: _ = try control.describe()
    case .status: _ = control.status
    case .get: _ = try control.get(request.parameters)
    case .set: _ = try control.set(request.parameters)
    case .press: _ = try control.press(request.parameters)
    case .send: _ = try control.send(request.parameters)
    case .wire: _ = try control.putIntoWire(request.parameters)
    case .advertise: _ = try control.advertise(request.parameters)
    case .disconnect: _ = try control.disconnect(request.parameters)
    case .forget: _ = try control.forget(request.parameters)
    case .reset: _ = try control.reset()
    case .faults: _ = try control.faults(request.parameters)
    }
  }

  private func check(_ error: ControlError) throws {
    try guarantee(!error.message.isEmpty, "an error says nothing")
    let line = error.value.line
    try guarantee((try? JSONValue(parsing: Array(line.utf8))) == error.value, "an error is not JSON: \(line)")
  }
}

/// A program that is asked, and answers with what comes.
@EventLoop
private final class FuzzedProgram: InterceptingProgram {
  let process: Int32? = 1

  func send(line: String?) {
    precondition(
      line.map { (try? JSONValue(parsing: Array($0.utf8))) != nil } ?? true, "a question is not JSON")
  }
}
