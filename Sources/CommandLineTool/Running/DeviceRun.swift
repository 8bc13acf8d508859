import Bluetooth
import ControlServer
import DeviceModel
import EventLoop
import Exact
import Faults
import Framing
import Glibc
import Loopback
import Peripheral
import TrafficView
import Wire

/// A device that runs: it goes on the air, again after a failure if it is to, and leaves the air when it is asked to.
@EventLoop
final class DeviceRun {
  private let specification: DeviceSpecification
  /// The log; nil: there is none.
  private let log: (any TrafficSink)?
  /// Ends the run.
  private let stopping = Promise<Void>()
  /// Ends the present pause.
  private var pause: Promise<Void>?

  init(_ specification: DeviceSpecification, log: (any TrafficSink)?) {
    (self.specification, self.log) = (specification, log)
  }

  var name: String { specification.name }

  /// Takes the device off the air in an orderly way, and does not restart it.
  func stop() {
    stopping.fulfil()
    pause?.fulfil()
  }

  /// Runs until ``stop()``.
  ///
  /// - Parameter report: gets each failure after which the device starts again.
  /// - Throws: the failure after which it does not.
  func run(report: (CommandError) -> Void = { _ in }) async throws(CommandError) {
    var pauses = RestartPause.ofDevice
    while true {
      let began = EventLoop.now
      do throws(CommandError) { return try await runOnce() } catch {
        guard specification.restart == .onFailure, !stopping.isFulfilled else { throw error }
        report(error)
        await wait(pauses.next(after: .microseconds(EventLoop.now - began)))
        if stopping.isFulfilled { throw .reported(error.status) }
      }
    }
  }

  private func wait(_ duration: Duration) async {
    let now = Instant(microseconds: EventLoop.now)
    log?.take(
      TrafficEvent(
        time: now, kind: .warning("starts again in \(duration.inWords)", attribute: nil, [])))
    let pause = Promise<Void>()
    self.pause = pause
    let timer = EventLoop.after(duration) { pause.fulfil() }
    await pause.value()
    timer.cancel()
    self.pause = nil
  }

  private func runOnce() async throws(CommandError) {
    let memory = try specification.memory()
    let bonded = memory?.centrals ?? []
    let journal = specification.control.isOn ? Journal() : nil
    let scheduler = specification.transport.makeScheduler()
    let transport = specification.transport.makeTransport(on: scheduler)
    let wire = try specification.wire(on: transport, scheduler, settings: memory?.settings)
    let stage = specification.stage(scheduler)
    let peripheral = specification.peripheral(
      on: transport, wire, stage, memory, scheduler,
      sinks: ([log, journal] as [(any TrafficSink)?]).compactMap(\.self))
    var server: ControlServer?
    do throws(CommandError) {
      server = try listen(
        to: peripheral, journal, stage, transport, settings: memory?.settings ?? specification.choice.settings
      )
      try await Self.start(peripheral)
    } catch {
      await peripheral.stop()
      server?.close()
      throw error
    }
    if specification.forgetsBonds { Self.tellForgotten(bonded) }
    await stopping.value()
    await peripheral.stop()
    server?.close()
    try memory?.finish()
  }

  private static func start(_ peripheral: LivePeripheral) async throws(CommandError) {
    do { try await peripheral.start() } catch { throw CommandError(starting: error) }
  }

  private func listen(
    to peripheral: LivePeripheral, _ journal: Journal?, _ stage: FaultStage, _ transport: any Transport,
    settings: [Value]
  ) throws(CommandError) -> ControlServer? {
    guard let journal else { return nil }
    return try specification.control.listen { name in
      ControlledDevice(
        name: name, source: specification.source(settings: settings), transport: specification.place,
        peripheral: peripheral,
        definition: specification.choice.definition, journal: journal, faults: stage,
        memory: transport as? LoopbackTransport,
        packetLimits: transport is LoopbackTransport ? ExactLimits() : nil,
        stop: { [weak self] in self?.stop() })
    }
  }

  private static func tellForgotten(_ centrals: [LinkAddress]) {
    let names = centrals.map(\.description).joined(separator: ", ")
    Terminal.printError(
      centrals.isEmpty ? "blemu: there are no bonds to forget\n" : "blemu: forgot the bonds with \(names)\n")
  }
}

extension CommandError {
  /// Why a device has not got on the air.
  fileprivate init(starting error: any Error) {
    switch error {
    case let error as TransportError: self = .transport(error)
    default: self = .failure("\(error)")
    }
  }
}
