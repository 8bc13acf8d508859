import Behavior
import Bluetooth
import ControlServer
import DeviceModel
import EventLoop
import Faults
import Glibc
import Peripheral
import Wire

/// Makes the parts of a running device.
@EventLoop
extension DeviceSpecification {
  /// Opens the file of kept settings; nil: they are not kept.
  func memory() throws(CommandError) -> SettingsKeeper? {
    try statePath.map { path throws(CommandError) in SettingsKeeper(try StateFile(path, for: choice)) }
  }

  /// Makes the attachment, with the speed of the device's UART; nil: there is none.
  func wire(
    on transport: any Transport, _ scheduler: any Scheduler, settings: [Value]?
  ) throws(CommandError) -> (any WireAttachment)? {
    do throws(WireError) {
      let baud = choice.definition.firstBaud(settings ?? choice.settings)
      guard let attachment = try wireSide.attachment(baud: baud) else { return nil }
      return PacedWire(
        attachment, baud: wireSide.isLine ? nil : baud, for: choice.definition, on: transport,
        scheduler: scheduler)
    } catch {
      throw .wire(error)
    }
  }

  /// - Parameter settings: those with which the device starts.
  func source(settings: [Value]) -> ControlledDevice.Source {
    ControlledDevice.Source(
      file: choice.path,
      reference: { [path = choice.path] in DefinitionLibrary.ofThisProgram().reference(to: path) },
      face: choice.face,
      settings: settings, seed: seed)
  }

  func stage(_ scheduler: any Scheduler) -> FaultStage {
    let stage = FaultStage(of: choice.definition, seed: seed, scheduler: scheduler)
    for fault in faults { stage.add(fault) }
    return stage
  }

  func peripheral(
    on transport: any Transport, _ wire: (any WireAttachment)?, _ stage: FaultStage,
    _ memory: SettingsKeeper?, _ scheduler: any Scheduler, sinks: [any TrafficSink]
  ) -> LivePeripheral {
    LivePeripheral(
      choice.definition, settings: choice.settings, transport: FaultyTransport(transport, stage),
      wire: wire.map { FaultyWire($0, stage) }, memory: memory, scheduler: scheduler, sinks: sinks,
      options: EngineOptions(seed: seed, unixTime: Int64(time(nil))), forgetsBonds: forgetsBonds)
  }
}

extension PeripheralDefinition {
  /// The speed to open the wire side with. If it is not valid, the device reports the error when it starts.
  fileprivate func firstBaud(_ settings: [Value]) -> Int? {
    guard wire.baud != nil else { return nil }
    let address = DeviceAddress([0, 0, 0, 0, 0, 0])!
    return (try? wire.baud(in: context(settings: settings, address: address))) ?? 9600
  }
}
