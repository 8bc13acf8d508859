import BlemuControl
import Definitions
import DeviceModel
import EventLoop
import Faults
import BlemuJSON

/// Faults.
extension DeviceControl {
  /// Adds or removes a fault, and lists all.
  package func faults(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    let added = try parameters["add"]?.text.map { text throws(ControlError) in try fault(text) }
    if let number = parameters["remove"]?.wholeNumber {
      guard device.faults.remove(number) else {
        let known = device.faults.list.map { "\($0.number)" }.joined(separator: ", ")
        throw ControlError(
          .badParameters, "no fault has the number \(number)",
          hint: known.isEmpty ? "the device has no faults" : "known: \(known)")
      }
    }
    if parameters["remove-all"]?.truth == true { device.faults.removeAll() }
    let number = added.map { device.faults.add($0) }
    return (["faults": .array(device.faults.list.map(Self.json))] as JSONValue).adding([
      "number": number.map(JSONValue.integer)
    ])
  }

  private func fault(_ text: String) throws(ControlError) -> Fault {
    do throws(Diagnostic) { return try FaultReader(definition).read(text) } catch {
      throw ControlError(error, in: text)
    }
  }

  private static func json(of entry: FaultStage.Entry) -> JSONValue {
    [
      "number": .integer(entry.number), "fault": .string(entry.text), "seen": .integer(entry.seen),
      "struck": .integer(entry.struck), "spent": .boolean(entry.isSpent),
    ]
  }
}
