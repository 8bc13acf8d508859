import Bluetooth
import EventLoop
import HCIPackets
import Host
import Kernel
import Peripheral

/// The place of one device at a host that it may share with others.
@EventLoop
final class HostSeat {
  /// From 0, and unlike those of the other devices.
  let number: Int
  /// Its advertising sets, with the handles that they have in the controller.
  var sets: [AdvertisingSet] = []
  /// The address of the device; nil: it has none yet.
  private(set) var address: DeviceAddress?
  /// Called with each event that concerns the device. Its advertising sets have its own numbers.
  var onEvent: (@EventLoop (HostEvent) -> Void)?
  /// Called once when the controller has gone.
  var onEnd: (@EventLoop (TransportError) -> Void)?
  private let shared: SharedHost

  init(_ number: Int, at shared: SharedHost) { (self.number, self.shared) = (number, shared) }

  var host: Host? { shared.host }

  func change(_ body: (inout Host) -> Void) { shared.change(body) }

  /// Whether frames of a link wait because the controller has no room for them.
  func isCongested(_ handle: LinkHandle) -> Bool { shared.ask { $0.isCongested(handle) } ?? false }

  /// Likewise for SDUs of a channel, which also wait for credits.
  func isCongested(_ channel: ChannelIdentifier, on handle: LinkHandle) -> Bool {
    shared.ask { $0.isCongested(channel, on: handle) } ?? false
  }

  /// Takes the first of these addresses that no other device at the host has.
  func choose(among addresses: some Sequence<DeviceAddress>) -> DeviceAddress? {
    address = addresses.first { !shared.isTaken($0, byOthersThan: self) }
    return address
  }

  /// Advertises these sets, numbered from 0, in place of the earlier ones.
  func advertise(_ sets: [AdvertisingSet]) { shared.advertise(sets, of: self) }

  /// Why the controller cannot advertise these sets; nil: it can.
  func problem(with sets: [AdvertisingSet]) -> AdvertisingProblem.Fact? {
    shared.problem(with: sets, of: self)
  }

  /// Leaves the host. All links of the device have to have ended.
  func leave() async {
    advertise([])
    (onEvent, onEnd) = (nil, nil)
    await shared.leave(self)
  }
}
