import EventLoop
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) struct ManagementSocketTests {
  /// Commands as tasks of the event loop, which begin in the order in which they are made.
  @EventLoop
  private func commands(
    _ commands: [(ManagementOpcode, UInt16)], on socket: ManagementSocket
  ) -> [Task<Result<[UInt8], ManagementError>, Never>] {
    commands.map { opcode, controller in
      outcome { () throws(ManagementError) in try await socket.perform(opcode, on: controller) }
    }
  }

  @EventLoop @Test func `answers find their commands by controller and opcode`() async throws {
    let (socket, kernel) = socket(
      """
      > 05 00 00 00 00 00
      > 05 00 01 00 00 00
      > 1B 00 00 00 00 00
      < 01 00 00 00 04 00  1B 00 00  AA
      < 02 00 01 00 03 00  05 00 00        # Command Status: Success
      < 01 00 00 00 04 00  05 00 00  BB
      """)
    let tasks = commands([(.setPowered, 0), (.setPowered, 1), (.unpairDevice, 0)], on: socket)
    #expect(try await tasks[0].value.get() == [0xBB])
    #expect(try await tasks[1].value.get() == [])
    #expect(try await tasks[2].value.get() == [0xAA])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a command waits until one with the same answers has its own`() async throws {
    let (socket, kernel) = socket(
      """
      > 05 00 00 00 00 00
      > 05 00 01 00 00 00
      < 02 00 00 00 03 00  05 00 0A        # Busy
      > 05 00 00 00 00 00
      < 01 00 00 00 04 00  05 00 00  02
      > 05 00 00 00 00 00
      < 01 00 00 00 04 00  05 00 00  03
      < 02 00 01 00 03 00  05 00 00
      """)
    let tasks = commands(
      [(.setPowered, 0), (.setPowered, 0), (.setPowered, 0), (.setPowered, 1)], on: socket)
    #expect(await tasks[0].value == .failure(.refused(.setPowered, .busy)))
    #expect(await tasks[1].value == .success([2]))
    #expect(await tasks[2].value == .success([3]))
    #expect(await tasks[3].value == .success([]))
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a waiting command is sent when the one before is not answered in time`() async throws
  {
    let (socket, kernel) = socket(
      """
      > 05 00 00 00 01 00 01
      > 05 00 00 00 01 00 03
      < 01 00 00 00 03 00  05 00 00
      """)
    let first = outcome { () throws(ManagementError) in
      try await socket.perform(.setPowered, on: 0, [1], timeLimit: .milliseconds(50))
    }
    let second = outcome { () throws(ManagementError) in
      try await socket.perform(.setPowered, on: 0, [2], timeLimit: .milliseconds(1))
    }
    let third = outcome { () throws(ManagementError) in try await socket.perform(.setPowered, on: 0, [3]) }
    #expect(await second.value == .failure(.noAnswer(.setPowered)))
    #expect(await first.value == .failure(.noAnswer(.setPowered)))
    #expect(await third.value == .success([]))
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a message that nobody waits for, or cut short, is passed over`() async throws {
    let (socket, kernel) = socket(
      """
      < 01 00 00 00 03 00  05 00 00            # nobody waits
      > 05 00 00 00 00 00
      < 04 00 00 00 00 00                      # an event
      < 01
      < 01 00 00 00 04
      < 01 00 00 00 04 00  05 00 00            # the last byte is missing
      < 01 00 00 00 02 00  05 00               # no status
      < 02 00 00 00 00 00
      < 01 00 01 00 03 00  05 00 03            # another controller
      < 01 00 00 00 03 00  06 00 03            # another command
      <
      < 01 00 00 00 04 00  05 00 00  07  FF    # one byte too many
      """)
    await EventLoop.pause(.zero)
    #expect(try await socket.perform(.setPowered, on: 0) == [7])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a command that is not answered in time fails, and its late answer is dropped`()
    async throws
  {
    let (socket, kernel) = socket(
      """
      > 05 00 00 00 00 00
      > 1B 00 00 00 00 00
      < 01 00 00 00 03 00  05 00 00            # late
      < 01 00 00 00 03 00  1B 00 00
      > 05 00 00 00 00 00
      < 01 00 00 00 04 00  05 00 00  07
      """)
    let error = await error { () throws(ManagementError) in
      try await socket.perform(.setPowered, on: 0, timeLimit: .milliseconds(1))
    }
    #expect(error == .noAnswer(.setPowered))
    #expect(try await socket.perform(.unpairDevice, on: 0) == [])
    #expect(try await socket.perform(.setPowered, on: 0) == [7])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `closing fails waiting and later commands`() async {
    let (socket, kernel) = socket("> 05 00 00 00 00 00\n> 05 00 01 00 00 00")
    let tasks = commands([(.setPowered, 0), (.setPowered, 1)], on: socket)
    #expect(await kernel.outcome() == nil)
    socket.close()
    for task in tasks { #expect(await task.value == .failure(.closed)) }
    let later = await error { () throws(ManagementError) in try await socket.perform(.setPowered, on: 0) }
    #expect(later == .closed)
    socket.close()
  }

  @EventLoop @Test func `the end of the socket fails waiting commands, after the answers that came before`()
    async
  {
    let (socket, kernel) = socket(
      """
      > 05 00 00 00 00 00
      > 05 00 01 00 00 00
      < 01 00 01 00 03 00  05 00 00
      end
      """)
    let tasks = commands([(.setPowered, 0), (.setPowered, 1)], on: socket)
    #expect(await tasks[0].value == .failure(.closed))
    #expect(await tasks[1].value == .success([]))
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a socket of the machine opens, or says why not`() async {
    do throws(ManagementError) {
      try ManagementSocket.open().close()
    } catch {
      #expect([.noBluetooth, .notPermitted].contains(error))
    }
  }
}

/// A task of the event loop that keeps the type of its error.
@EventLoop
private func outcome<Value: Sendable>(
  _ body: @escaping @EventLoop @Sendable () async throws(ManagementError) -> Value
) -> Task<Result<Value, ManagementError>, Never> {
  Task { @EventLoop in
    do throws(ManagementError) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}
