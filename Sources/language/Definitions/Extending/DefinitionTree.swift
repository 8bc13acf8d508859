/// Reads a definition and, in turn, those that it extends, and merges them into one tree.
struct DefinitionTree {
  /// The most definitions that extend one another.
  static let maximumDepth = 8

  let bundled: any BundledDefinitions
  let log: DiagnosticLog
  var files = DefinitionFiles()

  init(bundled: any BundledDefinitions, log: DiagnosticLog) {
    self.bundled = bundled
    self.log = log
  }

  /// The tree of a definition, without `extends` and without the `~` that remove keys.
  ///
  /// - Throws: the ``Diagnostic`` that explains why there is no tree.
  mutating func read(_ file: DefinitionFile) throws(Diagnostic) -> YAMLNode {
    var roots = [try YAMLParser.parse(files.add(file))]
    var chain = [file.name]
    while let place = roots.last?[Self.key] {
      let parent = try parent(at: place, of: chain)
      roots.append(try parse(parent, extendedAt: place))
      chain.append(parent.name)
    }
    if roots.count > 1 { roots.forEach(checkLastingKeys) }
    let merger = TreeMerger(log: log)
    var tree = roots.removeLast()
    for root in roots.reversed() {
      tree = merger.merge(ownPart(of: root), onto: tree, .object { Language.root })
    }
    return merger.withoutRemovals(tree)
  }

  /// The texts under some keys of a definition, or of those that it extends. No more of their files is read.
  ///
  /// - Throws: the ``Diagnostic`` that explains why it cannot be read up to there.
  mutating func texts(under keys: [String], of file: DefinitionFile) throws(Diagnostic) -> [String: String] {
    var found: [String: YAMLNode] = [:]
    var chain: [String] = []
    var next: DefinitionFile? = file
    while let file = next {
      let source = files.add(file)
      chain.append(file.name)
      let missing = keys.filter { found[$0] == nil }
      found.merge(try YAMLParser.values(under: missing, of: source)) { own, _ in own }
      guard found.count < keys.count else { break }
      let parent = try YAMLParser.values(under: [Self.key], of: source)[Self.key]
      next = try parent.map { place throws(Diagnostic) in try self.parent(at: place, of: chain) }
    }
    return found.compactMapValues { $0.isNull ? nil : $0.text }
  }

  private static let key = "extends"

  /// Checks the keys that each file must have itself, even if it extends another.
  private func checkLastingKeys(of root: YAMLNode) {
    ShapeChecker(log: log).checkKeys(of: root, Language.root) { $0.isLasting }
  }

  /// A file without its `extends`.
  private func ownPart(of root: YAMLNode) -> YAMLNode {
    let names = root.entries.filter { $0.key.text == Self.key }
    for entry in names.dropFirst() {
      log.error(.second(Self.key), at: entry.key.range)
    }
    return root.with(.mapping(root.entries.filter { $0.key.text != Self.key }))
  }

  private func parent(at place: YAMLNode, of chain: [String]) throws(Diagnostic) -> DefinitionFile {
    guard let name = place.text else {
      throw Diagnostic(.noName(found: place.kindName), at: place.range)
    }
    let parent = try file(named: name, at: place)
    guard !chain.contains(parent.name) else {
      let circle = chain.drop { $0 != parent.name } + [parent.name]
      throw Diagnostic(.circle(chain: Array(circle)), at: place.range)
    }
    guard chain.count <= Self.maximumDepth else {
      throw Diagnostic(.tooManyDefinitions(most: Self.maximumDepth, first: chain[0]), at: place.range)
    }
    return parent
  }

  /// A file if the name ends like a file's, else a bundled definition.
  private func file(named name: String, at place: YAMLNode) throws(Diagnostic) -> DefinitionFile {
    let folder = files.folder(of: place.range)
    do throws(FileError) {
      if Self.isFile(name) {
        return DefinitionFile(
          name: folder.displayName(of: name), text: try folder.read(name), folder: folder)
      }
      if let file = try bundled.file(named: name) { return file }
    } catch {
      throw Diagnostic(.error, error.message, at: place.range, hint: error.hint)
    }
    throw Diagnostic(unknown(name, in: folder), at: place.range)
  }

  private static func isFile(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

  /// The mistake for a name that no bundled definition has.
  private func unknown(_ name: String, in folder: any DefinitionFolder) -> Mistake {
    let isFileBeside = (try? folder.read(name + ".yaml")) != nil
    return isFileBeside ? .noEnding(name) : .unknownDefinition(name, bundled: bundled.names)
  }

  private mutating func parse(
    _ file: DefinitionFile, extendedAt place: YAMLNode
  ) throws(Diagnostic) -> YAMLNode {
    let root: YAMLNode
    do { root = try YAMLParser.parse(files.add(file)) } catch {
      let start = error.range.start
      throw Diagnostic(
        .unreadableDefinition(place.text ?? ""), at: place.range,
        notes: ["\(file.name):\(start.line):\(start.column): \(error.message)"])
    }
    guard case .mapping = root.content else {
      throw Diagnostic(.notDefinition(place.text ?? "", found: root.kindName), at: place.range)
    }
    return root
  }
}
