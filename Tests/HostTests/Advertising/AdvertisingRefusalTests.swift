import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct AdvertisingRefusalTests {
  private static func radio(_ sets: [AdvertisingSet] = [.sample()]) -> RadioState {
    var radio = RadioState(.extended)
    radio.advertising.wanted = sets
    return radio
  }

  @Test(arguments: ["parameters 1", "address 1", "data 1", "enable 1"])
  func `a refused command is reported once, and other sets go on`(refused: String) throws {
    var radio = Self.radio([.sample { $0.address = .random(1) }, .sample(2)])
    let words = radio.settle(refusing: [refused: .invalidParameters])
    #expect(Array(words.suffix(5)) == [refused, "refused", "parameters 2", "data 2", "enable 2"])
    _ = radio.take(.disconnected(0x40, .remoteUserTerminated))
    #expect(radio.settle() == [])
    // As soon as it should be otherwise, there is a new attempt.
    radio.advertising.wanted[0].parameters.identifier = 3
    #expect(radio.settle().last == "enable 1")
  }

  @Test func `the event has the command and the error`() throws {
    var radio = Self.radio()
    let command = try radio.next()
    #expect(
      radio.completed(command, .invalidParameters) == [
        .refused(.set(1), command, .invalidParameters)
      ])
  }

  @Test(arguments: [HCIError.connectionLimitExceeded, .limitedResources, .commandDisallowed])
  func `a set without a free link begins after a link has ended`(error: HCIError) {
    var radio = Self.radio()
    #expect(radio.settle(refusing: ["enable 1": error]).suffix(2) == ["enable 1", "refused"])
    #expect(radio.settle() == [])
    _ = radio.take(.disconnected(0x40, .remoteUserTerminated))
    // The same refusal again is no event.
    #expect(radio.settle(refusing: ["enable 1": error]) == ["enable 1"])
    _ = radio.take(.disconnected(0x41, .remoteUserTerminated))
    #expect(radio.settle() == ["enable 1"])
  }

  @Test func `a set that the controller holds for enabled is disabled before the next attempt`() {
    var radio = Self.radio()
    #expect(radio.settle(refusing: ["parameters 1": .commandDisallowed]) == ["parameters 1", "refused"])
    var other = RadioState(.extended)
    other.advertising.wanted = [.sample()]
    _ = other.settle()
    other.advertising.wanted[0].parameters.channels = .channel(37)
    let words = other.settle(refusing: ["parameters 1": .commandDisallowed])
    #expect(words == ["disable 1", "parameters 1", "refused"])
    _ = other.take(.connected(.sample(isCentral: false)))
    #expect(other.settle() == ["disable 1", "parameters 1", "enable 1"])
  }

  @Test func `a set that the controller has lost is set up again, once`() {
    var radio = Self.radio()
    _ = radio.settle()
    radio.advertising.wanted[0].data = []
    let lost = HCIError.unknownAdvertisingIdentifier
    #expect(radio.settle(refusing: ["data 1": lost]) == ["data 1", "parameters 1", "enable 1"])
    radio.advertising.wanted[0].data = [2, 1, 6]
    let words = radio.settle(refusing: ["data 1": lost, "enable 1": lost])
    #expect(words == ["data 1", "parameters 1", "data 1", "enable 1", "refused"])
  }

  @Test func `a set that cannot be disabled is not asked again and again`() {
    var radio = Self.radio()
    _ = radio.settle()
    radio.advertising.wanted = []
    #expect(radio.settle(refusing: ["disable 1": .commandDisallowed]) == ["disable 1", "refused"])
    _ = radio.take(.connected(.sample(isCentral: false)))
    #expect(radio.settle() == ["disable 1"])
  }

  @Test func `a set that the controller has stopped for a reason of its own stays off the air`() {
    var radio = Self.radio()
    _ = radio.settle()
    let ending = HCIEvent.Ending.error(.limitReached)
    #expect(
      radio.take(.advertisingSetEnded(handle: 1, ending)) == [.advertisingFailed(1, .limitReached)])
    #expect(radio.settle() == [])
    radio.advertising.wanted[0].data = []
    #expect(radio.settle() == ["data 1", "enable 1"])
  }

  @Test func `an answer to another command has no effect`() throws {
    var radio = Self.radio()
    let command = try radio.next()
    #expect(radio.nextCommand() == nil)
    #expect(radio.completed(.cancelConnection, .invalidParameters) == [])
    #expect(radio.nextCommand() == nil)
    #expect(radio.completed(command, nil) == [])
    #expect(radio.nextCommand()?.words == "data 1")
  }
}
