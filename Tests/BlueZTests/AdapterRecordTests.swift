import Bluetooth
import EventLoop
import Glibc
import Testing

@testable import BlueZ

/// Serialized: they share the environment.
@Suite(.serialized) final class AdapterRecordTests {
  private let address = DeviceAddress("00:1A:7D:DA:71:13")!
  private let folder: String

  init() {
    var template = Array("/tmp/blemu-record-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
    setenv("XDG_STATE_HOME", folder, 1)
  }

  deinit {
    unlink(folder + "/blemu/adapter-001A7DDA7113")
    rmdir(folder + "/blemu")
    rmdir(folder)
    unsetenv("XDG_STATE_HOME")
  }

  @Test func `the settings of an adapter outlive a run that was killed`() throws {
    let original = AdapterRecord.Original(isPowered: false, alias: "Desk = 1")
    do {
      let record = try AdapterRecord(of: address, current: original)
      #expect(!record.isLeftOver)
    }
    let record = try AdapterRecord(of: address, current: .init(isPowered: true, alias: "HMSoft"))
    #expect(record.isLeftOver)
    #expect(record.original == original)
  }

  @Test func `a run that ended well leaves nothing`() throws {
    try AdapterRecord(of: address, current: .init(isPowered: true, alias: "")).erase()
    let record = try AdapterRecord(of: address, current: .init(isPowered: true, alias: "Desk"))
    #expect(!record.isLeftOver)
  }

  @Test func `one adapter is for one device at a time`() throws {
    let first = try AdapterRecord(of: address, current: .init(isPowered: true, alias: ""))
    #expect(throws: LockedFile.Failure.inUse) {
      try AdapterRecord(of: address, current: .init(isPowered: true, alias: ""))
    }
    first.erase()
  }

  @Test func `half a note is no note`() throws {
    mkdir(folder + "/blemu", 0o700)
    let file = fopen(folder + "/blemu/adapter-001A7DDA7113", "w")
    fputs("powered=true\nalias=HMS", file)
    fclose(file)
    let record = try AdapterRecord(of: address, current: .init(isPowered: true, alias: "Desk"))
    #expect(!record.isLeftOver)
    #expect(record.original.alias == "Desk")
  }
}
