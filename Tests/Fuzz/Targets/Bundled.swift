import Definitions

/// The definitions that come with the program.
enum Bundled {
  /// The folder that this file's `Tests` are in, up to its last slash.
  static let repository = String(#filePath.dropLast("Tests/Fuzz/Targets/Bundled.swift".count))

  static let library = DiskLibrary(folder: repository + "Peripherals")
  static let names = library.names
  static let texts = names.map { name in (try? library.file(named: name)?.text) ?? "" }
  static let definitions = names.map { name in
    (try? DefinitionLoader.load(path: library.path(of: name), bundled: library))?.definition
  }
}

extension FuzzInput {
  /// The index of a bundled definition: the line that the input begins with is its name, or stands for one.
  ///
  /// So an input goes on meaning the same when definitions are added.
  mutating func bundledIndex() -> Int {
    let line = bytes(upTo: UInt8(ascii: "\n"))
    if let index = Bundled.names.firstIndex(where: { $0.utf8.elementsEqual(line) }) { return index }
    return line.reduce(0) { $0 &* 31 &+ Int($1) }.magnitudeModulo(Bundled.names.count)
  }
}

extension Int {
  fileprivate func magnitudeModulo(_ divisor: Int) -> Int { Int(magnitude % UInt(divisor)) }
}
