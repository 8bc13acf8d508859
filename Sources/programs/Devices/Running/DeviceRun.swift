import Behavior
import Bluetooth
import Centrals
import ControlServer
import DeviceModel
import EventLoop
import Faults
import Framing
import Peripheral
import Wire

/// A device that runs: it goes on the air, again after a failure if it is to, and leaves the air when it is asked to.
@EventLoop
package final class DeviceRun {
  private let specification: DeviceSpecification
  /// Those who watch the device: the log, for example.
  private let sinks: [any TrafficSink]
  /// Ends the run.
  private let stopping = Promise<Void>()
  /// Ends the present pause.
  private var pause: Promise<Void>?
  /// The device that has just started, or why it has not.
  private var started: Result<RunningDevice, DeviceFailure>?

  package init(_ specification: DeviceSpecification, sinks: [any TrafficSink]) {
    (self.specification, self.sinks) = (specification, sinks)
  }

  package var name: String { specification.name }

  /// Takes the device off the air in an orderly way, and does not restart it.
  package func stop() {
    stopping.fulfil()
    pause?.fulfil()
  }

  /// Runs until ``stop()``.
  ///
  /// - Throws: the failure after which it does not start again.
  package func run(report: @escaping (DeviceReport) -> Void) async throws(FailedRun) {
    var pauses = RestartPause.ofDevice
    while true {
      let began = EventLoop.now
      do throws(DeviceFailure) { return try await runOnce(report) } catch {
        guard specification.restart == .onFailure, !stopping.isFulfilled else {
          throw FailedRun(failure: error, isReported: false)
        }
        report(.restarts(error))
        await wait(pauses.next(after: .microseconds(EventLoop.now - began)))
        if stopping.isFulfilled { throw FailedRun(failure: error, isReported: true) }
      }
    }
  }

  private func wait(_ duration: Duration) async {
    let event = TrafficEvent(
      time: Instant(microseconds: EventLoop.now),
      kind: .warning("restarts in \(duration.inWords)", attribute: nil, []))
    for sink in sinks { sink.take(event) }
    let pause = Promise<Void>()
    self.pause = pause
    let timer = EventLoop.after(duration) { pause.fulfil() }
    await pause.value()
    timer.cancel()
    self.pause = nil
  }

  private func runOnce(_ report: @escaping (DeviceReport) -> Void) async throws(DeviceFailure) {
    // A task keeps the memory that it has needed, and this one lasts as long as the device: so another one starts it.
    await EventLoop.start { [self] in
      do throws(DeviceFailure) { started = .success(try await start(report)) } catch {
        started = .failure(error)
      }
    }.value
    guard let device = try started.take()?.get() else { return }
    await stopping.value()
    await device.peripheral.stop()
    await device.relay?.stop()
    device.recording?.close()
    device.server?.close()
    do { try device.memory?.finish() } catch { throw .state(error) }
  }

  private func start(_ report: (DeviceReport) -> Void) async throws(DeviceFailure) -> RunningDevice {
    let specification = self.specification.drawingSettings
    let memory = try specification.memory()
    let bonded = memory?.centrals ?? []
    let journal = specification.control.isOn ? Journal() : nil
    let place = specification.transport.make(
      endsOtherUse: specification.endsOtherUse, time: specification.memoryTime)
    let wire = try specification.wire(on: place, settings: memory?.settings)
    let recording = try await specification.recording(on: place)
    let stage = specification.stage(place.scheduler)
    let relay = try specification.relay?.make(as: specification.choice)
    let peripheral = specification.peripheral(
      on: place, wire, stage, memory,
      sinks: sinks + ([journal, recording?.sink] as [(any TrafficSink)?]).compactMap(\.self), relay: relay)
    recording?.onFailure = { [weak peripheral] in peripheral?.report(.warning($0, attribute: nil, [])) }
    var server: ControlServer?
    do throws(DeviceFailure) {
      server = try listen(
        to: peripheral, journal, stage, place, settings: memory?.settings ?? specification.choice.settings,
        report)
      let missing = try await Self.start(relay)
      try await Self.start(peripheral)
      if !missing.isEmpty { peripheral.warn(RelayedDevice.sentence(lacking: missing)) }
    } catch {
      await peripheral.stop()
      await relay?.stop()
      server?.close()
      recording?.discard()
      throw error
    }
    if specification.forgetsBonds { report(.forgotBonds(bonded)) }
    return RunningDevice(
      peripheral: peripheral, relay: relay, recording: recording, server: server, memory: memory)
  }

  /// Connects to the device behind a relay, and returns what that lacks.
  private static func start(_ relay: RelayedDevice?) async throws(DeviceFailure) -> [String] {
    do throws(TransportError) { return try await relay?.start() ?? [] } catch { throw .transport(error) }
  }

  private static func start(_ peripheral: LivePeripheral) async throws(DeviceFailure) {
    do { try await peripheral.start() } catch {
      throw (error as? TransportError).map(DeviceFailure.transport) ?? .other("\(error)")
    }
  }

  private func listen(
    to peripheral: LivePeripheral, _ journal: Journal?, _ stage: FaultStage, _ place: DeviceTransport,
    settings: [Value], _ report: (DeviceReport) -> Void
  ) throws(DeviceFailure) -> ControlServer? {
    guard let journal else { return nil }
    let device = { (name: String) in
      ControlledDevice(
        name: name, source: self.specification.source(settings: settings),
        transport: self.specification.place, peripheral: peripheral,
        definition: self.specification.choice.definition, journal: journal, faults: stage,
        memory: place.memory, packetLimits: place.packetLimits, stop: { [weak self] in self?.stop() })
    }
    do { return try specification.control.listen(device, report: report) } catch { throw .control(error) }
  }
}

/// A device on the air with what belongs to it.
private struct RunningDevice {
  let peripheral: LivePeripheral
  let relay: RelayedDevice?
  let recording: DeviceRecording?
  let server: ControlServer?
  let memory: SettingsKeeper?
}
