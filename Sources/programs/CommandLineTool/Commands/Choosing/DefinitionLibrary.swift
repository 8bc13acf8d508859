import Definitions
import DeviceModel
import Glibc

/// Finds definitions by path, or by name among the bundled ones.
struct DefinitionLibrary {
  /// The folder of the bundled definitions, each `GROUP/NAME/NAME.yaml`; nil if there is none.
  let folder: String?
  /// Collects the files that are read.
  var files: FileRecord?
  /// Keeps the definitions that are read, for other devices that have them, too; nil: each is read again.
  var kept: KeptDefinitions?

  init(folder: String?) { self.folder = folder }

  /// The bundled definitions of this program: `../share/blemu/Peripherals` if it is installed, otherwise `Peripherals` in
  /// a folder above it.
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

  /// The bundled definitions, which others may extend.
  var bundled: any BundledDefinitions { onDisk ?? NoBundledDefinitions() }

  private var onDisk: DiskLibrary? { folder.map(DiskLibrary.init) }

  /// The bundled definitions by group, both in order.
  var groups: [DefinitionGroup] { onDisk?.groups ?? [] }

  /// The names of the bundled definitions, in order.
  var names: [String] { bundled.names }

  /// A bundled definition as lists show it.
  func listed(_ name: String, in group: DefinitionGroup) -> ListedDefinition {
    let path = onDisk?.path(of: name, in: group.name) ?? ""
    return ListedDefinition(
      name: name, path: path, device: DefinitionLoader.title(path: path, bundled: bundled))
  }

  /// The path of the bundled definition of this name; nil where there is none.
  func path(of name: String) -> String? { onDisk?.path(of: name) }

  /// Reads and checks the definition in a file.
  ///
  /// - Parameter limits: the limits of the transport that will serve the device.
  func load(path: String, for limits: any TransportLimits) throws(CommandError) -> LoadedDefinition {
    if path.hasSuffix(TranscriptFinder.ending) {
      throw CommandError(
        .usage, "'\(path)' is a transcript, not a definition",
        "'blemu test \(path)' runs it, 'blemu play DEFINITION < \(path)' shows what the device does")
    }
    if path.hasSuffix(".svg") {
      throw CommandError(
        .usage, "'\(path)' is a drawing, not a definition",
        "'blemu check' checks a face with the definition next to it")
    }
    files?.add(path)
    if let loaded = kept?.definition(in: path, for: limits) { return loaded }
    do {
      let loaded = try DefinitionLoader.load(path: path, bundled: bundled, for: [limits])
      for file in loaded.renderer.fileNames { files?.add(file) }
      if loaded.definition != nil || !Self.isStand(path) {
        kept?.keep(loaded, of: path, for: limits)
        return loaded
      }
    } catch {
      throw .unreadable(error)
    }
    throw .isStand(path)
  }

  /// Whether a file can be read, and is a stand.
  static func isStand(_ path: String) -> Bool {
    (try? TextFile.read(path)).map(StandFile.isStand) ?? false
  }

  /// Reads a file, or the only stand in a folder, as a stand, unless it is a definition.
  ///
  /// - Parameter place: where devices run that do not say it, as after `--on`.
  func stand(at path: String, place: String) throws(CommandError) -> StandReader {
    let path = FileSystem.isFolder(path) ? try standInside(path) : path
    guard FileSystem.isFile(path) else {
      if self.path(of: path) != nil { throw .isDefinition(path) }
      throw .unreadable(
        Self.missing(path, hint: "a stand is a file that begins with 'stand:'; 'blemu help up' shows one"))
    }
    guard Self.isStand(path) || !Self.isDefinitionFile(path) else { throw .isDefinition(path) }
    return try StandReader(path: path, library: self, place: place)
  }

  /// The only stand in a folder.
  private func standInside(_ folder: String) throws(CommandError) -> String {
    let place = folder.hasSuffix("/") ? folder : folder + "/"
    let stands = Self.files(in: place, where: Self.isStand)
    if stands.count == 1 { return stands[0] }
    if stands.isEmpty, !Self.definitions(in: place).isEmpty { throw .isDefinition(folder) }
    guard stands.isEmpty else {
      throw CommandError(
        .noDefinition, "the folder '\(folder)' has several stands",
        "give one of them: \(stands.joined(separator: ", "))")
    }
    throw CommandError(
      .noDefinition, "there is no stand in the folder '\(folder)'",
      "a stand is a .yaml file that begins with 'stand:'; 'blemu help up' shows one")
  }

  /// Reads and checks the definition on the standard input.
  ///
  /// - Parameter limits: the limits of the transport that will serve the device.
  func loadStandardInput(for limits: any TransportLimits) throws(CommandError) -> LoadedDefinition {
    do { return try DefinitionLoader.loadStandardInput(bundled: bundled, for: [limits]) } catch {
      throw .unreadable(error)
    }
  }

