import Bluetooth
import Framing
import HCIPackets

/// The devices that a scan has heard.
package struct HeardDevices: Sendable {
  /// What a report has told.
  package enum News: Hashable, Sendable {
    /// The device was not heard before.
    case isNew
    /// It advertises something else than before, or its first scan response has come.
    case hasChanged
    case isSame
  }

  /// In the order in which they were heard first.
  package private(set) var all: [HeardDevice] = []
  private var joiner = ReportJoiner()
  /// The most devices that are kept: then the one that was heard the longest ago is forgotten.
  private static let most = 2000

  package init() {}

  package subscript(address: LinkAddress) -> HeardDevice? { all.first { $0.address == address } }

  /// Takes a report of a controller.
  ///
  /// - Returns: the device and what is new about it; nil: the device is anonymous, or the rest of its data is to come.
  package mutating func take(
    _ report: AdvertisingReport, at time: Instant
  ) -> (device: HeardDevice, news: News)? {
    guard let report = joiner.take(report), let address = report.address else { return nil }
    guard let index = all.firstIndex(where: { $0.address == address }) else {
      var device = HeardDevice(address, at: time)
      device.take(report, at: time)
      makeRoom()
      all.append(device)
      return (device, .isNew)
    }
    let earlier = all[index]
    all[index].take(report, at: time)
    let device = all[index]
    let isSame = (device.data, device.scanResponse) == (earlier.data, earlier.scanResponse)
    return (device, isSame ? .isSame : .hasChanged)
  }

  private mutating func makeRoom() {
    guard all.count >= Self.most, let oldest = all.indices.min(by: { all[$0].last < all[$1].last }) else {
      return
    }
    all.remove(at: oldest)
  }
}
