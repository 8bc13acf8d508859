import Bluetooth
import Framing
import Learning

/// A table as lines: `0001..0005 1800`, `  0003 (0002) 2A00 [read] 41 42`, `    0004 2902 00 00`. What is not known is `?`.
func lines(_ table: ObservedTable) -> [String] {
  table.services.flatMap { service in
    let range = "\(text(service.handle))..\(text(service.endHandle))"
    let kind = service.isPrimary ? "" : " secondary"
    return ["\(range) \(text(service.uuid))\(kind)"]
      + service.characteristics.flatMap { characteristic in
        let properties = characteristic.properties.map { "\($0.names)" } ?? "?"
        return [
          "  \(text(characteristic.valueHandle)) (\(text(characteristic.handle))) \(text(characteristic.uuid)) "
            + properties + text(characteristic.value)
        ]
          + characteristic.descriptors.map { "    \(text($0.handle)) \($0.uuid)" + text($0.value) }
      }
  }
}

private func text(_ handle: AttributeHandle?) -> String { handle?.hexadecimal(digits: 4) ?? "?" }

private func text(_ uuid: ObservedTable.DeclaredUUID) -> String {
  "\(uuid.uuid)" + (uuid.isLong ? " in 128 bits" : "")
}

private func text(_ value: ObservedValue) -> String {
  value.readings.map { reading in
    switch reading.outcome {
    case .success(let bytes): bytes.map { " " + $0.hexadecimal(digits: 2) }.joined()
    case .refused(let error): " refused \(error.name)"
    case .unknown: " ?"
    }
  }.joined()
}

func listing(_ text: String...) throws -> [DeviceListing] {
  try ListingReader.read(
    text.enumerated().map { ListingFile(name: "file\($0 + 1)", bytes: Array($1.utf8)) })
}

/// `file1:3:5 what is wrong`
func mistake(_ text: String...) -> String? {
  do throws(ListingMistake) {
    _ = try ListingReader.read(
      text.enumerated().map { ListingFile(name: "file\($0 + 1)", bytes: Array($1.utf8)) })
    return nil
  } catch {
    let place = error.place.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(error.file)\(place) \(error.reason)"
  }
}
