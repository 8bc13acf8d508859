import Definitions
import DeviceModel
import Glibc

/// Finds definitions: by path, or by name among the bundled ones.
struct DefinitionLibrary {
  /// The folder of the bundled definitions, each `NAME/NAME.yaml`; nil when it is not found.
  let folder: String?

  /// The bundled definitions beside this program: `../share/blemu/Peripherals` where it is installed,
  /// `Peripherals` in a folder above it where it was built.
  static func ofThisProgram() -> DefinitionLibrary {
    guard var place = executable().map(FileSystem.parent) else { return DefinitionLibrary(folder: nil) }
    let installed = FileSystem.parent(of: place) + "/share/blemu/Peripherals"
    if FileSystem.isFolder(installed) { return DefinitionLibrary(folder: installed) }
    while place != "/" {
      if FileSystem.isFolder(place + "/Peripherals") {
        return DefinitionLibrary(folder: place + "/Peripherals")
      }
      place = FileSystem.parent(of: place)
    }
    return DefinitionLibrary(folder: nil)
  }

  /// What is bundled; definitions may extend it.
  private var bundled: any BundledDefinitions { folder.map(DiskLibrary.init) ?? NoBundledDefinitions() }

  /// The names of the bundled definitions, in order.
  var names: [String] { bundled.names }

  func path(of name: String) -> String { DiskLibrary(folder: folder ?? "").path(of: name) }

  /// Reads and checks the definition in a file.
  ///
  /// - Parameter limits: of the transport that is to serve it.
  func load(path: String, for limits: any TransportLimits) throws(CommandError) -> LoadedDefinition {
    do { return try DefinitionLoader.load(path: path, bundled: bundled, for: [limits]) } catch {
      throw .unreadable(error)
    }
  }

  /// The path of the file that a person means.
  func find(_ text: String) throws(CommandError) -> String {
    if FileSystem.isFile(text) { return text }
    if FileSystem.isFolder(text) { return try fileInside(text) }
    if !text.contains("/"), !text.hasSuffix(".yaml"), FileSystem.isFile(path(of: text)) {
      return path(of: text)
    }
    if FileSystem.exists(text) {
      throw .unreadable(FileError(message: "'\(text)' is not a file", hint: "name a definition file"))
    }
    if text.contains("/") || text.hasSuffix(".yaml") {
      throw .unreadable(
        FileError(
          message: "there is no file '\(text)'", hint: "bundled definitions go by their name, as in hm-10"))
    }
    throw .unknownDefinition(text, bundled: names)
  }

  /// `hm-10/hm-10.yaml` for the folder `hm-10`.
  private func fileInside(_ folder: String) throws(CommandError) -> String {
    let trimmed = String(folder.reversed().drop { $0 == "/" }.reversed())
    let name = trimmed.split(separator: "/").last.map(String.init) ?? ""
    let path = "\(trimmed)/\(name).yaml"
    if FileSystem.isFile(path) { return path }
    throw .unreadable(
      FileError(
        message: "'\(folder)' is a folder without '\(name).yaml'", hint: "name the definition file itself"))
  }
}

extension DefinitionLibrary {
  private static func executable() -> String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
