import Framing

// Requests of kinds that were never recorded.
extension Model {
  /// Kinds of requests that begin alike and differ in one byte, which their answers echo.
  private struct Family {
    /// What the requests begin with, before the byte.
    var start: [UInt8]
    /// The index of the byte in the answers.
    var echo: Int
    var reactions: [Reaction]
  }

  private static let furthest = 8
  /// Fewer kinds may echo a byte by chance.
  private static let fewestKinds = 3

  /// Adds a kind for all other requests of each family. Its answer is the most common of the family, with the byte of the request.
  mutating func addUnknownKinds() {
    for stream in explainedRequests.sorted() {
      var taken: Set<Cause> = []
      for place in 0..<Self.furthest {
        for family in families(of: stream, at: place, except: taken) {
          taken.formUnion(family.reactions.map(\.cause))
          add(family, of: stream)
        }
      }
    }
  }

  private func families(of stream: Int, at place: Int, except taken: Set<Cause>) -> [Family] {
    let own = reactions.filter { reaction in
      guard case .request(let id) = reaction.cause, id.stream == stream else { return false }
      return reaction.steps.count == 1 && !taken.contains(reaction.cause)
        && constants(of: reaction.cause, upTo: place + 1).count == place + 1
    }
    let groups = Dictionary(grouping: own) { constants(of: $0.cause, upTo: place) }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { start, all in
      guard Set(all.map { constants(of: $0.cause, upTo: place + 1)[place] }).count >= Self.fewestKinds
      else { return nil }
      for echo in 0..<Self.furthest {
        let agreeing = all.filter { reaction in
          let byte = constants(of: reaction.cause, upTo: place + 1)[place]
          return frames(of: reaction.steps[0].message).allSatisfy { $0.count > echo && $0[echo] == byte }
        }
        let kinds = Set(agreeing.map { constants(of: $0.cause, upTo: place + 1)[place] })
        if kinds.count >= Self.fewestKinds, agreeing.count * 4 >= all.count * 3 {
          return Family(start: start, echo: echo, reactions: agreeing)
        }
      }
      return nil
    }
  }

  /// The first bytes of all requests of a kind, as far as they are the same.
  private func constants(of cause: Cause, upTo count: Int) -> [UInt8] {
    guard case .request(let id) = cause else { return [] }
    return frames(of: id).commonStart(atMost: count)
  }

  private mutating func add(_ family: Family, of stream: Int) {
    // The most common size of an answer, and the kinds that have it.
    let sized = Dictionary(grouping: family.reactions) { frames(of: $0.steps[0].message)[0].count }
    guard
      let alike = sized.sorted(by: { $0.key < $1.key }).max(by: { $0.value.count < $1.value.count })?.value,
      alike.count >= Self.fewestKinds, case .request(let example) = alike[0].cause,
      let request = unknownRequest(family, of: stream),
      let answer = unknownAnswer(family, alike.map { $0.steps[0].message })
    else { return }
    let target = alike[0].steps[0].message.stream
    streams[stream].messages.append(request)
    streams[target].messages.append(answer)
    let id = MessageID(stream: stream, message: streams[stream].messages.count - 1)
    var step = Reaction.Step(
      message: MessageID(stream: target, message: streams[target].messages.count - 1),
      delay: alike.map { $0.steps[0].delay }.median ?? .zero)
    step.cases = alike.flatMap { $0.steps[0].cases }
    reactions.append(
      Reaction(cause: .request(id), steps: [step], agreeing: step.cases.count, cases: step.cases.count))
    examples[id] = example
  }

  /// `DD A5 {kind: u8} {rest: bytes(4)}`
  private func unknownRequest(_ family: Family, of stream: Int) -> LearntMessage? {
    let ids = family.reactions.compactMap { reaction -> MessageID? in
      if case .request(let id) = reaction.cause { id } else { nil }
    }
    let sizes = Set(ids.flatMap { frames(of: $0).map(\.count) })
    let place = family.start.count
    guard let least = sizes.min(), least > place, sizes.count == 1 || least > place + 1 else { return nil }
    var parts: [LearntMessage.Part] = family.start.isEmpty ? [] : [.constant(family.start)]
    parts.append(.field(LearntField("kind", width: 1, .bytes)))
    if least > place + 1 {
      parts.append(.field(LearntField("rest", width: sizes.count == 1 ? least - place - 1 : nil, .bytes)))
    }
    let start = HexText.format(Array(family.start.suffix(1)))
    var names = ModelNames(taken: Set(streams[stream].messages.map(\.name)))
    return LearntMessage(
      names.unique(start.isEmpty ? "request-any" : "request-\(start)-any"), parts,
      frames: ids.flatMap { self[$0].frames })
  }

  /// The first of some messages of one size, with fields for the bytes in which they differ.
  private func unknownAnswer(_ family: Family, _ ids: [MessageID]) -> LearntMessage? {
    let frames = ids.flatMap(self.frames)
    guard let first = frames.first, frames.allSatisfy({ $0.count == first.count }),
      ids.allSatisfy({ $0.stream == ids[0].stream })
    else { return nil }
    var message = self[ids[0]]
    message.name = "value-any"
    message.frames = ids.flatMap { self[$0].frames }
    message.openDifferences(of: frames, kind: family.echo)
    return message.fixedFields.contains { $0.offset == family.echo && $0.field.name == "kind" }
      ? message : nil
  }
}
