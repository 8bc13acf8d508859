import Bluetooth
import Definitions
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// A definition that comes with the program.
func bundled(_ name: String) throws -> PeripheralDefinition {
  try DefinitionLoader.load(path: library.path(of: name), bundled: library).definition!
}

func bundledText(_ name: String) throws -> String { try TextFile.read(library.path(of: name)) }

let library = DiskLibrary(folder: Repository.peripherals)

/// A definition in a test's own text, with the lines that every definition begins with.
func definition(_ yaml: String) -> PeripheralDefinition {
  try! device(yaml)
}

/// Likewise; one that is wrong is a mistake of the test.
func device(_ yaml: String) throws -> PeripheralDefinition {
  let source = SourceText(name: "device.yaml", text: "blemu: 1\nname: Device\n" + yaml + "\n")
  let loaded = DefinitionLoader.load(source, folder: NoFolder())
  guard let definition = loaded.definition else { throw WrongDefinition(description: loaded.report) }
  return definition
}

private struct WrongDefinition: Error, CustomStringConvertible {
  var description: String
}

private struct NoFolder: DefinitionFolder {
  func displayName(of name: String) -> String { name }
  func read(_ name: String) throws(FileError) -> String { throw FileError(message: "no file '\(name)'") }
}

/// Bytes from a test's own text.
func hex(_ text: String) -> [UInt8] {
  try! HexText.parse(text)
}

/// Holds a conversation with a device and compares it with the one that was expected.
///
/// - Parameter yaml: what it does. Services are put behind it where it has none, so that lines are counted from 3.
func expect(
  _ yaml: String, _ transcript: String, options: EngineOptions = EngineOptions(),
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = yaml.contains("services:") ? yaml : yaml + standardServices
  var conversation = try Conversation(device(text), options: options)
  #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
}

private let standardServices = """

  services:
    - uuid: FFE0
      characteristics:
        - { id: in, uuid: FFE1, properties: [write] }
        - { id: out, uuid: FFE2, properties: [notify] }
        - { id: data, uuid: FFE3, properties: [read, write, notify], value: "00" }
  """
