import Definitions

/// What a person wants to read, as in `faults`, `faults distance` or `faults#distance`.
struct HelpAddress {
  /// The first word.
  let page: String
  /// The heading or the anchor of a section, as an anchor.
  let section: String?

  init(_ words: [String]) {
    let first = (words.first ?? "").split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    page = first.first.map(String.init) ?? ""
    let rest = first.dropFirst().map(String.init) + words.dropFirst()
    section = rest.isEmpty ? nil : PageSection.anchor(of: rest.joined(separator: " "))
  }
}

/// A page, or a section of one.
struct HelpText {
  let page: HelpPage
  let text: String
  /// Its anchor; nil for the whole page.
  let section: String?

  /// What opens the target of a link in it; nil: it is in this text, or cannot be opened.
  func reference(_ target: String, among pages: HelpPages) -> String? {
    guard target.hasPrefix("#") else { return pages.reference(target, on: page) }
    let anchor = String(target.dropFirst())
    let isHere = section == nil || PageSection.all(of: text).contains { $0.anchor == anchor }
    return isHere ? nil : page.command(section: anchor)
  }
}

extension HelpPages {
  /// Finds a page or one of its sections. If no page has the name, it may be that of a section.
  func text(at address: HelpAddress) throws(CommandError) -> HelpText {
    let pages = named(address.page)
    guard pages.count < 2 else {
      throw .ambiguousPage(address.page, pages.map { $0.command(section: address.section) })
    }
    guard let page = pages.first else { return try section(address) }
    let text = try page.text()
    guard let anchor = address.section else { return HelpText(page: page, text: text, section: nil) }
    let sections = PageSection.all(of: text)
    guard let section = sections.first(where: { $0.anchor == anchor }) else {
      throw .unknownSection(anchor, of: page, known: sections.map(\.anchor))
    }
    return HelpText(page: page, text: section.whole(of: sections), section: anchor)
  }

  /// The only section of this name in all pages.
  private func section(_ address: HelpAddress) throws(CommandError) -> HelpText {
    let anchor = PageSection.anchor(of: address.page + (address.section.map { " \($0)" } ?? ""))
    var names: [String] = []
    var found: [HelpText] = []
    for page in reference {
      let sections = PageSection.all(of: try page.text())
      names += sections.map(\.anchor)
      for section in sections where section.anchor == anchor {
        found.append(HelpText(page: page, text: section.whole(of: sections), section: anchor))
      }
    }
    guard found.count < 2 else {
      throw .ambiguousPage(anchor, found.map { $0.page.command(section: anchor) })
    }
    guard let text = found.first else {
      throw .unknownPage(
        address, known: all.map(\.name) + (address.section == nil ? Command.all.map(\.name) + names : []))
    }
    return text
  }
}

extension CommandError {
  /// The help has neither a command, a page nor a section of this name.
  static func unknownPage(_ address: HelpAddress, known: [String]) -> Self {
    let near = Suggestion.nearest(to: address.page, in: known)
    let search = "'blemu help -k \(address.page)' searches all pages"
    let section = address.section.map { " \($0)" } ?? ""
    return Self(
      .usage, "there is no command, page or section '\(address.page)'",
      near.map { "did you mean 'blemu help \($0)\(section)'? \(search)" }
        ?? "\(search), 'blemu help' lists the commands")
  }

  static func unknownSection(_ section: String, of page: HelpPage, known: [String]) -> Self {
    let near = Suggestion.nearest(to: section, in: known)
    return Self(
      .usage, "the page '\(page.name)' has no section '\(section)'",
      near.map { "did you mean '\(page.command(section: $0))'?" }
        ?? "'\(page.command())' shows the whole page")
  }

  static func ambiguousPage(_ name: String, _ commands: [String]) -> Self {
    Self(
      .usage, "'\(name)' is the name of \(commands.count) pages or sections",
      "choose one: \(commands.joined(separator: ", "))")
  }

  /// - Parameter what: what is missing, with its verb.
  static func notInstalled(_ what: String) -> Self {
    Self(
      .noDefinition, "\(what) not next to this program",
      "run blemu from its build folder, or install it with tools/install")
  }
}
