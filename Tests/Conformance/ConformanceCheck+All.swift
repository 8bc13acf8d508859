import Behavior
import Bluetooth
import EventLoop
import Peripheral

extension ConformanceCheck {
  package static let all = [
    reportsCentrals, readsAndWrites, respondsLater, keepsProperties, servesTheTable, sendsInOrder, cuts,
    confirms,
    addresses, sendsUnasked, keepsOrder, leaves,
  ]

  private static let reportsCentrals = ConformanceCheck("the host sees connections and subscriptions") {
    run in
    let central = try await run.connect()
    try await central.subscribe(0, .notification)
    try await run.expect(log: ["connected", "notification of 0"])
    try await central.unsubscribe(from: 0)
    try await run.expect(log: ["connected", "notification of 0", "unsubscribed 0"])
    try await central.subscribe(2, .indication)
    try await run.expect(log: ["connected", "notification of 0", "unsubscribed 0", "indication of 2"])
    await central.disconnect()
    try await run.expect(
      log: [
        "connected", "notification of 0", "unsubscribed 0", "indication of 2", "unsubscribed 2",
        "disconnected",
      ])
  }

  private static let readsAndWrites = ConformanceCheck(
    "writes and reads reach the host, and responses reach the central"
  ) {
    run in
    let central = try await run.connect()
    try run.equal(try await central.read(0), [1], "the value")
    try await central.write([5, 6], to: 0, .request)
    try await central.write([7], to: 0, .command)
    try run.equal(try await central.read(0), [7], "the value")
    try await run.expect(ATTError(rawValue: 0x80)) { try await central.write([0x80], to: 1, .request) }
    run.host.value = [0x80]
    try await run.expect(ATTError(rawValue: 0x80)) { _ = try await central.read(0) }
    let kinds =
      run.subject.abilities.contains(.tellsWriteKind) ? ["request", "command"] : ["write", "write"]
    try await run.expect(
      log: ["connected", "\(kinds[0]) [5, 6]", "\(kinds[1]) [7]", "\(kinds[0]) [128]"])
  }

  private static let respondsLater = ConformanceCheck("a request waits for a late response") {
    run in
    let central = try await run.connect()
    run.host.holdsResponses = true
    let reading = Task { @EventLoop in try await central.read(0) }
    try await run.expect("the request") { run.host.heldCount == 1 }
    run.host.respond()
    try run.equal(try await reading.value, [1], "the value")
    let writing = Task { @EventLoop in try await central.write([0x80], to: 1, .request) }
    try await run.expect("the request") { run.host.heldCount == 1 }
    run.host.respond()
    try await run.expect(ATTError(rawValue: 0x80)) { try await writing.value }
  }

  private static let keepsProperties = ConformanceCheck(
    "a request that the properties forbid does not reach the host"
  ) {
    run in
    let central = try await run.connect()
    try await run.expect(.readNotPermitted) { _ = try await central.read(1) }
    try await run.expect(.writeNotPermitted) { try await central.write([1], to: 2, .request) }
    try await run.expect(log: ["connected"])
  }

  private static let servesTheTable = ConformanceCheck(
    "a characteristic that is no longer served is not found"
  ) { run in
    var table = try device.attributes(in: device.initialContext)
    table.services[0].characteristics.removeFirst()
    run.serve(table)
    let central = try await run.connect()
    try await run.expect(.attributeNotFound) { _ = try await central.read(0) }
    try await run.expect(.attributeNotFound) { try await central.subscribe(0, .notification) }
    try await central.write([1], to: 1, .request)
  }

  private static let sendsInOrder = ConformanceCheck(
    "values reach subscribers in order, with the outcome reported"
  ) { run in
    try run.equal(
      run.transport.values.maximumValue(of: 0, to: .subscribers), nil,
      "the longest value without subscribers")
    let central = try await run.connect()
    try run.equal(
      run.transport.values.send([9], from: 0, to: .subscribers), .nobodySubscribed, "the outcome of a value")
    try await central.subscribe(0, .notification)
    try await central.subscribe(2, .indication)
    try await run.expect("the subscriptions") { run.host.log.count == 3 }
    for number in 0..<100 {
      let outcome = run.transport.values.send([UInt8(number)], from: 0, to: .subscribers)
      try run.equal(outcome, .notified, "the outcome of value \(number)")
    }
    try await run.expect(values: (0..<100).map { [UInt8($0)] }, from: 0)
    try run.equal(
      run.transport.values.send([7], from: 2, to: .subscribers), .indicated, "the outcome of a value")
    try await run.expect(values: [[7]], from: 2)
    try await central.unsubscribe(from: 0)
    try await run.expect("the unsubscription") { run.host.log.contains("unsubscribed 0") }
    try run.equal(
      run.transport.values.send([9], from: 0, to: .subscribers), .nobodySubscribed, "the outcome of a value")
  }

  private static let cuts = ConformanceCheck("the link limits the longest value") { run in
    let central = try await run.connect()
    try await central.subscribe(0, .notification)
    try await run.expect("the subscription") { run.host.log.count == 2 }
    _ = try await central.read(0)  // by now every transport knows the link's MTU
    try run.equal(run.transport.connections.mtu(of: central.address), central.mtu, "the MTU")
    try run.equal(
      run.transport.values.maximumValue(of: 0, to: .subscribers), central.mtu - 3, "the longest value")
    let value = (0..<central.mtu - 3).map { UInt8(truncatingIfNeeded: $0) }
    try run.equal(
      run.transport.values.send(value[...], from: 0, to: .subscribers), .notified, "the outcome of the value")
    try await run.expect(values: [value], from: 0)
  }

  private static let confirms = ConformanceCheck("each indication is confirmed before the next is sent") {
    run in
    let central = try await run.connect()
    try await central.subscribe(2, .indication)
    try await run.expect("the subscription") { run.host.log.count == 2 }
    for number in 0..<3 { _ = run.transport.values.send([UInt8(number)], from: 2, to: .subscribers) }
    try await run.expect(values: [[0], [1], [2]], from: 2)
    try await run.expect("three confirmations") { run.host.log.count { $0 == "confirmed 2" } == 3 }
  }
}
