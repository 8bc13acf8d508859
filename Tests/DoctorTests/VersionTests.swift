import BlueZLimits
import Testing

@testable import Doctor

/// Versions as distributions write them.
@Suite struct VersionTests {
  @Test(
    arguments: [
      ("6.1.0-44-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-09-10)", nil, "6.1.192"),
      ("6.12.107+deb12-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.12.107-1 (2026-08-01)", nil, "6.12.107"),
      ("6.18.34+rpt-rpi-2712", "#1 SMP PREEMPT Debian 1:6.18.34-1+rpt1 (2026-06-09)", nil, "6.18.34"),
      ("6.8.0-60-generic", "#63-Ubuntu SMP", "Ubuntu 6.8.0-60.63-generic 6.8.12", "6.8.12"),
      ("7.0-rc1", "", nil, "7.0.0"),
      ("5.15.167.4-microsoft-standard-WSL2", "#1 SMP", nil, "5.15.167"),
    ] as [(String, String, String?, String)])
  func `the version of a kernel is that of its sources`(
    release: String, build: String, signature: String?, version: String
  ) {
    #expect(KernelVersion(release: release, build: build, signature: signature)?.description == version)
  }

  @Test func `a text without a version has none`() {
    #expect(KernelVersion("generic") == nil)
    #expect(BlueZVersion("bluetoothd") == nil)
  }

  @Test func `the release of BlueZ comes from programs and from the Device ID`() {
    #expect(BlueZVersion("5.66") == BlueZVersion(5, 66))
    #expect(BlueZVersion(modalias: "usb:v1D6Bp0246d0542") == BlueZVersion(5, 66))
    #expect(BlueZVersion(modalias: "bluetooth:v1234p5678dABCD") == nil)
    #expect(BlueZVersion(5, 9) < BlueZVersion(5, 66))
  }

  @Test(
    arguments: [
      ("6.1.192", [.diesWhenCentralLeaves, .refusesLE2M]),
      ("6.1.175", [.refusesAdvertisements, .diesWhenCentralLeaves, .refusesLE2M]),
      ("6.12.93", [.refusesAdvertisements]), ("6.12.94", []), ("6.12.19", [.diesWhenCentralLeaves]),
      ("6.12.88", [.losesMediaTekAdapters]), ("6.18.35", [.refusesAdvertisements]), ("6.18.36", []),
      ("6.6.1", []),
    ] as [(String, [KernelDefect])])
  func `a kernel has the defects of its version`(version: String, defects: [KernelDefect]) throws {
    #expect(try KernelDefect.all(of: #require(KernelVersion(version))) == defects)
  }
}
