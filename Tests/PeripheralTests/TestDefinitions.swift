import Bluetooth
import Definitions
import DeviceModel
import Framing
import TestSupport

/// A definition that comes with the program.
func bundled(_ name: String) throws -> PeripheralDefinition {
  let library = DiskLibrary(folder: Repository.peripherals)
  return try DefinitionLoader.load(path: library.path(of: name), bundled: library).definition!
}

/// A definition in a test's own text, with the lines that every definition begins with.
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

/// Bytes from a test's own text.
func hex(_ text: String) -> [UInt8] {
  try! HexText.parse(text)
}
