import DeviceModel
import Framing

extension NameScope {
  private static let mostParameters = 16
  /// The greatest depth to which functions use one another.
  private static let mostDepth = 16

  /// Reads the functions. Their types are checked at each use, their names here.
  ///
  /// - Parameter declared: the names that they may use, each with its kind of part.
  mutating func declareFunctions(
    _ entries: [Entry<Scalar>], declared: [String: String], log: DiagnosticLog
  ) -> [NamedFunction] {
    let section = Language.Definition.outline.keys.functions
    brokenFunctions = Set(
      log.gaps.names(hiddenIn: section, except: entries.map { $0.key }).map(Signature.name))
    var found: [NamedFunction] = []
    var uses: [String: [String]] = [:]
    let all = Set(entries.map { Signature.name(in: $0.key.text) })
    for entry in entries {
      let name = Signature.name(in: entry.key.text)
      guard let signature = Signature(entry.key.text), isPossible(signature, at: entry.key, declared, log),
        !found.contains(where: { $0.name == name }) || isSecond(name, at: entry.key, log),
        let used = functions(usedBy: entry.value, signature, among: all, declared, log)
      else {
        brokenFunctions.insert(name)
        continue
      }
      uses[name] = used
      found.append(
        NamedFunction(name: name, parameters: signature.parameters ?? [], source: entry.value.text))
    }
    var order = CallOrder(uses: uses, most: Self.mostDepth)
    for entry in entries {
      let name = Signature.name(in: entry.key.text)
      guard uses[name] != nil, let problem = order.problem(of: name) else { continue }
      log.error(problem, at: entry.key.range)
    }
    brokenFunctions.formUnion(order.wrong)
    for (index, function) in found.enumerated() where !brokenFunctions.contains(function.name) {
      functions[function.name] = DefinedFunction(
        index: index, name: function.name, parameters: function.parameters, text: function.source)
    }
    return found
  }

  private func isSecond(_ name: String, at key: Scalar, _ log: DiagnosticLog) -> Bool {
    log.error(.second(name), at: key.range)
    return false
  }

  /// Whether a function can have this name and these parameters.
  private func isPossible(
    _ signature: Signature, at key: Scalar, _ declared: [String: String], _ log: DiagnosticLog
  ) -> Bool {
    let name = signature.name
    guard let parameters = signature.parameters, !parameters.isEmpty else {
      log.error(.functionWithoutParameters(name), at: key.range)
      return false
    }
    if Self.words.contains(name) || ExpressionChecker.functionNames.contains(name)
      || Expression.SettingQuestion(rawValue: name) != nil || FieldEncoding.number(named: name) != nil
    {
      log.error(.taken(name, by: "the language"), at: key.range)
      return false
    }
    if checksums.contains(where: { $0.name == name }) {
      log.error(.taken(name, by: "a checksum"), at: key.range)
      return false
    }
    return checkParameters(of: signature, isFunction: true, declared, at: key, log)
  }

  /// Whether the parameters have names of their own: they hide nothing but the values of events.
  @discardableResult
  func checkParameters(
    of signature: Signature, isFunction: Bool = false, _ declared: [String: String] = [:], at key: Scalar,
    _ log: DiagnosticLog
  ) -> Bool {
    let parameters = signature.parameters ?? []
    for (index, parameter) in parameters.enumerated() {
      let owner = owner(of: parameter, isFunction: isFunction, declared)
      if parameters[..<index].contains(parameter) {
        log.error(.second(parameter), at: key.range)
        return false
      }
      if let owner {
        log.error(.takenParameter(parameter, by: owner), at: key.range)
        return false
      }
    }
    if parameters.count > Self.mostParameters {
      log.error(.tooManyParameters(parameters.count, most: Self.mostParameters), at: key.range)
      return false
    }
    return true
  }

  private func owner(of parameter: String, isFunction: Bool, _ declared: [String: String]) -> String? {
    if let known = KnownValue(rawValue: parameter) {
      let isEverywhere = KnownValue.everywhere.contains(known)
      return isEverywhere || !(isFunction || known.canBeHidden) ? "the language" : nil
    }
    return owner(of: parameter) ?? declared[parameter] ?? (values[parameter] == nil ? nil : "a value")
  }

  /// The functions of the definition that a function uses; nil: its text is wrong.
  private func functions(
    usedBy text: Scalar, _ signature: Signature, among all: Set<String>, _ declared: [String: String],
    _ log: DiagnosticLog
  ) -> [String]? {
    let parameters = Set(signature.parameters ?? [])
    let isName = { word in
      self.isName(word) || parameters.contains(word) || declared[word] != nil || all.contains(word)
    }
    return log.read(text) { text throws(TextError) in
      let syntax = try ExpressionParser.parse(text, isName: isName)
      try checkNames(in: syntax, parameters.union(declared.keys))
      return syntax.calls.filter(all.contains)
    }
  }

  private func checkNames(in syntax: ExpressionSyntax, _ known: Set<String>) throws(TextError) {
    switch syntax.kind {
    case .name(let name):
      if known.contains(name) || values[name] != nil || isBroken(name) || DecimalWord.names[name] != nil {
        return
      }
      throw TextError(.unknownNameInFunction(name, known: known.sorted() + names), syntax.range)
    case .call("subscribed", _), .call("handle", _), .call("psm", _): return
    case .call("bytes-of", let arguments):
      for value in arguments.dropFirst() { try checkNames(in: value, known) }
    default: for operand in syntax.kind.operands { try checkNames(in: operand, known) }
    }
  }
}

/// The functions that functions use.
private struct CallOrder {
  let uses: [String: [String]]
  let most: Int
  /// The functions that use one another in a circle, or too deep.
  private(set) var wrong: Set<String> = []
  private var depths: [String: Int] = [:]
  private var path: [String] = []

  init(uses: [String: [String]], most: Int) {
    (self.uses, self.most) = (uses.mapValues { Array(Set($0)).sorted() }, most)
  }

  /// Why a function cannot be used; nil: it can, or the reason is reported at another one.
  mutating func problem(of name: String) -> Mistake? {
    if depths[name] != nil { return nil }
    if let start = path.firstIndex(of: name) {
      wrong.formUnion(path[start...])
      return .callsItself(path[start...] + [name])
    }
    path.append(name)
    defer { path.removeLast() }
    var (problem, depth) = (nil as Mistake?, 1)
    for used in uses[name] ?? [] {
      problem = problem ?? self.problem(of: used)
      depth = max(depth, 1 + (depths[used] ?? 0))
    }
    depths[name] = depth
    if problem == nil, depth > most {
      wrong.insert(name)
      depths[name] = 0
      problem = .functionsTooDeep(most: most)
    }
    return problem
  }
}

extension ExpressionSyntax {
  /// The functions that it uses, in order.
  var calls: [String] {
    let own: [String] =
      switch kind {
      case .call(let name, _), .member(_, let name, _): [name]
      default: []
      }
    return own + kind.operands.flatMap(\.calls)
  }
}
