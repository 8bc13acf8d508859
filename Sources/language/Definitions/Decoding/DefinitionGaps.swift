/// The parts of a definition that mistakes in its structure hide. A name that is missing for this reason is not reported again.
struct DefinitionGaps {
  private let root: YAMLNode?
  /// The sections with such mistakes, by their keys.
  private let sections: Set<String>
  /// The names under unknown keys, each of which is probably a misspelt section.
  private let strays: Set<String>
  private let hasStraySection: Bool

  /// Nothing is hidden.
  init() { (root, sections, strays, hasStraySection) = (nil, [], [], false) }

  /// - Parameter mistakes: those of the structure.
  init(_ root: YAMLNode, _ mistakes: [Diagnostic]) {
    let places = Set(mistakes.map(\.range.start))
    let known = Language.root.keys.map(\.name)
    let strange = root.entries.filter { entry in !known.contains { $0 == entry.key.text } }
    self.root = root
    sections = Set(
      mistakes.isEmpty ? [] : root.entries.filter { $0.isAt(places) }.compactMap(\.key.text))
    strays = Set(strange.flatMap(\.value.names))
    hasStraySection = strange.contains { $0.value.text == nil }
  }

  /// Whether parts of a section may be missing because of a mistake.
  func hasGap(in section: any DeclaredKey) -> Bool {
    sections.contains(section.name) || hasStraySection && root?[section.name] == nil
  }

  /// Whether a part of a section with this name may be missing because of a mistake.
  func hides(_ name: String, in section: any DeclaredKey) -> Bool {
    if strays.contains(name) { return true }
    guard sections.contains(section.name), let section = root?[section.name] else { return false }
    return section.entries.isEmpty || section.names.contains(name)
  }

  /// Adds to a scope the names of a section that cannot be read.
  ///
  /// - Parameter read: the names that can be read.
  func addBroken(of section: any DeclaredKey, except read: [Scalar], to names: inout NameScope) {
    guard sections.contains(section.name), let section = root?[section.name] else { return }
    guard case .mapping = section.content else { return names.isIncomplete = true }
    for name in Set(section.names).subtracting(read.map(\.text)) { names.addBroken(name) }
  }

  /// The names in a section that cannot be read, also if its own name is misspelt.
  ///
  /// - Parameter read: the names that can be read.
  func names(hiddenIn section: any DeclaredKey, except read: [Scalar]) -> Set<String> {
    let known = Language.root.keys.map(\.name)
    let hidden = (root?.entries ?? []).filter { entry in
      guard let key = entry.key.text else { return false }
      if key == section.name { return sections.contains(key) }
      return !known.contains(key) && Suggestion.nearest(to: key, in: known) == section.name
    }
    return Set(hidden.flatMap(\.value.names)).subtracting(read.map(\.text))
  }

  /// Adds to a scope the names in misspelt sections.
  func addStrays(to names: inout NameScope) {
    for name in strays { names.addBroken(name) }
  }
}

extension YAMLNode {
  /// The keys of a mapping, the texts of a list.
  fileprivate var names: [String] { entries.compactMap(\.key.text) + elements.compactMap(\.text) }

  /// Whether it begins at one of these places, or something in it does.
  fileprivate func isAt(_ places: Set<SourcePosition>) -> Bool {
    places.contains(range.start) || elements.contains { $0.isAt(places) }
      || entries.contains { $0.isAt(places) }
  }
}

extension YAMLNode.Entry {
  fileprivate func isAt(_ places: Set<SourcePosition>) -> Bool {
    places.contains(key.range.start) || value.isAt(places)
  }
}
