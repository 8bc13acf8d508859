import BlemuControl
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Glibc
import JSON
import Peripheral

/// What the device is.
extension DeviceControl {
  /// In short.
  var status: JSONValue {
    let peripheral = device.peripheral
    let head: JSONValue = [
      "name": .string(device.name), "definition": .string(definition.name), "file": .string(device.file),
      "transport": .string(device.transport), "process": .integer(Int(getpid())),
      "on-air": .boolean(peripheral.isOnAir),
    ]
    let totals = peripheral.totals
    return head.adding([
      "adapter": peripheral.onAir.map { .string($0.adapter.name) },
      "address": peripheral.onAir.map { .string(($0.ownAddress ?? $0.adapter.address).description) },
      "device-name": peripheral.onAir.map { .string($0.name) },
      "milliseconds": .integer(Int(totals.duration.wholeMilliseconds)),
      "centrals": .array(peripheral.centrals.map { .string($0.description) }),
      "values-in": .integer(totals.valuesIn), "values-out": .integer(totals.valuesOut),
      "values-lost": .integer(totals.valuesLost), "events": .integer(device.journal.last),
    ])
  }
}
