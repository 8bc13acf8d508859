import Bluetooth
import EventLoop
import Testing

@testable import BlueZ

@EventLoop
@Suite struct KnownCentralsTests {
  private let first = DeviceAddress("02:00:00:00:00:02")!
  private let second = DeviceAddress("02:00:00:00:00:03")!
  private let centrals = KnownCentrals()

  @Test func `a request identifies its central and the MTU of its link`() {
    #expect(request(first, mtu: 185) == first)
    #expect(centrals.mtu(of: first) == 185)
    #expect(request(first, mtu: nil) == first)
    #expect(centrals.mtu(of: first) == 185, "a request without an MTU does not change it")
    #expect(request(nil, mtu: 100) == nil)
  }

  @Test func `a path identifies its central each time`() {
    for (path, central) in [
      ("/org/bluez/hci0/dev_02_00_00_00_00_02", first), ("/org/bluez/hci0/dev_02_00_00_00_00_03", second),
      ("/org/bluez/hci0", nil), ("", nil),
    ] {
      let bytes = Array(path.utf8)
      #expect([centrals.central(at: bytes.span), centrals.central(at: bytes.span)] == [central, central])
    }
  }

  @Test func `the smallest MTU is that of the connected centrals`() {
    _ = (request(first, mtu: 185), request(second, mtu: 23))
    #expect(centrals.smallestMTU == 23)
    #expect(!centrals.isOnly(first) && !centrals.isOnly(second))
    centrals.forget(second)
    #expect(centrals.smallestMTU == 185)
    #expect(centrals.isOnly(first) && !centrals.isOnly(second))
    centrals.forgetAll()
    #expect(centrals.smallestMTU == nil)
  }

  private func request(_ central: DeviceAddress?, mtu: Int?) -> DeviceAddress? {
    centrals.central(RequestOptions(from: central, mtu: mtu))
  }
}

extension RequestOptions {
  /// The options of a request as bluetoothd makes them.
  init(from central: DeviceAddress?, mtu: Int?) {
    self.init()
    (self.central, self.mtu) = (central, mtu)
  }
}
