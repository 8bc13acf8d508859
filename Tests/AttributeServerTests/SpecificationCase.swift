import DeviceModel
import TestSupport

/// A case of a test specification of the Bluetooth SIG: a section of a file in `Cases`.
struct SpecificationCase: CustomStringConvertible, Sendable {
  /// For example `GATT/SR/GAR/BV-01-C`.
  var name: String
  /// For example `GAR.pdu`.
  var file: String
  /// The lines after `== NAME  TITLE`.
  var lines: [Substring] = []

  var description: String { name }

  static let folder = Repository.path + "Tests/AttributeServerTests/Cases"

  /// All cases, in the order of the files.
  static let all = Repository.names(in: folder).filter { $0.hasSuffix(".pdu") }.flatMap { file in
    var cases: [SpecificationCase] = []
    for line in text(of: file).split(separator: "\n") {
      if line.hasPrefix("== ") {
        cases.append(SpecificationCase(name: String(line.split(separator: " ")[1]), file: file))
      } else {
        cases[cases.count - 1].lines.append(line)
      }
    }
    return cases
  }

  static func text(of file: String) -> String {
    String(decoding: Repository.bytes(ofFile: "\(folder)/\(file)")!, as: UTF8.self)
  }
}

extension SpecificationCase {
  /// A connection with a device.
  struct Connection {
    var definition: PeripheralDefinition
    var transcript: String
  }

  /// The connections of the case: each begins with `device NAME`, the name of a definition.
  var connections: [Connection] {
    var connections: [Connection] = []
    for line in lines {
      if let definition = Self.definitions[String(line)] {
        connections.append(Connection(definition: definition, transcript: ""))
      } else {
        connections[connections.count - 1].transcript += line + "\n"
      }
    }
    return connections
  }

  /// The definitions, by the line that begins a connection with the device.
  private static let definitions = [
    "device small": small, "device large": large, "device sparse": sparse,
    "device caching": caching,
  ]

  static let small = definition(in: "small.yaml")
  static let large = definition(in: "large.yaml")
  static let sparse = definition(in: "sparse.yaml")
  static let caching = definition(in: "caching.yaml")

  private static func definition(in file: String) -> PeripheralDefinition { try! define(text(of: file)) }
}