  /// The paths of the files for an argument; for a folder, those of all definitions and stands in it.
  func findAll(_ text: String) throws(CommandError) -> [String] {
    guard FileSystem.isFolder(text) else { return [try find(text)] }
    let paths = Self.files(below: text.hasSuffix("/") ? text : text + "/", depth: 2)
    if !paths.isEmpty { return paths }
    throw .unreadable(
      FileError(
        message: "there is no definition in the folder '\(text)'",
        hint: "a definition is a .yaml file that begins with 'blemu: 1', a stand one with 'stand:'"))
  }

  /// The definitions and stands in a folder or, if there are none, in its folders.
  ///
  /// - Parameter depth: how many folders within folders are searched.
  private static func files(below folder: String, depth: Int) -> [String] {
    let paths = files(in: folder) { isDefinitionFile($0) || isStand($0) }
    guard paths.isEmpty, depth > 0 else { return paths }
    let folders = FileSystem.entries(of: folder).filter { FileSystem.isFolder(folder + $0) }
    return folders.flatMap { files(below: "\(folder)\($0)/", depth: depth - 1) }
  }

  /// The definitions in a folder, whose path ends with a slash. A file that cannot be read counts: its reader says why.
  private static func definitions(in folder: String) -> [String] {
    files(in: folder, where: isDefinitionFile)
  }

  private static func files(in folder: String, where isWanted: (String) -> Bool) -> [String] {
    FileSystem.entries(of: folder).filter(isDefinition).map { folder + $0 }.filter(isWanted)
  }

  private static func isDefinitionFile(_ path: String) -> Bool {
    guard FileSystem.isFile(path), let text = try? TextFile.read(path) else {
      return FileSystem.isFile(path)
    }
    return text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("blemu:") }
  }

  /// The path of the file for an argument.
  func find(_ text: String) throws(CommandError) -> String {
    if FileSystem.isFile(text) { return text }
    if FileSystem.isFolder(text) { return try fileInside(text) }
    if !text.hasSuffix(".yaml") {
      if !text.contains("/"), FileSystem.isFile(text + ".yaml") { return text + ".yaml" }
      if let path = path(of: text) { return path }
    }
    if FileSystem.exists(text) {
      throw .unreadable(
        FileError(message: "'\(text)' is not a file", hint: "give the path of a definition file"))
    }
    if text.contains("/") || Self.isDefinition(text) {
      throw .unreadable(Self.missing(text))
    }
    throw .unknownDefinition(text, bundled: names)
  }

  private static func isDefinition(_ name: String) -> Bool {
    name.hasSuffix(".yaml") || name.hasSuffix(".yml")
  }

  private static func missing(
    _ path: String, hint: String = "for a bundled definition, give its name, as in hm-10"
  ) -> FileError {
    FileError(message: "there is no file '\(path)'", hint: nearest(toFile: path) ?? hint)
  }

  /// Names the file in the same folder that is meant.
  private static func nearest(toFile text: String) -> String? {
    let path = FilePath(text)
    let others = FileSystem.entries(of: path.folder.isEmpty ? "." : path.folder).filter(isDefinition)
    return Suggestion.nearest(to: path.name, in: others).map { "did you mean '\(path.folder)\($0)'?" }
  }

  /// `hm-10/hm-10.yaml` for the folder `hm-10`.
  private func fileInside(_ folder: String) throws(CommandError) -> String {
    let trimmed = String(folder.reversed().drop { $0 == "/" }.reversed())
    let name = trimmed.split(separator: "/").last.map(String.init) ?? ""
    let path = "\(trimmed)/\(name).yaml"
    if FileSystem.isFile(path) { return path }
    let others = Self.definitions(in: trimmed + "/")
    if others.count == 1 { return others[0] }
    if others.isEmpty, !Self.files(in: trimmed + "/", where: Self.isStand).isEmpty { throw .isStand(folder) }
    throw .unreadable(
      FileError(
        message: "there is no '\(name).yaml' in the folder '\(folder)'",
        hint: "give the path of the definition file"))
  }
}

extension DefinitionLibrary {
  /// How a transcript in any folder calls the definition in a file: by the name of a bundled one, otherwise by its whole path.
  func reference(to path: String) -> String {
    bundledName(of: path) ?? FileSystem.resolved(path) ?? path
  }

  /// The name of the bundled definition that is in a file; nil: it is none.
  func bundledName(of path: String) -> String? {
    let name = FilePath(path).baseName
    guard let bundled = self.path(of: name), FileSystem.resolved(bundled) == FileSystem.resolved(path) else {
      return nil
    }
    return name
  }

  private static func executable() -> String? {
    FileSystem.resolved("/proc/self/exe")
  }
}
