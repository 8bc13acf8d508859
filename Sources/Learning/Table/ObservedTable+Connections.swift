import Bluetooth
import Captures

extension ObservedTable {
  /// The table that the links of one device tell of together: what discovery found, and the values that were read.
  package init(connections: [CapturedConnection]) {
    var findings = AttributeFindings()
    var exchanges: [Exchange] = []
    for connection in connections {
      let transactions = connection.transactions
      for transaction in transactions { findings.take(transaction) }
      exchanges += Conversation(connection, transactions).exchanges
    }
    self.init(findings)
    add(exchanges, findings)
  }

  private init(_ findings: AttributeFindings) {
    let starts = findings.services.keys.sorted()
    for (index, start) in starts.enumerated() {
      guard let found = findings.services[start] else { continue }
      let next = index + 1 < starts.count ? Int(starts[index + 1]) : 0x1_0000
      var service = Service(found.uuid)
      service.isPrimary = found.isPrimary
      service.handle = start
      service.endHandle = found.end
      let end = min(found.end.map(Int.init) ?? next - 1, next - 1)
      service.add(findings, in: Int(start)...max(Int(start), end))
      services.append(service)
    }
  }

  /// Notes what was read, and which attributes were used without a declaration.
  private mutating func add(_ exchanges: [Exchange], _ findings: AttributeFindings) {
    var readings: [AttributeHandle: [ObservedValue.Reading]] = [:]
    for exchange in exchanges {
      if case .read(let outcome) = exchange.kind, outcome != .unknown {
        readings[exchange.handle, default: []].append(.init(outcome, at: exchange.time))
      }
    }
    for service in services.indices {
      for index in services[service].characteristics.indices {
        services[service].characteristics[index].add(readings)
      }
    }
    var declared = Set<AttributeHandle>()
    for service in services {
      declared.formUnion([service.handle].compactMap(\.self) + service.includes.compactMap(\.handle))
      for characteristic in service.characteristics {
        declared.formUnion([characteristic.handle, characteristic.valueHandle].compactMap(\.self))
        declared.formUnion(characteristic.descriptors.compactMap(\.handle))
      }
    }
    undeclared = Set(exchanges.map(\.handle)).subtracting(declared).sorted()
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
    hasAllDescriptors = findings.covers(first...end)
    descriptors = (first...end).compactMap { number in
      guard let handle = AttributeHandle(exactly: number), let type = findings.types[handle],
        !type.isDeclaration
      else { return nil }
      var descriptor = ObservedTable.Descriptor(type)
      descriptor.handle = handle
      return descriptor
    }
  }

  fileprivate mutating func add(_ readings: [AttributeHandle: [ObservedValue.Reading]]) {
    if let valueHandle { value.readings = readings[valueHandle] ?? [] }
    for index in descriptors.indices {
      guard let handle = descriptors[index].handle else { continue }
      descriptors[index].value.readings = readings[handle] ?? []
    }
  }
}
