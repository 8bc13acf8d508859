extension Model {
  /// Names what the device sends by its part in the conversation: the only answer to `request-97` is `answer-97`, one of
  /// several to it `answer-97-03`, an answer to several requests `answer-03`, and what comes without a request `report-03`.
  /// Here `03` is the kind of the message itself.
  mutating func nameSentMessages() {
    let sent = sentMessages
    let others = streams.flatMap { $0.messages.map(\.name) }
    var names = ModelNames(taken: Set(others).subtracting(sent.map { self[$0].name }))
    for stream in streams.indices {
      for index in streams[stream].messages.indices where streams[stream].messages[index].name.count > 24 {
        streams[stream].messages[index].name = names.unique(streams[stream].messages[index].name)
      }
    }
    for (id, name) in sent.map({ ($0, plainName(of: $0)) }) {
      streams[id.stream].messages[id.message].name = names.unique(name)
    }
  }

  private func plainName(of id: MessageID) -> String {
    guard let kind = self[id].name.kind else { return self[id].name }
    let requests = self.requests(before: id)
    guard let request = requests.first else { return "report-\(kind)" }
    guard requests.count == 1, let asked = self[request].name.kind else { return "answer-\(kind)" }
    let isOnly = sentMessages.allSatisfy { $0 == id || self.requests(before: $0) != [request] }
    return isOnly || kind == asked ? "answer-\(asked)" : "answer-\(asked)-\(kind)"
  }

  /// The requests that a message answers.
  private func requests(before id: MessageID) -> [MessageID] {
    reactions.compactMap { reaction in
      guard case .request(let request) = reaction.cause, reaction.steps.contains(where: { $0.message == id })
      else { return nil }
      return request
    }
  }
}

extension String {
  /// What follows the first word of a message's name: `97` of `request-97`.
  var kind: Substring? {
    firstIndex(of: "-").map { self[index(after: $0)...] }
  }
}

/// Names that a definition has not used yet.
struct ModelNames: Hashable, Sendable {
  private var taken: Set<String>

  init(taken: Set<String>) { self.taken = taken }

  /// The longest name that a person likes to read.
  private static let longest = 24

  /// The name; if it is taken, with `prefix` before it or `suffix` after it, then with a number after it. A longer one is cut.
  mutating func unique(_ name: String, prefix: String? = nil, suffix: String? = nil) -> String {
    let name = Self.short(name, Self.longest)
    var (chosen, number) = (name, 2)
    if let prefix, taken.contains(name) { chosen = Self.short("\(prefix)-\(name)", Self.longest) }
    if let suffix, taken.contains(name) { chosen = Self.short("\(name)-\(suffix)", Self.longest) }
    while !taken.insert(chosen).inserted {
      let end = "-\(number)"
      chosen = Self.short(name, Self.longest - end.count) + end
      number += 1
    }
    return chosen
  }

  /// The beginning of a name that is longer, without the rest of a word.
  private static func short(_ name: String, _ most: Int) -> String {
    guard name.count > most else { return name }
    let cut = name.prefix(most)
    if name.dropFirst(most).first == "-" { return String(cut) }
    let word = cut.lastIndex(of: "-").map { cut[..<$0] } ?? cut
    return String(word.count * 2 >= most ? word : cut).trimmingEnd
  }
}

extension String {
  /// Without hyphens at the end.
  fileprivate var trimmingEnd: String { String(reversed().drop { $0 == "-" }.reversed()) }
}
