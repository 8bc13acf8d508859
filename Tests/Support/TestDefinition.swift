import Bluetooth
import Definitions
import DeviceModel
import Framing
import Synchronization

/// The definitions that come with the program.
package let library = DiskLibrary(folder: Repository.peripherals)

/// A definition that comes with the program.
package func bundled(_ name: String) throws -> PeripheralDefinition {
  try readDefinition(at: library.path(of: name)!).definition!
}

private let known = Mutex<[String: LoadedDefinition]>([:])

/// The definition in a file, which may extend bundled ones. Each file is read once, whatever changes later.
package func readDefinition(at path: String) throws -> LoadedDefinition {
  if let loaded = known.withLock({ $0[path] }) { return loaded }
  let loaded = try DefinitionLoader.load(path: path, bundled: library)
  known.withLock { $0[path] = loaded }
  return loaded
}

/// The definition that a text describes; one that is wrong is a mistake of the test.
///
/// - Parameter files: the files next to it, by name.
package func define(_ text: String, files: [String: String] = [:]) throws -> PeripheralDefinition {
  let source = SourceText(name: "device.yaml", text: text)
  let loaded = DefinitionLoader.load(source, folder: MemoryFolder(files: files))
  guard let definition = loaded.definition else { throw WrongDefinition(description: loaded.report) }
  return definition
}

/// Likewise, without the lines that every definition begins with.
package func device(_ yaml: String) throws -> PeripheralDefinition {
  try define("blemu: 1\nname: Device\n" + yaml + "\n")
}

package func definition(_ yaml: String) -> PeripheralDefinition { try! device(yaml) }

private struct WrongDefinition: Error, CustomStringConvertible {
  var description: String
}

/// Bytes from a test's own text.
package func hex(_ text: String) -> [UInt8] { try! HexText.parse(text) }

extension PeripheralDefinition {
  /// How it pairs with its settings at first.
  package var pairing: PairingPolicy? { try? pairing(in: initialContext) }
}
