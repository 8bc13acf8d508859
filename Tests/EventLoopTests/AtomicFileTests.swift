import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct AtomicFileTests {
  @Test func `the file is complete, and no temporary file remains`() throws {
    let folder = TemporaryFolder(["old.xml": "a longer text than the new one"])
    try AtomicFile.write("new", to: folder.path + "old.xml")
    #expect(folder.read("old.xml") == "new")
    #expect(folder.entries == ["old.xml"])
  }

  @Test(arguments: [
    ("/tmp/kept", "/tmp/.kept."), ("/kept", "//.kept."), ("kept", "./.kept."),
    ("../a.b/kept", "../a.b/.kept."),
  ])
  func `nobody can guess the name of the temporary file`(path: String, start: String) {
    let names = Set((0..<100).map { _ in AtomicFile.temporary(of: path) })
    #expect(names.count == 100)
    #expect(names.allSatisfy { $0.hasPrefix(start) })
  }

  @Test(arguments: [true, false], [true, false])
  func `a link stays, and the file that it leads to is written`(exists: Bool, isLocked: Bool) throws {
    let folder = TemporaryFolder(exists ? ["elsewhere/file": "old"] : ["elsewhere/other": ""])
    symlink("next", folder.path + "kept")
    symlink(folder.path + "elsewhere/file", folder.path + "next")
    if isLocked {
      var file = try LockedFile(folder.path + "kept")
      try file.write("new")
    } else {
      try AtomicFile.write("new", to: folder.path + "kept")
    }
    #expect(folder.read("elsewhere/file") == "new")
    var file = stat()
    #expect(lstat(folder.path + "kept", &file) == 0 && file.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a link that another user may have put where everybody writes is refused`() throws {
    let folder = TemporaryFolder(["precious": "old"])
    symlink("precious", folder.path + "kept")
    chmod(folder.path, 0o1777)
    let reason = "another user has put a link there"
    #expect(throws: UnwritableFile(path: folder.path + "kept", reason: reason)) {
      try AtomicFile.write("new", to: folder.path + "kept", user: geteuid() + 1)
    }
    #expect(folder.read("precious") == "old")
    #expect(try AtomicFile.target(of: folder.path + "kept") == folder.path + "precious")
    symlink("loop", folder.path + "loop")
    #expect(throws: UnwritableFile.self) { try AtomicFile.target(of: folder.path + "loop") }
  }

  @Test func `locking a file removes the temporary files of processes that were killed, and no others`()
    throws
  {
    let folder = TemporaryFolder()
    let left = AtomicFile.temporary(of: folder.path + "kept")
    let other = AtomicFile.temporary(of: folder.path + "kept.yaml")
    for path in [left, other] { folder.write("half a te", to: String(path.dropFirst(folder.path.count))) }
    var file = try LockedFile(folder.path + "kept")
    let rest = [String(other.dropFirst(folder.path.count)), "kept"]
    #expect(folder.entries == rest)
    try file.write("new")
    #expect(folder.read("kept") == "new")
    #expect(folder.entries == rest)
  }

  @Test func `a replaced file keeps its permissions`() throws {
    let folder = TemporaryFolder(["old": ""])
    chmod(folder.path + "old", 0o640)
    try AtomicFile.write("new", to: folder.path + "old")
    #expect(folder.permissions(of: "old") == 0o640)
  }

  @Test func `a failed write leaves no temporary file`() {
    let folder = TemporaryFolder(["a/file": ""])
    #expect(
      throws: UnwritableFile(path: folder.path + "no/file", reason: "No such file or directory")
    ) {
      try AtomicFile.write("new", to: folder.path + "no/file")
    }
    #expect(throws: UnwritableFile(path: folder.path + "a", reason: "Is a directory")) {
      try AtomicFile.write("new", to: folder.path + "a")
    }
    #expect(folder.entries == ["a"])
  }

  @Test func `the text is written to a device, which is not replaced`() throws {
    try AtomicFile.write("gone", to: "/dev/null")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test(arguments: [(0o1777, false, false), (0o1777, true, true), (0o755, false, true), (0o755, true, true)])
  func `a pipe gets the text, unless another user may have put it where everybody writes`(
    permissions: Int, isOwn: Bool, isWritten: Bool
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "pipe"
    #expect(mkfifo(path, 0o600) == 0 && chmod(folder.path, mode_t(permissions)) == 0)
    let reader = FileDescriptor(owning: open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    let problem: UnwritableFile?
    do throws(UnwritableFile) {
      try AtomicFile.write("new", to: path, user: isOwn ? geteuid() : geteuid() + 1)
      problem = nil
    } catch { problem = error }
    let reason = "another user has put a pipe or a device there"
    #expect(problem == (isWritten ? nil : UnwritableFile(path: path, reason: reason)))
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = read(reader.rawValue, &bytes, bytes.count)
    #expect(bytes.prefix(max(0, count)).elementsEqual((isWritten ? "new" : "").utf8))
    #expect(folder.entries == ["pipe"])
  }
}
