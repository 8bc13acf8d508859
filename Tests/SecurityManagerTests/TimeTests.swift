import Bluetooth
import Framing
import Testing

@testable import SecurityManager

/// The Security Manager Timer, and the wait after failures (Core Specification, Vol 3 Part H 3.4, 2.3.6).
@Suite struct TimeTests {
  typealias Device = PairingBench.Device

  @Test(arguments: FailureTests.scenes)
  func `each step has 30 s, and no pairing follows`(scene: FailureTests.Scene) {
    for step in scene.steps {
      var bench = scene.bench
      bench.alter = { $0 >= step ? nil : $1 }
      bench.pair()
      let waiting = Device.allCases.filter { bench[$0].isPairing }
      #expect(!waiting.isEmpty)
      bench.pass(.milliseconds(29_999))
      #expect(Device.allCases.filter { bench[$0].isPairing } == waiting)
      bench.pass(.milliseconds(1))
      let count = bench.packets.count
      for device in waiting {
        #expect(bench.failures(of: device) == [.failed(.timeout, by: .own)], "step \(step)")
        #expect(bench[device].hasTimedOut)
        #expect(bench[device].deadline == nil)
        bench.make(device) { $0.pair(at: $1) }
        bench.send(SampleSecurityPDU.bytes(of: .pairingRequest), from: device.other)
      }
      #expect(bench.packets.count == count)
    }
  }

  @Test func `each PDU that a device sends gives it 30 s more`() {
    var bench = PairingBench()
    bench.person.entry = .never
    bench.pair()
    #expect(bench[.central].deadline == .milliseconds(1_030_000))
    bench.pass(.seconds(29))
    bench.alter = { _, _ in nil }
    bench.make(.central) { $0.enter(passkey: 123_456, at: $1) }
    #expect(bench[.central].deadline == .milliseconds(1_059_000))
    #expect(bench[.peripheral].deadline == .milliseconds(1_030_000))
  }

  @Test func `a PDU that comes too late is not handled, even if nobody has looked at the time`() {
    var bench = PairingBench()
    bench.alter = { $0 == 1 ? nil : $1 }
    bench.pair()
    let late = bench.now.advanced(by: .seconds(30))
    let response = SampleSecurityPDU.bytes(of: .pairingResponse)
    #expect(bench[.central].receive(response, at: late) == [.failed(.timeout, by: .own)])
  }

  @Test func `a kept key still encrypts a link whose pairing has timed out`() {
    var bench = PairingBench()
    bench.pair()
    let keys = bench[.peripheral].keys
    var later = PairingBench(keys: [.central: keys, .peripheral: keys])
    later.alter = { _, _ in nil }
    later.pair()
    later.pass(.seconds(30))
    later.make(.central) { $0.encrypt(at: $1) }
    #expect(later[.central].security == .secureConnections)
  }

  @Test func `the wait doubles with each failure, up to a limit, and ends with a success`() {
    var attempts = RepeatedAttempts(firstWait: .seconds(1), longestWait: .seconds(4))
    var now = Instant.milliseconds(0)
    #expect(!attempts.isWaiting(at: now))
    for seconds in [1, 2, 4, 4] {
      attempts.failed(.confirmValueFailed, at: now)
      #expect(attempts.isWaiting(at: now.advanced(by: .milliseconds(seconds * 1000 - 1))))
      now = now.advanced(by: .seconds(seconds))
      #expect(!attempts.isWaiting(at: now))
    }
    attempts.succeeded()
    attempts.failed(.dhKeyCheckFailed, at: now)
    #expect(!attempts.isWaiting(at: now.advanced(by: .seconds(1))))
  }

  @Test func `a failure that is forgiven causes no wait`() {
    var attempts = RepeatedAttempts(forgiven: 1)
    attempts.failed(.confirmValueFailed, at: .milliseconds(5))
    #expect(!attempts.isWaiting(at: .milliseconds(5)))
    attempts.failed(.confirmValueFailed, at: .milliseconds(5))
    #expect(attempts.isWaiting(at: .milliseconds(5)))
    attempts.succeeded()
    attempts.failed(.confirmValueFailed, at: .milliseconds(5))
    #expect(!attempts.isWaiting(at: .milliseconds(5)))
  }

  @Test(arguments: [PairingFailure.pairingNotSupported, .encryptionKeySize, .timeout, .unspecifiedReason])
  func `a failure that teaches an attacker nothing causes no wait`(reason: PairingFailure) {
    var attempts = RepeatedAttempts()
    attempts.failed(reason, at: .milliseconds(5))
    #expect(!attempts.isWaiting(at: .milliseconds(5)))
  }

  @Test func `a peripheral refuses a peer that has just failed, also on its next link`() {
    var bench = PairingBench()
    bench.person.entry = .wrong
    bench.pair()
    var next = PairingBench(seed: 3)
    next[.peripheral].attempts = bench[.peripheral].attempts
    next.pair()
    #expect(next.hasFailed(.repeatedAttempts, by: .peripheral))
    next.pass(.seconds(1))
    next.pair()
    #expect(next.result(of: .peripheral) != nil)
  }

  @Test func `of the peers that failed, those that failed last are remembered`() {
    func peer(_ number: Int) -> LinkAddress {
      LinkAddress(DeviceAddress([0xC0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)])!, .random)
    }
    var (failed, attempts) = (FailedPeers(), RepeatedAttempts())
    attempts.failed(.confirmValueFailed, at: .milliseconds(5))
    for number in 0..<FailedPeers.most { failed.keep(attempts, of: peer(number)) }
    #expect((0..<FailedPeers.most).allSatisfy { failed.attempts(of: peer($0)) == attempts })
    #expect(failed.attempts(of: LinkAddress(peer(1).address)) == nil)
    attempts.failed(.confirmValueFailed, at: .milliseconds(6))
    failed.keep(attempts, of: peer(0))  // fails again, and counts once
    failed.keep(attempts, of: peer(1000))
    #expect(failed.attempts(of: peer(0)) == attempts)
    #expect(failed.attempts(of: peer(1)) == nil)
    #expect(failed.attempts(of: peer(2)) != nil)
    attempts.succeeded()
    failed.keep(attempts, of: peer(0))
    #expect(failed.attempts(of: peer(0)) == nil)
    attempts.failed(.confirmValueFailed, at: .milliseconds(7))
    for number in 2000..<12_000 { failed.keep(attempts, of: peer(number)) }
    #expect((0..<12_000).count { failed.attempts(of: peer($0)) != nil } == FailedPeers.most)
  }

  @Test(arguments: [true, false], [true, false])
  func `only a peer that authenticates itself does not wait any more, where the device can tell`(
    authenticates: Bool, canTell: Bool
  ) {
    var bench = PairingBench()
    bench.person.entry = .wrong
    bench.pair()
    var next = PairingBench(central: authenticates ? .with(.keyboardDisplay) : .with(), seed: 3)
    next[.peripheral].attempts = bench[.peripheral].attempts
    if !canTell { next[.peripheral].policy.capability = .noInputNoOutput }
    next.pass(.seconds(1))
    next.pair()
    #expect(next.result(of: .peripheral) != nil)
    #expect(next[.peripheral].attempts.hasFailed == (canTell && !authenticates))
  }

  @Test func `a central that has just failed waits itself`() {
    var bench = PairingBench()
    bench.person.entry = .wrong
    bench.pair()
    let count = bench.packets.count
    bench.pair()
    #expect(bench.packets.count == count)
    #expect(bench.failures(of: .central).last == .failed(.repeatedAttempts, by: .own))
  }
}
