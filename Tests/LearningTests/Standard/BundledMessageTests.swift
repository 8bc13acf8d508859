import Bluetooth
import DefinitionWriter
import Definitions
import DeviceModel
import Learning
import TestSupport
import Testing

/// The bundled devices' messages of standard characteristics are those of the specification.
@Suite struct BundledMessageTests {
  static let messages: [(String, String, BluetoothUUID, ValueStream.Direction)] = [
    ("heart-rate-belt", "measurement", 0x2A37, .fromDevice),
    ("heart-rate-belt", "reset-energy", 0x2A39, .fromCentral),
    ("mi-band", "rate", 0x2A37, .fromDevice),
    ("foot-pod", "measurement", 0x2A53, .fromDevice),
    ("foot-pod", "set-distance", 0x2A55, .fromCentral),
    ("foot-pod", "answer", 0x2A55, .fromDevice),
    ("foot-pod", "locations", 0x2A55, .fromDevice),
    ("cycling-sensor", "measurement", 0x2A5B, .fromDevice),
    ("cycling-sensor", "list-locations", 0x2A55, .fromCentral),
    ("power-meter", "measurement", 0x2A63, .fromDevice),
    ("power-meter", "set-crank-length", 0x2A66, .fromCentral),
    ("power-meter", "offset-is", 0x2A66, .fromDevice),
    ("treadmill", "data", 0x2ACD, .fromDevice),
    ("treadmill", "set-inclination", 0x2AD9, .fromCentral),
    ("treadmill", "answer", 0x2AD9, .fromDevice),
    ("treadmill", "training", 0x2AD3, .fromDevice),
    ("treadmill", "has-speed", 0x2ADA, .fromDevice),
    ("exercise-bike", "data", 0x2AD2, .fromDevice),
    ("exercise-bike", "set-resistance", 0x2AD9, .fromCentral),
    ("exercise-bike", "set-simulation", 0x2AD9, .fromCentral),
    ("exercise-bike", "has-resistance", 0x2ADA, .fromDevice),
    ("exercise-bike", "has-simulation", 0x2ADA, .fromDevice),
    ("ear-thermometer", "measurement", 0x2A1C, .fromDevice),
    ("ear-thermometer", "intermediate", 0x2A1E, .fromDevice),
    ("ear-thermometer", "seconds", 0x2A21, .fromDevice),
    ("blood-pressure-monitor", "pressure", 0x2A35, .fromDevice),
    ("blood-pressure-monitor", "inflating", 0x2A36, .fromDevice),
    ("pulse-oximeter", "spot", 0x2A5E, .fromDevice),
    ("pulse-oximeter", "now", 0x2A5F, .fromDevice),
    ("glucose-meter", "record", 0x2A18, .fromDevice),
    ("glucose-meter", "meal", 0x2A34, .fromDevice),
    ("glucose-meter", "within", 0x2A52, .fromCentral),
    ("glucose-meter", "response", 0x2A52, .fromDevice),
    ("glucose-meter", "count", 0x2A52, .fromDevice),
    ("body-scale", "weight", 0x2A9D, .fromDevice),
    ("body-scale", "composition", 0x2A9C, .fromDevice),
    ("environment-sensor", "temperature", 0x2A6E, .fromDevice),
    ("environment-sensor", "humidity", 0x2A6F, .fromDevice),
    ("environment-sensor", "pressure", 0x2A6D, .fromDevice),
  ]

  @Test(arguments: messages) func `a bundled message is the standard one`(
    device: String, name: String, uuid: BluetoothUUID, direction: ValueStream.Direction
  ) throws {
    let message = try #require(try bundled(device).messages.first { $0.name == name })
    var random = SplitMix64(seed: 36)
    var builtCount = 0
    for _ in 0..<Sample.rounds(of: 50) {
      let fields = zip(message.fields, message.randomValues(using: &random)).map {
        Self.presence($0.name) ?? $1
      }
      guard let value = try? message.build(fields) else { continue }
      builtCount += 1
      let standard = StandardMessages.messages(for: uuid, direction).compactMap { $0.fitted(to: [value]) }
        .first
      let compiled = try #require(standard?.compiled, "\(name) \(hexadecimal(value))")
      #expect(try compiled.build(#require(compiled.match(value))) == value)
    }
    #expect(builtCount > 0)
  }

  /// The flags of the fields that a device always sends: its message does not depend on them.
  private static func presence(_ field: String) -> Value? {
    if field == "more" { return .integer(0) }
    let isFlag = field.hasPrefix("has-") || ["elapsed", "gain", "energy"].contains(field)
    return isFlag ? .integer(1) : nil
  }
}
