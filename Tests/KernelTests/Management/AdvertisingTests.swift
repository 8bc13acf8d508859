import EventLoop
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) struct AdvertisingTests {
  @EventLoop @Test func `the features say what fits and which numbers are in use`() async throws {
    let (socket, kernel) = socket(
      """
      > 3D 00 00 00 00 00
      < 01 00 00 00 0D 00  3D 00 00  83 03 01 00  FB 1F  05  02 01 03   # 251 and 31 bytes, 5 instances, 2 in use
      """)
    let features = try await socket.advertisingFeatures(of: 0)
    let flags: AdvertisingFlags = [
      .connectable, .generalDiscoverable, .secondary1M, .secondary2M, .secondaryCoded, .scanResponse,
    ]
    #expect(
      features
        == AdvertisingFeatures(
          flags: flags, maximumAdvertisingData: 251, maximumScanResponse: 31, maximumInstances: 5,
          instances: [1, 3]))
    #expect(await kernel.outcome() == nil)
  }
}
