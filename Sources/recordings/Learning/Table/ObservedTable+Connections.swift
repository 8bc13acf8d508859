import Bluetooth
import Captures

extension ObservedTable {
  /// The table that the links of one device tell of together: what discovery found, and the values that were read.
  ///
  /// - Parameter supposes: whether attributes that were used or found without a declaration get one.
  package init(connections: [CapturedConnection], supposes: Bool = false) {
    var findings = AttributeFindings()
    let conversations = connections.map { connection in
      let transactions = connection.transactions
      for transaction in transactions { findings.take(transaction) }
      return Conversation(connection, transactions)
    }
    let exchanges = conversations.flatMap(\.exchanges)
    findings.addIncludedServices()
    findings.addConfigurations(writtenIn: exchanges)
    if supposes { findings.suppose(of: exchanges) }
    self.init(findings)
    add(exchanges, findings)
    for conversation in conversations where conversation.start != nil && conversation.encrypted == nil {
      noteUnasked(in: conversation)
    }
  }

  /// Notes which characteristics send values to a central that has not configured them on its link.
  private mutating func noteUnasked(in conversation: Conversation) {
    var (configured, unasked): (Set<AttributeHandle>, Set<AttributeHandle>) = ([], [])
    for exchange in conversation.exchanges {
      switch exchange.kind {
      case .value where !configured.contains(exchange.handle): unasked.insert(exchange.handle)
      case .write where descriptor(at: exchange.handle)?.uuid == 0x2902:
        characteristic(of: exchange.handle)?.valueHandle.map { _ = configured.insert($0) }
      default: break
      }
    }
    for service in services.indices {
      for index in services[service].characteristics.indices {
        guard let handle = services[service].characteristics[index].valueHandle, unasked.contains(handle)
        else { continue }
        services[service].characteristics[index].ignoresSubscriptions = true
      }
    }
  }

  private init(_ findings: AttributeFindings) {
    let starts = findings.services.keys.sorted()
    for (index, start) in starts.enumerated() {
      guard let found = findings.services[start] else { continue }
      let next = index + 1 < starts.count ? Int(starts[index + 1]) : 0x1_0000
      var service = Service(found.uuid)
      service.isPrimary = found.isPrimary
      service.handle = start
      service.endHandle = found.end.map { min($0, AttributeHandle(clamping: next - 1)) }
      service.isSupposed = found.isSupposed
      let end = min(found.end.map(Int.init) ?? next - 1, next - 1)
      service.add(findings, in: Int(start)...max(Int(start), end))
      services.append(service)
    }
  }

  /// Notes what was read and written, and which attributes were used without a declaration.
  private mutating func add(_ exchanges: [Exchange], _ findings: AttributeFindings) {
    var observed: [AttributeHandle: ObservedValue] = [:]
    for handle in findings.prepared { observed[handle, default: .init()].acceptsWrites = true }
    for exchange in exchanges where !exchange.findsNoAttribute {
      observed[exchange.handle, default: .init()].add(exchange)
    }
    let guesses = findings.guesses.intersection(observed.keys)
    for service in services.indices {
      for index in services[service].characteristics.indices {
        services[service].characteristics[index].take(&observed)
      }
      for handle in [services[service].handle] + services[service].includes.map(\.handle) {
        handle.map { observed[$0] = nil }
      }
    }
    undeclared = guesses.union(observed.keys).sorted()
  }
}

extension Exchange {
  /// Whether the device answered that it has no attribute with the handle.
  var findsNoAttribute: Bool {
    switch kind {
    case .read(.refused(.invalidHandle)), .write(_, _, .refused(.invalidHandle)): true
    default: false
    }
  }
}

extension ObservedValue {
  fileprivate mutating func add(_ exchange: Exchange) {
    switch exchange.kind {
    case .read(.success(let value)): readings.append(.init(.success(value), at: exchange.time))
    case .read(.refused(let error)):
      readings.append(.init(.refused(error), at: exchange.time))
      if exchange.isEncrypted { isUnreadableEncrypted = isUnreadableEncrypted || error.isForWantOfSecurity }
    case .write(_, _, .success): isWritten = true
    case .write(_, _, .refused(let error)):
      refusedWrites.append(.init(error, at: exchange.time))
      if exchange.isEncrypted { isUnwritableEncrypted = isUnwritableEncrypted || error.isForWantOfSecurity }
    case .value(_, .notification): isNotified = true
    default: break
    }
  }
}

extension ObservedTable.Service {
  fileprivate mutating func add(_ findings: AttributeFindings, in range: ClosedRange<Int>) {
    let members = range.dropFirst().compactMap { AttributeHandle(exactly: $0) }
    includes = members.compactMap { handle in
      findings.includes[handle].map { .init(handle: handle, service: $0.service, uuid: $0.uuid) }
    }
    let declarations = members.filter { findings.characteristics[$0] != nil }
    for (index, declaration) in declarations.enumerated() {
      guard let found = findings.characteristics[declaration] else { continue }
      var characteristic = ObservedTable.Characteristic(found.uuid)
      characteristic.handle = declaration
      characteristic.valueHandle = found.valueHandle
      characteristic.properties = found.properties
      characteristic.isSupposed = found.isSupposed
      let end = index + 1 < declarations.count ? Int(declarations[index + 1]) - 1 : range.upperBound
      characteristic.add(findings, upTo: end)
      characteristics.append(characteristic)
    }
  }
}

extension ObservedTable.Characteristic {
  fileprivate mutating func add(_ findings: AttributeFindings, upTo end: Int) {
    let first = Int(valueHandle ?? .max) + 1
    guard first <= end else { return hasAllDescriptors = true }
    descriptors = (first...end).compactMap { number in
      guard let handle = AttributeHandle(exactly: number), let type = findings.types[handle],
        !type.isDeclaration
      else { return nil }
      var descriptor = ObservedTable.Descriptor(type)
      descriptor.handle = handle
      return descriptor
    }
    hasAllDescriptors = findings.covers(first...end) || descriptors.count == end - first + 1
  }

  /// Takes what was observed of its attributes.
  fileprivate mutating func take(_ observed: inout [AttributeHandle: ObservedValue]) {
    if let handle { observed[handle] = nil }
    if let found = valueHandle.flatMap({ observed.removeValue(forKey: $0) }) { value = found }
    for index in descriptors.indices {
      guard let handle = descriptors[index].handle, let found = observed.removeValue(forKey: handle) else {
        continue
      }
      descriptors[index].value = found
    }
  }
}
