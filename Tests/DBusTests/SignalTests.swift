import DBus
import EventLoop
import TestSupport
import Testing

@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct SignalTests {
  @Test(arguments: [
    (MatchRule(), true), (MatchRule(path: "/a/b"), true), (MatchRule(path: "/a"), false),
    (MatchRule(pathNamespace: "/a"), true), (MatchRule(pathNamespace: "/a/b"), true),
    (MatchRule(pathNamespace: "/"), true), (MatchRule(pathNamespace: "/a/b/c"), false),
    (MatchRule(interface: "test.Interface", member: "Told"), true), (MatchRule(member: "Tol"), false),
    (MatchRule(interface: "test.Other"), false), (MatchRule(firstArgument: "it's, \\ 'so'"), true),
    (MatchRule(firstArgument: "it"), false), (MatchRule(sender: "test.Service"), true),
    (MatchRule(sender: "test.Nobody"), false), (MatchRule(sender: ":1.9999"), false),
  ])
  func `a subscription gets the signals its rule matches`(rule: MatchRule, isMatched: Bool) async throws {
    let pair = try await Pair()
    defer { pair.close() }
    _ = try await pair.service.callBus("RequestName", ["test.Service", .uint32(0)])
    let all = Arrivals<String>()
    let matched = Arrivals<String>()
    let subscription = try pair.client.subscribe(to: rule) { matched.add($0.member ?? "") }
    let everything = try pair.client.subscribe(to: MatchRule(path: "/a/b")) { all.add($0.member ?? "") }
    _ = try await pair.client.callBus("GetId")
    try pair.service.emitSignal(
      path: "/a/b", interface: "test.Interface", member: "Told", ["it's, \\ 'so'", .byte(1)])
    _ = try await all.wait()
    #expect(matched.values.filter { $0 == "Told" } == (isMatched ? ["Told"] : []))
    _ = consume subscription
    _ = consume everything
  }

  @Test func `a subscription that has ended gets no more signals`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let first = Arrivals<UInt8>()
    let second = Arrivals<UInt8>()
    let lasting = try pair.client.subscribe(to: MatchRule(path: "/a")) { _ in second.add(0) }
    do {
      let ending = try pair.client.subscribe(to: MatchRule(path: "/a")) { _ in first.add(0) }
      _ = try await pair.client.callBus("GetId")
      try pair.service.emitSignal(path: "/a", interface: "test.Interface", member: "One")
      _ = try await first.wait()
      _ = consume ending
    }
    try pair.service.emitSignal(path: "/a", interface: "test.Interface", member: "Two")
    _ = try await second.wait(for: 2)
    #expect(first.values.count == 1)
    _ = consume lasting
  }

  @Test func `a rule with a name that is not valid is refused`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    #expect(throws: DBusError.invalid(what: "an interface name", value: "x")) {
      _ = try pair.client.subscribe(to: MatchRule(interface: "x")) { _ in }
    }
  }

  @Test func `a watched name reports its owner, first and at each change`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let owners = Arrivals<String?>()
    let registration = try pair.client.watchName("test.Service") { owners.add($0) }
    _ = try await owners.wait(for: 1)
    _ = try await pair.service.callBus("RequestName", ["test.Service", .uint32(0)])
    _ = try await owners.wait(for: 2)
    let late = Arrivals<String?>()
    let another = try pair.client.watchName("test.Service") { late.add($0) }
    #expect(try await late.wait() == [pair.service.uniqueName])
    _ = consume another
    pair.service.close()
    #expect(try await owners.wait(for: 3) == [nil, pair.service.uniqueName, nil])
    #expect(late.values.count == 1)
    _ = consume registration
  }

  @Test func `a name that is watched has its owner at once for others, who may end before`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    _ = try await pair.service.callBus("RequestName", ["test.Service", .uint32(0)])
    let (told, all) = (Arrivals<String>(), Arrivals<Void>())
    let first = Arrivals<String?>()
    let registration = try pair.client.watchName("test.Service") { first.add($0) }
    _ = try await first.wait(for: 1)
    let subscription = try pair.client.subscribe(to: MatchRule(sender: "test.Service", member: "Told")) {
      told.add($0.path?.string ?? "")
    }
    let everything = try pair.client.subscribe(to: MatchRule(member: "Told")) { _ in all.add(()) }
    let second = Arrivals<String?>()
    let another = try pair.client.watchName("test.Service") { second.add($0) }
    #expect(second.values == [pair.service.uniqueName])
    _ = consume registration
    _ = consume another
    _ = try await pair.client.callBus("GetId")
    try pair.service.emitSignal(path: "/owner", interface: "test.Interface", member: "Told")
    _ = try await pair.service.callBus("ReleaseName", ["test.Service"])
    try pair.service.emitSignal(path: "/nobody", interface: "test.Interface", member: "Told")
    _ = try await pair.service.callBus("RequestName", ["test.Service", .uint32(0)])
    try pair.service.emitSignal(path: "/again", interface: "test.Interface", member: "Told")
    _ = try await all.wait(for: 3)
    #expect(told.values == ["/owner", "/again"])
    #expect((first.values + second.values).count == 2)
    _ = consume subscription
    _ = consume everything
  }
}
