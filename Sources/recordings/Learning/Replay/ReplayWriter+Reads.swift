import Bluetooth
import DeviceModel

/// What reads of one attribute gave.
struct RecordedReads {
  private struct Read {
    var result: Exchange.Outcome<[UInt8]>
    /// In the recorded history.
    var place: Int
    var conversation: Int
  }

  private var reads: [Read] = []
  private var stored: [UInt8]?
  /// Whether each value is the one that was written or sent last or, before that, the first: the device has it by itself.
  private var isStored = true

  /// The results, each once.
  var results: [Exchange.Outcome<[UInt8]>] { reads.map(\.result).distinct }

  mutating func add(_ exchange: Exchange, at place: Int, in conversation: Int) {
    switch exchange.kind {
    case .write(let value, _, .success), .write(let value, .command, _), .value(let value, _): stored = value
    case .write: break
    case .read(let result):
      guard result != .unknown else { return }
      if case .success(let value) = result {
        isStored = isStored && (stored == nil || stored == value)
        stored = value
      } else {
        isStored = false
      }
      reads.append(Read(result: result, place: place, conversation: conversation))
    }
  }

  /// Whether the attribute needs rules.
  var needsRules: Bool { !isStored && (results.count > 1 || error != nil) }

  /// The error of all reads.
  var error: ATTError? { if results.count == 1, case .refused(let error) = results[0] { error } else { nil } }

  /// The result at each place of the history, by its number from 1 on; nil: the history does not determine it.
  var byPlace: [Int: Int]? {
    var places: [Int: Int] = [:]
    for read in reads {
      guard let number = results.firstIndex(of: read.result).map({ $0 + 1 }),
        places.updateValue(number, forKey: read.place).map({ $0 == number }) != false
      else { return nil }
    }
    return places
  }

  /// The results one after the other. Where all connections begin alike, those of the longest one.
  var inOrder: (results: [Exchange.Outcome<[UInt8]>], isPerCentral: Bool) {
    let connections = Dictionary(grouping: reads, by: \.conversation).values.map { $0.map(\.result) }
    let longest = connections.max { $0.count < $1.count } ?? []
    let isPerCentral = connections.count > 1 && connections.allSatisfy { longest.starts(with: $0) }
    return isPerCentral ? (longest, true) : (reads.map(\.result), false)
  }
}

// Attributes that were read with several results, or refused.
extension ReplayWriter {
  mutating func addReads(_ conversations: [Conversation], except explained: Set<AttributeHandle>) {
    var (order, reads): ([AttributeHandle], [AttributeHandle: RecordedReads]) = ([], [:])
    for (index, conversation) in conversations.enumerated() {
      for (number, exchange) in conversation.exchanges.enumerated() {
        if case .read(.refused(let error)) = exchange.kind, Self.impliedErrors.contains(error) { continue }
        if reads[exchange.handle] == nil { order.append(exchange.handle) }
        reads[exchange.handle, default: .init()].add(
          exchange, at: history.place(after: number, in: index), in: index)
      }
    }
    for handle in order {
      guard let reads = reads[handle], reads.needsRules, let found = table.characteristic(of: handle),
        !explained.contains(handle) || !found.sendsValues, let attribute = attribute(handle, of: found)
      else { continue }
      add(reads, of: attribute, table.name(of: handle).replacing("/", by: "-"))
    }
  }

  /// The attribute, if rules may answer reads of it.
  private func attribute(
    _ handle: AttributeHandle, of found: ObservedTable.Characteristic
  ) -> AttributeReference? {
    guard !found.isServersOwn, let index = definition.characteristic(table.id(of: found)) else { return nil }
    let characteristic = definition.device.characteristics[index]
    guard let descriptor = table.descriptor(at: handle) else {
      return found.valueHandle == handle && characteristic.canBeRead ? .characteristic(index) : nil
    }
    return characteristic.descriptors.firstIndex { $0.uuid == descriptor.uuid }.map {
      .descriptor($0, of: index)
    }
  }

  private mutating func add(_ reads: RecordedReads, of attribute: AttributeReference, _ id: String) {
    if let error = reads.error {
      definition.device.rules.append(Rule(on: .read(attribute), [.refuse(error)]))
      return
    }
    let places = history.isUsable ? reads.byPlace : nil
    let (results, isPerCentral) = places == nil ? reads.inOrder : (reads.results, false)
    let (read, step) = (names.unique("read-\(id)"), names.unique("step-read-\(id)"))
    let variable = definition.addVariable(step, isPerCentral: isPerCentral)
    var next = Expression.call(.min, [.variable(variable) + 1, .number(results.count)])
    if let places { next = definition.add(places, as: names.unique("places-read-\(id)")).or(next) }
    let errors = results.compactMap(\.error).distinct
    var columns = [DataTable.Column(name: "step", type: .integer), .init(name: "value", type: .bytes)]
    if !errors.isEmpty { columns.append(.init(name: "refusal", type: .text)) }
    let table = definition.addTable(
      read, columns,
      rows: results.enumerated().map { index, result in
        [.integer(Int64(index + 1)), .bytes(result.value)]
          + (errors.isEmpty ? [] : [.text(result.error?.name ?? "")])
      })
    let cell = { Expression.cell(table: table, key: [.variable(variable)], column: $0) }
    definition.device.rules.append(
      Rule(
        on: .read(attribute),
        [.init(set(variable, next), if: .binary(.equal, .known(.offset), .number(0)))]
          + errors.map { .init(.refuse($0), if: .binary(.equal, cell(2), .text($0.name))) }
          + [.init(.respond(.template(ValueTemplate(learnt: "{\(read)[\(step)].value}", cell(1)))))]))
  }
}

extension Exchange.Outcome<[UInt8]> {
  fileprivate var value: [UInt8] { if case .success(let value) = self { value } else { [] } }
  fileprivate var error: ATTError? { if case .refused(let error) = self { error } else { nil } }
}
