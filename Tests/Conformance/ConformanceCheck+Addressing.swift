import Behavior
import Bluetooth
import EventLoop
import Peripheral

extension ConformanceCheck {
  static let addresses = ConformanceCheck(
    "a value for one subscriber does not reach the other", needs: .takesTwoCentrals
  ) { run in
    let first = try await run.connect()
    let second = try await run.connect()
    try await first.subscribe(0, .notification)
    try await second.subscribe(0, .notification)
    // If centrals share a subscription, the host sees only one. The reads ensure that both have subscribed.
    _ = try await first.read(0)
    _ = try await second.read(0)
    let outcome = run.transport.values.send([1], from: 0, to: .subscriber(second.address))
    let isAble = run.subject.abilities.contains(.sendsToOne)
    try run.equal(outcome, isAble ? .notified : .notAddressable, "the outcome of a value for one")
    try run.equal(
      run.transport.values.send([2], from: 0, to: .subscribers), .notified, "the outcome of a value for all")
    try await run.expect(values: [[2]], from: 0, at: 0)
    try await run.expect(values: isAble ? [[1], [2]] : [[2]], from: 0, at: 1)
  }

  static let sendsUnasked = ConformanceCheck(
    "only a transport with this ability sends to a central that has not subscribed"
  ) {
    run in
    let central = try await run.connect()
    _ = try await central.read(0)
    let unsubscribed = run.transport.values.send([1], from: 0, to: .subscriber(central.address))
    try run.equal(
      unsubscribed, .nobodySubscribed, "the outcome of a value for a subscriber that has not subscribed")
    let isAble = run.subject.abilities.contains(.sendsUnasked)
    let outcome = run.transport.values.send([2], from: 0, to: .central(central.address))
    try run.equal(outcome, isAble ? .notified : .notAddressable, "the outcome of a value for a central")
    try await central.subscribe(0, .notification)
    try await run.expect("the subscription") { run.host.log.count == 2 }
    _ = run.transport.values.send([3], from: 0, to: .central(central.address))
    try await run.expect(values: isAble ? [[2], [3]] : [[3]], from: 0)
  }

  static let keepsOrder = ConformanceCheck(
    "a response arrives before the value that its request causes", needs: .keepsOrder
  ) { run in
    let central = try await run.connect()
    try await central.subscribe(0, .notification)
    run.host.holdsResponses = true
    let writing = Task { @EventLoop in
      try await central.write([2], to: 1, .request)
      return run.transport.values.send([4], from: 0, to: .subscribers)
    }
    try await run.expect("the request") { run.host.heldCount == 1 }
    run.host.respond()
    _ = run.transport.values.send([3], from: 0, to: .subscribers)
    _ = try await writing.value
    try await run.expect(values: [[3], [4]], from: 0)
  }

  static let leaves = ConformanceCheck("a device that leaves the air disconnects its centrals") { run in
    let central = try await run.connect()
    try await central.subscribe(0, .notification)
    try await run.expect("the subscription") { run.host.log.count == 2 }
    await run.transport.leaveAir()
    await run.transport.leaveAir()
    try await run.expect(log: ["connected", "notification of 0", "unsubscribed 0", "disconnected"])
    try run.equal(
      run.transport.values.send([9], from: 0, to: .subscribers), .nobodySubscribed, "the outcome of a value")
  }
}
