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
  /// The same, whose random settings begin with the values for its seed.
  var drawingSettings: DeviceSpecification {
    var specification = self
    specification.choice = choice.with(choice.definition.drawingSettings(seed: seed))
    return specification
  }

  /// Opens the file of kept settings; nil: they are not kept.
  func memory() throws(DeviceFailure) -> SettingsKeeper? {
    guard let statePath else { return nil }
    do { return SettingsKeeper(try StateFile(statePath, for: choice)) } catch { throw .state(error) }
  }

  /// Makes the attachment, with the speed of the device's UART; nil: there is none.
  func wire(
    on place: DeviceTransport, settings: [Value]?
  ) throws(DeviceFailure) -> (any WireAttachment)? {
    do throws(WireError) {
      let baud = choice.definition.firstBaud(settings ?? choice.settings)
      guard let attachment = try wireSide.attachment(baud: baud) else { return nil }
      return PacedWire(
        attachment, baud: wireSide.isLine ? nil : baud, for: choice.definition, on: place.transport,
        scheduler: place.scheduler)
    } catch {
      throw .wire(error)
    }
  }

  /// - Parameter settings: those with which the device starts.
  func source(settings: [Value]) -> ControlledDevice.Source {
    ControlledDevice.Source(
      file: choice.path,
      reference: choice.reference,
      face: choice.face,
      settings: settings, seed: seed)
  }

  func stage(_ scheduler: any Scheduler) -> FaultStage {
    let stage = FaultStage(of: choice.definition, seed: seed, scheduler: scheduler)
    for fault in faults { stage.add(fault) }
    return stage
  }

  func peripheral(
    on place: DeviceTransport, _ wire: (any WireAttachment)?, _ stage: FaultStage,
    _ memory: SettingsKeeper?, sinks: [any TrafficSink], relay: (any Relay)?
  ) -> LivePeripheral {
    LivePeripheral(
      choice.definition, settings: choice.settings, transport: FaultyTransport(place.transport, stage),
      wire: wire.map { FaultyWire($0, stage) }, memory: memory, scheduler: place.scheduler, sinks: sinks,
      options: EngineOptions(seed: seed, unixTime: Int64(time(nil))), forgetsBonds: forgetsBonds,
      relay: relay)
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
