import EventLoop
import Glibc
import TestSupport
import Testing

@testable import System

@Suite struct SystemJournalTests {
  @Test func `an entry has its fields, and a message of several lines is one`() throws {
    let socket = DatagramListener()
    try #require(SystemJournal(at: socket.path)).send("no adapter\n  plug one in", .error, of: "lamp")
    let fields = "SYSLOG_IDENTIFIER=blemu\nPRIORITY=3\nDEVICE=lamp\nMESSAGE\n"
    let message = "no adapter\n  plug one in"
    // The size has 64 bits, the lowest byte first.
    let size: [UInt8] = [UInt8(message.utf8.count), 0, 0, 0, 0, 0, 0, 0]
    #expect(socket.next() == Array(fields.utf8) + size + Array("\(message)\n".utf8))
  }

  @Test func `a descriptor belongs to the journal if JOURNAL_STREAM names it`() {
    let socket = DatagramListener()
    var (file, other) = (stat(), stat())
    fstat(STDERR_FILENO, &file)
    stat("/", &other)
    func isJournal(_ stream: String?) -> Bool {
      SystemJournal(behind: STDERR_FILENO, stream: stream, at: socket.path) != nil
    }
    #expect(isJournal("\(file.st_dev):\(file.st_ino)"))
    #expect(!isJournal("\(other.st_dev):\(other.st_ino)"))
    #expect(!isJournal(nil))
  }
}
