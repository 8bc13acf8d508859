import Bluetooth
import Definitions
import Framing

/// A definition that comes with the program.
func bundled(_ name: String) throws -> PeripheralDefinition {
  try DefinitionLoader.load(path: bundledPath(name)).definition!
}

func bundledText(_ name: String) throws -> String { try TextFile.read(bundledPath(name)) }

/// In `Peripherals` beside this file's `Tests`.
private func bundledPath(_ name: String) -> String {
  let root = #filePath.dropLast("Tests/BehaviorTests/TestDefinitions.swift".count)
  return "\(root)Peripherals/\(name)/\(name).yaml"
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
