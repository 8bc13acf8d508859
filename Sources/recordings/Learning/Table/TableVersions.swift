import Bluetooth
import Captures

/// The attribute tables that the links of one device have, where they contradict each other: firmware with a boot loader has two, and
/// an update may bring another one.
struct TableVersions {
  /// A link, or the part of it in which one table was valid.
  private struct Part {
    var connection: CapturedConnection
    /// As in `3`, or `3 (part 2)`.
    var name: String
    var findings: AttributeFindings
  }

  private struct Version {
    var findings: AttributeFindings
    var parts: [Int]
  }

  private var parts: [Part] = []
  private var versions: [Version] = []
  /// The first attribute that two versions have differently.
  private var contradiction: AttributeHandle?

  init(of connections: [CapturedConnection]) {
    for (index, connection) in connections.enumerated() {
      let pieces = connection.piecesWithOneTable
      for (piece, found) in pieces.enumerated() {
        let name = pieces.count == 1 ? "\(index + 1)" : "\(index + 1) (part \(piece + 1))"
        parts.append(Part(connection: found.connection, name: name, findings: found.findings))
      }
    }
    for index in parts.indices where !parts[index].findings.isEmpty { add(index) }
    if versions.count > 1 { addPartsWithoutDiscovery() }
  }

  /// The links with the table that has most of the traffic; all links, as they were, if there is only one table.
  ///
  /// - Returns: with a sentence that says which links are left out.
  func choose(from connections: [CapturedConnection]) -> (connections: [CapturedConnection], remark: String?)
  {
    guard versions.count > 1, let contradiction else { return (connections, nil) }
    let traffic = parts.map { Conversation(connection: $0.connection).exchanges.count }
    let weights = versions.map { version in
      (version.parts.reduce(0) { $0 + traffic[$1] }, version.parts.count)
    }
    let most = versions.indices.max { weights[$0] < weights[$1] } ?? 0
    let left = versions.indices.filter { $0 != most }.flatMap { versions[$0].parts }.sorted()
    let kept = versions[most].parts.sorted()
    let remark =
      "The device has \(versions.count) attribute tables, which differ first at handle \(contradiction.hexadecimal(digits: 4)). "
      + "The definition has the one with most of the traffic, that of \(names(kept)), and leaves out \(names(left))."
    return (kept.map { parts[$0].connection }, remark)
  }

  /// `connections 1 and 3`
  private func names(_ indices: [Int]) -> String {
    let names = indices.map { parts[$0].name }
    guard let last = names.last, names.count > 1 else { return "connection \(names.first ?? "")" }
    return "connections \(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Adds a part to the version that it shares most with, the latest of several, or to a new one.
  private mutating func add(_ index: Int) {
    let found = parts[index].findings
    var best: (version: Int, alike: Int, last: Int)?
    for (number, version) in versions.enumerated() {
      if let handle = version.findings.contradiction(to: found) {
        contradiction = min(contradiction ?? handle, handle)
        continue
      }
      let rank = (version.findings.alike(found), version.parts.last ?? 0)
      if best.map({ ($0.alike, $0.last) < rank }) ?? true { best = (number, rank.0, rank.1) }
    }
    if let best {
      versions[best.version].findings.merge(found)
      versions[best.version].parts.append(index)
    } else {
      versions.append(Version(findings: found, parts: [index]))
    }
  }

  /// Adds the others to the version that has most of the handles that they use; of several, to that of the link before.
  private mutating func addPartsWithoutDiscovery() {
    let handles = versions.map(\.findings.handles)
    var previous = versions.indices.min { versions[$0].parts[0] < versions[$1].parts[0] } ?? 0
    let owners = Dictionary(
      versions.enumerated().flatMap { number, version in version.parts.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
    for index in parts.indices {
      if let owner = owners[index] {
        previous = owner
        continue
      }
      let used = Conversation(connection: parts[index].connection).exchanges.map(\.handle)
      let fits = handles.map { known in used.count { known.contains($0) } }
      if let most = fits.max(), fits[previous] < most { previous = fits.firstIndex(of: most) ?? previous }
      versions[previous].parts.append(index)
    }
  }
}

// MARK: A link on which the table changes

extension CapturedConnection {
  /// The link, cut where discovery finds another table than before.
  fileprivate var piecesWithOneTable: [(connection: CapturedConnection, findings: AttributeFindings)] {
    let transactions = transactions
    var pieces: [(connection: CapturedConnection, findings: AttributeFindings)] = []
    var (first, index) = (0, 0)
    var findings = AttributeFindings()
    /// The last Service Changed.
    var change: Int?
    while index < transactions.count {
      findings.take(transactions[index])
      if findings.isServiceChanged(transactions[index].pdu) { change = index }
      let start = change ?? transactions.beginningOfDiscovery(with: index)
      if findings.contradictsItself, start > first {
        let known = transactions[first..<start].reduce(into: AttributeFindings()) { $0.take($1) }
        pieces.append((part(transactions[first].event..<transactions[start].event), known))
        (findings, first, change, index) = (AttributeFindings(), start, nil, start)
      } else {
        findings.contradictsItself = false
        index += 1
      }
    }
    if pieces.isEmpty { return [(self, findings)] }
    return pieces + [(part(transactions[first].event..<events.count), findings)]
  }

  /// A part of the link. What holds for the whole link is in each part: the MTU, and whether it is encrypted.
  private func part(_ range: Range<Int>) -> CapturedConnection {
    let begins = events[..<range.lowerBound].allSatisfy {
      if case .attribute = $0.kind { $0.isOfWholeLink } else { true }
    }
    var part = CapturedConnection(central: central, start: begins ? start : nil)
    part.end = range.upperBound == events.count ? end : nil
    part.events =
      begins
      ? Array(events[..<range.upperBound])
      : events[..<range.lowerBound].filter(\.isOfWholeLink) + events[range]
    return part
  }
}

extension CapturedEvent {
  fileprivate var isOfWholeLink: Bool {
    switch kind {
    case .attribute(let bytes, _): [0x02, 0x03].contains(bytes.first)
    case .encryption: true
    default: false
    }
  }
}

extension [AttributeTransaction] {
  /// The first of the requests of discovery up to this one.
  fileprivate func beginningOfDiscovery(with index: Int) -> Int {
    var first = index
    while first > 0, self[first - 1].isDiscovery { first -= 1 }
    return first
  }
}

extension AttributeTransaction {
  fileprivate var isDiscovery: Bool {
    switch pdu {
    case .readByGroupTypeRequest, .findByTypeValueRequest, .findInformationRequest, .exchangeMTURequest: true
    case .readByTypeRequest(_, let type): type.isDeclaration
    default: false
    }
  }
}
