import Bluetooth
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Peripheral

/// Serialized: they share the environment.
@Suite(.serialized) final class AdapterRecordTests {
  private let address = DeviceAddress("00:1A:7D:DA:71:13")!
  private let plain = ["powered": "true", "alias": ""]
  private let desk = ["powered": "true", "alias": "Desk"]
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
    let original = ["powered": "false", "alias": "Desk = 1"]
    do {
      let record = try AdapterRecord(of: address, current: original)
      #expect(!record.isLeftOver)
    }
    let record = try AdapterRecord(of: address, current: ["powered": "true", "alias": "HMSoft"])
    #expect(record.isLeftOver)
    #expect(record.original == original)
  }

  @Test func `a run that ended well leaves nothing`() throws {
    try AdapterRecord(of: address, current: plain).forget(plain)
    let record = try AdapterRecord(of: address, current: desk)
    #expect(!record.isLeftOver)
  }

  @Test func `one adapter is for one device at a time`() throws {
    let first = try AdapterRecord(of: address, current: plain)
    #expect(throws: LockedFile.Failure.inUse) {
      try AdapterRecord(of: address, current: plain)
    }
    try first.forget(plain)
  }

  @Test func `half a note is no note`() throws {
    mkdir(folder + "/blemu", 0o700)
    #expect(Repository.write("powered=true\nalias=HMS", to: folder + "/blemu/adapter-001A7DDA7113"))
    let record = try AdapterRecord(of: address, current: desk)
    #expect(!record.isLeftOver)
    #expect(record.original == desk)
  }

  @Test(arguments: [0o777, 0o770] as [mode_t])
  func `a folder in which others may write has no settings`(mode: mode_t) throws {
    mkdir(folder + "/blemu", 0o700)
    chmod(folder + "/blemu", mode)
    let file = UnwritableFile(path: folder + "/blemu", reason: "others may write there; remove the folder")
    #expect(throws: LockedFile.Failure.unwritable(file)) { try AdapterRecord(of: address, current: plain) }
  }

  @Test func `a symbolic link is no folder for settings`() throws {
    mkdir(folder + "/other", 0o700)
    symlink("other", folder + "/blemu")
    defer {
      unlink(folder + "/blemu")
      rmdir(folder + "/other")
    }
    #expect(throws: LockedFile.Failure.unwritable(UnwritableFile(folder + "/blemu", ENOTDIR))) {
      try AdapterRecord(of: address, current: plain)
    }
  }

  @Test func `without a home, each user has a folder`() throws {
    let home = getenv("HOME").map { String(cString: $0) }
    defer { if let home { setenv("HOME", home, 1) } }
    unsetenv("XDG_STATE_HOME")
    unsetenv("HOME")
    #expect(AdapterRecord.folder == "/var/tmp/blemu-\(geteuid())")
  }

  @Test func `settings of a run on another transport stay until such a run restores them`() throws {
    let ofBlueZ = ["powered": "false", "alias": "Desk"]
    _ = try AdapterRecord(of: address, current: ofBlueZ)
    let other = try AdapterRecord(of: address, current: ["powered": "true", "low-energy": "true"])
    #expect(other.original == ["powered": "false", "alias": "Desk", "low-energy": "true"])
    try other.forget(["powered": "false", "low-energy": "true"])
    let record = try AdapterRecord(of: address, current: ["powered": "true", "alias": "HMSoft"])
    #expect(record.original == ["powered": "true", "alias": "Desk"])
  }
}
