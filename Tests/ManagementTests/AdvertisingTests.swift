import EventLoop
import TestSupport
import Testing

@testable import Management

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

  @EventLoop @Test func `an instance is its parameters, then its data`() async throws {
    let (socket, kernel) = socket(
      """
      # instance 1, connectable; duration, timeout, intervals and power are left to the kernel
      > 54 00 00 00 12 00  01  01 00 00 00  00 00  00 00  00 00 00 00  00 00 00 00  00
      < 01 00 00 00 07 00  54 00 00  01 7F 1F 1F
      # instance 1, 3 and 2 bytes
      > 55 00 00 00 08 00  01 03 02  02 01 06  01 09
      < 01 00 00 00 04 00  55 00 00  01
      """)
    try await socket.addAdvertising(
      AdvertisingInstance(number: 1, data: [0x02, 0x01, 0x06], scanResponse: [0x01, 0x09]), on: 0)
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `an interval sets its flag`() async throws {
    let (socket, kernel) = socket(
      """
      > 54 00 00 00 12 00  02  03 41 00 00  00 00  00 00  A0 00 00 00  40 01 00 00  00
      < 01 00 00 00 07 00  54 00 00  02 7F 1F 1F
      > 55 00 00 00 03 00  02 00 00
      < 01 00 00 00 04 00  55 00 00  02
      """)
    try await socket.addAdvertising(
      AdvertisingInstance(
        number: 2, flags: [.connectable, .generalDiscoverable, .secondary2M], interval: 160...320, data: []),
      on: 0)
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `an instance whose parameters are refused is not removed`() async {
    let (socket, kernel) = socket(
      """
      > 54 00 00 00 12 00  01  01 00 00 00  00 00  00 00  00 00 00 00  00 00 00 00  00
      < 02 00 00 00 03 00  54 00 0B      # Command Status: Rejected
      """)
    let error = await error { () throws(ManagementError) in
      try await socket.addAdvertising(AdvertisingInstance(number: 1, data: [1]), on: 0)
    }
    #expect(error == .refused(.addExtendedAdvertisingParameters, .rejected))
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop
  @Test(arguments: ["< 01 00 00 00 04 00  3F 00 00  01", "< 02 00 00 00 03 00  3F 00 0D"])
  func `an instance whose data is refused is removed`(removal: String) async {
    let (socket, kernel) = socket(
      """
      > 54 00 00 00 12 00  01  01 00 00 00  00 00  00 00  00 00 00 00  00 00 00 00  00
      < 01 00 00 00 07 00  54 00 00  01 7F 1F 1F
      > 55 00 00 00 04 00  01 01 00  05
      < 02 00 00 00 03 00  55 00 0D
      > 3F 00 00 00 01 00  01
      \(removal)
      """)
    let error = await error { () throws(ManagementError) in
      try await socket.addAdvertising(AdvertisingInstance(number: 1, data: [5]), on: 0)
    }
    #expect(error == .refused(.addExtendedAdvertisingData, .invalidParameters))
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `data is replaced, and an instance removed, alone`() async throws {
    let (socket, kernel) = socket(
      """
      > 55 00 01 00 06 00  03 02 01  01 FF  00
      < 01 00 01 00 04 00  55 00 00  03
      > 3F 00 01 00 01 00  03
      < 01 00 01 00 04 00  3F 00 00  03
      """)
    try await socket.setAdvertisingData(number: 3, data: [0x01, 0xFF], scanResponse: [0], on: 1)
    try await socket.removeAdvertising(3, on: 1)
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `data whose length does not fit a byte is refused`() async {
    let (socket, kernel) = socket("")
    for (data, scanResponse) in [(256, 0), (0, 256)] {
      let error = await error { () throws(ManagementError) in
        try await socket.setAdvertisingData(
          number: 1, data: [UInt8](repeating: 0, count: data),
          scanResponse: [UInt8](repeating: 0, count: scanResponse), on: 0)
      }
      #expect(error == .refused(.addExtendedAdvertisingData, .invalidParameters))
    }
    #expect(await kernel.outcome() == nil)
  }
}
