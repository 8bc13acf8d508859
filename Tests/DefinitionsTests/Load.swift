import BlueZLimits
import TestSupport

@testable import Definitions

/// Loads a definition that is nowhere on the disk; diagnostics call it `device.yaml`.
///
/// - Parameters:
///   - files: the files next to it, by name.
///   - bundled: definitions that may be extended, by name.
///   - library: where such definitions are, in place of those.
///   - others: sections, by name, that are added where the text has none of that name.
func load(
  _ yaml: String, files: [String: String] = [:], bundled: [String: String] = [:],
  library: (any BundledDefinitions)? = nil, others: [(Substring, String)] = standardSections
) -> LoadedDefinition {
  let folder: any DefinitionFolder =
    files.isEmpty ? DiskFolder(of: "device.yaml") : MemoryFolder(files: files)
  return DefinitionLoader.load(
    DefinitionFile(name: "device.yaml", text: complete(yaml + "\n", with: others), folder: folder),
    bundled: library ?? MemoryLibrary(definitions: bundled), for: [BlueZLimits()])
}

/// A definition with the sections that it lacks at its end: what a test shows is what it is about.
///
/// One that extends another has the sections of that one; it lacks only the version of the language.
func complete(_ yaml: String, with others: [(Substring, String)] = standardSections) -> String {
  let sections = yaml.split(separator: "\n").compactMap { $0.firstIndex(of: ":").map($0.prefix(upTo:)) }
  let isChange = sections.contains("extends")
  let missing = others.filter { name, _ in !sections.contains(name) && (!isChange || name == "blemu") }
  return yaml.hasPrefix("- ") ? yaml : yaml + missing.map(\.1).joined()
}

let standardSections: [(Substring, String)] = [
  ("blemu", "blemu: 1\n"),
  ("name", "name: Device\n"),
  (
    "services",
    """
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify] }

    """
  ),
]

/// Bundled definitions that are nowhere on the disk; each in a folder of its own.
struct MemoryLibrary: BundledDefinitions {
  var definitions: [String: String]

  var names: [String] { definitions.keys.sorted() }

  func file(named name: String) -> DefinitionFile? {
    definitions[name].map { text in
      let folder = MemoryFolder(files: ["days.csv": "day\n7\n"], path: "/lib/\(name)/")
      return DefinitionFile(name: folder.displayName(of: "\(name).yaml"), text: text, folder: folder)
    }
  }
}
