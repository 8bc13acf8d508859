import Bluetooth
import HCIPackets

/// Why a controller cannot advertise a set.
package struct AdvertisingProblem: Hashable, Sendable {
  package enum Fact: Hashable, Sendable {
    /// The controller advertises this many sets, and those before this one are as many.
    case tooManySets(most: Int)
    /// Another set before this one has its handle.
    case sameHandle
    /// The handle is above 0xEF.
    case handle
    /// The properties are not those of legacy advertising, and the controller has no extended advertising.
    case noExtendedAdvertising
    /// No kind of advertising has these properties.
    case properties(AdvertisingSetParameters.Properties)
    /// It is not in the range.
    case interval(ClosedRange<AdvertisingInterval>, possible: ClosedRange<AdvertisingInterval>)
    /// There are no primary channels.
    case noChannel
    /// The directed advertising has no target.
    case noTarget
    /// The controller does not have the PHY.
    case phy(AdvertisingPHY)
    /// The controller has no public address.
    case noPublicAddress
    /// The data, or the scan response, has more bytes than this kind of advertising or the controller can have.
    case data(Int, most: Int)
    case scanResponse(Int, most: Int)
    /// Scannable extended advertising has no data but that of the scan response.
    case noScanResponse
  }

  /// The handle of the set.
  package var set: UInt8
  package var fact: Fact
}

extension AdvertisingState {
  /// The problems with a controller, found before anything is sent to it. Sets that have any are not advertised.
  package func problems(_ abilities: ControllerAbilities) -> [AdvertisingProblem] {
    judged(abilities).flatMap { set, facts in facts.map { AdvertisingProblem(set: set.handle, fact: $0) } }
  }

  /// The sets that are wanted, each with its problems.
  func judged(_ abilities: ControllerAbilities) -> [(AdvertisingSet, [AdvertisingProblem.Fact])] {
    let most = abilities.hasExtendedAdvertising ? abilities.advertisingSetCount : 1
    var (handles, count): (Set<UInt8>, Int) = ([], 0)
    return wanted.map { set in
      var facts = set.problems(abilities)
      if !handles.insert(set.handle).inserted { facts.append(.sameHandle) }
      if facts.isEmpty { count += 1 }
      if facts.isEmpty, count > most { facts.append(.tooManySets(most: most)) }
      return (set, facts)
    }
  }
}
