import Bluetooth
import DeviceModel
import Framing

/// The names that an expression may use at its place, with their meanings.
package struct NameScope: Sendable {
  struct Binding: Sendable {
    var type: ValueType
    var expression: Expression
  }

  /// What the `reason` of an event may be.
  struct Reasons {
    /// Whether it says why a link has ended, which not every transport knows.
    var isOfDisconnection = false
    /// Besides those of HCI.
    var furtherNames: [String] = []
    /// nil: one of HCI.
    var ownExample: String?

    var example: String { ownExample ?? HCIError.supervisionTimeout.name }

    var names: [String] {
      HCIError.allNames + furtherNames + (isOfDisconnection ? [KnownValue.unknownReason] : [])
    }

    /// - Parameter name: also the code of an error without a name.
    func contain(_ name: String) -> Bool { HCIError(named: name) != nil || names.contains(name) }
  }

  /// By name: those of the whole definition, and over them those of a rule, which would otherwise copy all.
  struct Bindings: Sendable {
    private var common: [String: Binding] = [:]
    /// nil: the name has no meaning there.
    private var own: [String: Binding?] = [:]
    private var isOfRule = false

    subscript(name: String) -> Binding? {
      get { own.isEmpty ? common[name] : own[name] ?? common[name] }
      set { if isOfRule { own[name] = .some(newValue) } else { common[name] = newValue } }
    }

    var names: [String] {
      common.keys.filter { own[$0] == nil } + own.filter { $0.value != nil }.map(\.key)
    }

    /// Those of the whole definition, without those of a rule.
    var ofDefinition: Self {
      var bindings = Self()
      bindings.common = common
      return bindings
    }

    var commonCount: Int { common.count }

    /// The same meanings, which those of a rule may hide.
    func ofRule() -> Self {
      var bindings = self
      bindings.isOfRule = true
      return bindings
    }
  }

  var values = Bindings()
  /// The functions of the definition, by name.
  var functions: [String: DefinedFunction] = [:]
  /// Functions with a mistake, which is reported at them.
  var brokenFunctions: Set<String> = []
  private(set) var tables: [String: (index: Int, table: DataTable)] = [:]
  /// The characteristics that can have subscribers, by id.
  private(set) var notifying: [String: Int] = [:]
  /// The attributes that have handles, by the id of the characteristic or, of a descriptor, `ID/UUID`.
  private(set) var attributes: [String: HandleOwner] = [:]
  /// The PSMs of the channels, by id.
  var channelPSMs: [String: Int64] = [:]
  /// The values of `state`.
  var states: [String] = []
  /// Whether a mistake that has been reported may hide states, or attributes.
  var lacksStates = false
  var lacksAttributes = false
  /// The values of `origin`.
  var origins: [String] = []
  /// The values of `reason`.
  private(set) var reasons = Reasons()
  /// Whether there is a central here that variables can belong to.
  var hasCentral = false
  /// Whether the device has just started, so that no central is connected yet.
  var isStart = false
  /// The variables of which each central has its own.
  private var perCentral: Set<Rule.Slot> = []
  /// Fields that only some messages of a rule have, and why the rule cannot use them.
  private(set) var partialFields: [String: Mistake] = [:]
  /// The fields of the received message.
  private var fields: [MessageTemplate.Field] = []

  /// The field of the received message with this name, unless another meaning hides it.
  func field(named name: String) -> MessageTemplate.Field? {
    guard case .field? = values[name]?.expression else { return nil }
    return fields.first { $0.name == name }
  }

  let record: NameRecord

  /// Names whose own definition is wrong. An expression that uses one cannot be checked, and is not reported again.
  private var broken: Set<String> = []
  /// Whether a mistake that has been reported hides names here, so that an unknown name follows from it.
  var isIncomplete = false

  /// The messages of the definition, and those that a mistake hides.
  var messages: [String: MessageTemplate] = [:]
  var brokenMessages: Set<String> = []

  func isBroken(message: String) -> Bool { brokenMessages.contains(message) }

  /// The checksums of the definition.
  var checksums: [Checksum] = []
  /// What its expressions are for, if they may not use the names of the definition.
  var purpose: Purpose?

  enum Purpose { case checksum, frameCheck }

  /// The names that every expression may use.
  package init() {
    record = NameRecord()
    for known in KnownValue.everywhere { add(known) }
  }

  /// These names alone.
  init(of known: [KnownValue], _ record: NameRecord) {
    self.record = record
    for known in known { add(known) }
  }

  private mutating func add(_ known: KnownValue) {
    values[known.rawValue] = Binding(type: known.type, expression: .known(known))
  }

  /// The names of the settings, in order.
  private(set) var settingNames: [String] = []

  mutating func addSetting(_ name: String, index: Int, type: ValueType) {
    settingNames.append(name)
    values[name] = Binding(type: type, expression: .setting(index))
  }

  mutating func addVariable(_ name: String, index: Int, type: ValueType, isPerCentral: Bool = false) {
    values[name] = Binding(type: type, expression: .variable(index))
    if isPerCentral { perCentral.insert(.variable(index)) }
  }

  /// Why a named expression cannot be used here, where there is no central; nil: it can.
  func lackOfCentral(for expression: Expression, _ name: String) -> Mistake? {
    let readsLink = expression.readsLink
    if isStart, readsLink { return .noLink(name) }
    if hasCentral || (!readsLink && perCentral.isEmpty) { return nil }
    return readsLink || !perCentral.isDisjoint(with: expression.slots) ? .noCentral(name) : nil
  }

  mutating func addValue(_ name: String, _ expression: Expression, type: ValueType) {
    values[name] = Binding(type: type, expression: expression)
  }

  mutating func addGenerator(_ name: String, index: Int, type: ValueType) {
    values[name] = Binding(type: type, expression: .generator(index))
  }

  /// Resolves a name, and marks it as used.
  func use(_ name: String) -> Binding? {
    guard let binding = values[name] else { return nil }
    switch binding.expression {
    case .variable(let index): record.note(variable: index)
    case .known(.reason): if reasons.isOfDisconnection { record.note(.reason) }
    case .known(let known) where KnownValue.ofLink.contains(known):
      record.note(linkValue: known)
      if known == .longTermKey { record.note(.longTermKey) }
    default: break
    }
    return binding
  }

  /// The kind of part that has this name, with an article: "a setting".
  func owner(of name: String) -> String? {
    if let known = KnownValue(rawValue: name), !known.canBeHidden { return "the language" }
    if Self.words.contains(name) { return "the language" }
    if tables[name] != nil { return "a data table" }
    return switch values[name]?.expression {
    case .setting: "a setting"
    case .variable: "a variable"
    case .generator: "a generator"
    default: nil
    }
  }

  /// The scope of a function's body: the names of the definition, and its parameters.
  func ofFunction(_ function: DefinedFunction, _ types: [ValueType]) -> NameScope {
    var scope = self
    scope.values = values.ofDefinition.ofRule()
    (scope.partialFields, scope.fields, scope.reasons) = ([:], [], Reasons())
    (scope.hasCentral, scope.isStart, scope.isIncomplete) = (true, false, false)
    for (index, (name, type)) in zip(function.parameters, types).enumerated() {
      scope.values[name] = Binding(type: type, expression: .argument(index, type))
    }
    return scope
  }

  /// The reserved words of expressions.
  static let words: Set<String> = ["true", "false", "and", "or", "not"]

  mutating func addNotifying(_ id: String, index: Int) { notifying[id] = index }

  mutating func addAttribute(_ name: String, _ owner: HandleOwner) { attributes[name] = owner }

  mutating func addTable(_ table: DataTable, index: Int) {
    tables[table.name] = (index, table)
  }

  mutating func addBroken(_ name: String) { broken.insert(name) }

  /// Whether a mistake at this name follows from a reported one.
  func isBroken(_ name: String) -> Bool {
    values[name] == nil && tables[name] == nil && (isIncomplete || broken.contains(name))
  }

  /// The scope in which a received message's fields hide other names.
  ///
  /// - Parameter partial: the fields that the rule cannot use, and why. They also hide other names.
  func adding(
    fields: [MessageTemplate.Field], partial: [String: Mistake] = [:]
  ) -> NameScope {
    var scope = self
    scope.values = values.ofRule()
    scope.partialFields = partial
    for name in partial.keys { scope.values[name] = nil }
    scope.fields = fields
    for (index, field) in fields.enumerated() {
      scope.values[field.name] = Binding(type: field.valueType, expression: .field(index))
    }
    return scope
  }

  /// The names that a field of the received message may have as its value; nil if it may have any value.
  func numberNames(of field: Expression) -> [String]? {
    self.field(of: field)?.encoding?.namedNumbers?.names
  }

  private func field(of expression: Expression) -> MessageTemplate.Field? {
    switch expression {
    case .field(let index): fields[index]
    case .groupCell(let group, _, let column, _): field(of: group)?.columns[column]
    default: nil
    }
  }

  /// The scope of a rule that has these values as well, unless the definition hides them.
  func adding(_ known: [KnownValue], _ reasons: Reasons = Reasons()) -> NameScope {
    var scope = self
    scope.values = values.ofRule()
    scope.reasons = reasons
    for known in known where values[known.rawValue] == nil && !broken.contains(known.rawValue) {
      scope.add(known)
    }
    return scope
  }

  /// The scope of a rule for an event that is about one of these; `origin` is its name.
  func adding(origins: [String]) -> NameScope {
    var scope = adding([.origin], reasons)
    scope.origins = origins
    if origins.count == 1 {
      scope.values[KnownValue.origin.rawValue] = Binding(
        type: .text, expression: .constant(.text(origins[0])))
    }
    return scope
  }

  /// The scope of a text that decides about this value, and so cannot use it.
  func without(_ known: KnownValue) -> NameScope {
    var scope = self
    scope.values = values.ofRule()
    scope.values[known.rawValue] = nil
    return scope
  }

  /// The scope inside a `repeat` with an index of this name, or inside shared actions with this parameter; by its index in
  /// ``Rule/locals``.
  func adding(local index: Int, name: String, type: ValueType) -> NameScope {
    var scope = self
    scope.values = values.ofRule()
    scope.partialFields[name] = nil
    scope.values[name] = Binding(type: type, expression: .local(index, type))
    return scope
  }

  /// Whether a word is the name of anything here, including an attribute or a column.
  func isName(_ word: String) -> Bool {
    values[word] != nil || functions[word] != nil || checksums.contains { $0.name == word }
      || tables[word] != nil
      || partialFields[word] != nil || broken.contains(word)
      || notifying[word] != nil || channelPSMs[word] != nil || attributes[word] != nil
      || fields.contains { $0.hasColumn(word) }
      || tables.values.contains { $0.table.columns.contains { $0.name == word } }
  }

  var names: [String] { (values.names + tables.keys).sorted() }
}

extension MessageTemplate.Field {
  fileprivate func hasColumn(_ name: String) -> Bool {
    columns.contains { $0.name == name || $0.hasColumn(name) }
  }
}
