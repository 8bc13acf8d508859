import Behavior
import Bluetooth
import Framing
import Peripheral

extension JSONFormat {
  /// Writes a fault that was applied. The replacement of the value is a text: pieces in hex, separated by commas.
  func fill(_ object: inout JSONObject, _ strike: FaultStrike) {
    object.set("fault", strike.fault)
    object.set("fault-number", strike.number)
    object.set("ordinal", strike.ordinal)
    object.set("central", strike.central)
    object.set("attribute", strike.place)
    object.set("direction", strike.direction?.rawValue)
    if let value = strike.value {
      object.set("value", hex: value)
      object.set("text", printable: value)
    }
    object.set("became", strike.replacement?.map { HexText.format($0) }.joined(separator: ", "))
    object.set("refused", strike.refused?.description)
  }
}
