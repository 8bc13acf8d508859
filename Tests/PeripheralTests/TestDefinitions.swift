import Bluetooth
import Definitions
import DeviceModel
import Framing
import TestSupport

/// A bundled definition.
func bundled(_ name: String) throws -> PeripheralDefinition {
  let library = DiskLibrary(folder: Repository.peripherals)
  return try DefinitionLoader.load(path: library.path(of: name), bundled: library).definition!
}

/// Loads a definition from a text, to which it adds the lines that every definition needs.
func definition(_ yaml: String) -> PeripheralDefinition {
  let source = SourceText(name: "device.yaml", text: "blemu: 1\nname: Device\n" + yaml + "\n")
  let loaded = DefinitionLoader.load(source, folder: NoFolder())
  precondition(loaded.definition != nil, loaded.report)
  return loaded.definition!
}

private struct NoFolder: DefinitionFolder {
  func displayName(of name: String) -> String { name }
  func read(_ name: String) throws(FileError) -> String { throw FileError(message: "no file '\(name)'") }
}

/// Bytes written in hex.
func hex(_ text: String) -> [UInt8] {
  try! HexText.parse(text)
}
