import Glibc
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct AtomicFileTests {
  @Test func `a file is there whole, and nothing beside it`() throws {
    let folder = TemporaryFolder(["old.xml": "a longer text than the new one"])
    try AtomicFile.write("new", to: folder.path + "old.xml")
    #expect(folder.read("old.xml") == "new")
    #expect(FileSystem.entries(of: folder.path) == ["old.xml"])
  }

  @Test func `who may read a file may read the one in its place`() throws {
    let folder = TemporaryFolder(["old": ""])
    chmod(folder.path + "old", 0o640)
    try AtomicFile.write("new", to: folder.path + "old")
    #expect(FileSystem.permissions(of: folder.path + "old") == 0o640)
  }

  @Test func `where nothing can be written nothing is left`() {
    let folder = TemporaryFolder(["a/file": ""])
    #expect(
      throws: CommandError.unwritable(path: folder.path + "no/file", reason: "No such file or directory")
    ) {
      try AtomicFile.write("new", to: folder.path + "no/file")
    }
    #expect { try AtomicFile.write("new", to: folder.path + "a") } throws: {
      ($0 as? CommandError)?.status == .cannotCreate
    }
    #expect(FileSystem.entries(of: folder.path) == ["a"])
  }

  @Test func `a device is written to, not replaced`() throws {
    try AtomicFile.write("gone", to: "/dev/null")
    #expect(FileSystem.exists("/dev/null") && !FileSystem.isFile("/dev/null"))
  }
}
