import Bluetooth
import Framing

/// How a controller scans, with either family of commands.
struct Scanner: Sendable {
  /// Whether it asks for scan responses, on each primary PHY: 1 and 3.
  var isActive: [UInt8: Bool] = [1: false]
  var ownAddressType: UInt8 = 0
  /// Bit 0: only devices of the accept list; bit 1: also advertising to resolvable private addresses.
  var filterPolicy: UInt8 = 0
  var activity: Activity?

  /// While it scans.
  struct Activity: Sendable {
    /// Whether it uses reports of the extended commands, and hears extended advertising.
    var isExtended: Bool
    var filtersDuplicates: Bool
    var reported: Set<Sighting> = []
    var end: Instant?
    /// After which time everything counts as new.
    var period: Duration?
  }

  /// What makes two reports duplicates: of legacy advertising the device and the kind of packet, of extended advertising also
  /// the data.
  struct Sighting: Hashable, Sendable {
    var address: LinkAddress?
    var kind: UInt16
    var identifier: UInt8
    var data: [UInt8]
  }
}
