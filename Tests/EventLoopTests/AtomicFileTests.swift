import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  @Test func `the file is complete, and no temporary file remains`() throws {
    let folder = TemporaryFolder(["old.xml": "a longer text than the new one"])
    try AtomicFile.write("new", to: folder.path + "old.xml")
    #expect(folder.read("old.xml") == "new")
    #expect(folder.entries == ["old.xml"])
  }

  @Test func `the temporary file of a process that was killed is in nobody's way`() throws {
    let folder = TemporaryFolder([".kept.\(getpid())": "half a te"])
    try AtomicFile.write("new", to: folder.path + "kept")
    #expect(folder.read("kept") == "new")
    #expect(folder.entries == ["kept"])
  }

  @Test func `locking a file removes the temporary file of a process that was killed`() throws {
    let folder = TemporaryFolder(["kept": "old", ".kept.new": "half a te"])
    var file = try LockedFile(folder.path + "kept")
    #expect(folder.entries == ["kept"])
    try file.write("new")
    #expect(folder.read("kept") == "new")
    #expect(folder.entries == ["kept"])
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
}
