import BlemuControl
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Glibc
import BlemuJSON
import Peripheral
import Transcripts

/// The description of the device.
extension DeviceControl {
  /// The name of the device, whether it is on the air, and its centrals.
  package var status: JSONValue {
    let peripheral = device.peripheral
    let head: JSONValue = [
      "name": .string(device.name), "definition": .string(definition.name),
      "file": .string(device.source.file),
      "transport": .string(device.transport), "process": .integer(Int(getpid())),
      "on-air": .boolean(peripheral.isOnAir && !device.faults.isOffAir),
    ]
    let totals = peripheral.totals
    return head.adding([
      "adapter": peripheral.onAir.map { .string($0.adapter.name) },
      "address": peripheral.onAir.map {
        .string((peripheral.setAddress?.address ?? $0.adapter.address).description)
      },
      "device-name": peripheral.onAir.map { .string($0.name) },
      "milliseconds": .integer(Int(totals.duration.wholeMilliseconds)),
      "centrals": .array(peripheral.centrals.map { .string($0.description) }),
      "values-in": .integer(totals.valuesIn), "values-out": .integer(totals.valuesOut),
      "values-lost": .integer(totals.valuesLost), "events": .integer(device.journal.last),
      "timers": .integer(EventLoop.timerCount),
    ])
  }

  /// All that a user interface needs.
  package func describe() throws(ControlError) -> JSONValue {
    let peripheral = device.peripheral
    guard let context = peripheral.context, let table = peripheral.table else {
      throw ControlError(
        .notPossible, "the device has not started yet", hint: "try again once it is on the air")
    }
    let description = DeviceDescription(
      definition, in: context, with: table, on: peripheral.limits,
      packetLimits: device.packetLimits, handles: peripheral.handles)
    let advertisement = device.faults.change(peripheral.advertisement)
    do {
      let members = try description.members(table, advertisement)
      return status.adding(["summary": .string(definition.summary)]).adding(members).adding([
        "values": .object(attributeValues(of: table)),
        "face": device.source.face.map(JSONValue.string),
        "state": definition.states.isEmpty ? nil : .string(context.state),
        "advertises": advertisement.map {
          .array(AdvertisementText.fields(of: $0).map(JSONValue.string))
        },
      ])
    } catch {
      throw ControlError(.notPossible, "\(error)")
    }
  }

  /// The present value of each characteristic, by its id.
  private func attributeValues(of table: AttributeTable) -> [JSONValue.Member] {
    table.services.flatMap(\.characteristics).compactMap { attribute in
      device.peripheral.value(of: .characteristic(attribute.index)).map {
        JSONValue.Member(
          name: definition.characteristics[attribute.index].id, value: .string(HexText.format($0)))
      }
    }
  }
}
