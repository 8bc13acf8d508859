import EventLoop
import Glibc
import TestSupport
import Testing

@testable import System

@Suite(.timeLimit(.minutes(10))) @EventLoop struct ServiceManagerTests {
  @Test(arguments: [false, true]) func `tells the manager what it is told`(isAbstract: Bool) throws {
    let socket = DatagramListener(isAbstract: isAbstract)
    let manager = try #require(ServiceManager(ServiceEnvironment(socket: socket.path)))
    manager.tell(.status("on the air\nas Lamp"))
    manager.tell(.ready)
    manager.tell(.stopping)
    #expect(socket.texts() == ["STATUS=on the air as Lamp", "READY=1", "STOPPING=1"])
    let before = EventLoop.now
    manager.tell(.reloading)
    let words = try #require(socket.texts().first).split(separator: "\n")
    #expect(words.first == "RELOADING=1")
    let time = try #require(words.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) })
    #expect(before <= time && time <= EventLoop.now)
  }

  @Test func `feeds the watchdog again and again, and extends the time limit until it is ready`()
    async throws
  {
    let socket = DatagramListener()
    let manager = try #require(
      ServiceManager(ServiceEnvironment(socket: socket.path, watchdog: .milliseconds(20))))
    let starting = "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=40000"
    #expect(try await socket.text() == starting)
    #expect(try await socket.text() == starting)
    manager.tell(.ready)
    _ = socket.texts()
    #expect(try await socket.text() == "WATCHDOG=1")
    manager.tell(.reloading)
    _ = socket.texts()
    #expect(try await socket.text() == starting)
  }

  @Test func `a blocked loop starves the watchdog`() async throws {
    let socket = DatagramListener()
    let manager = try #require(
      ServiceManager(ServiceEnvironment(socket: socket.path, watchdog: .milliseconds(20))))
    _ = try await socket.text()
    _ = socket.texts()
    usleep(200_000)
    #expect(socket.texts() == [])
    #expect(try await socket.text() != "")
    withExtendedLifetime(manager) {}
  }

  /// The manager reads late: no message is lost, and nothing waits for it.
  @Test func `a manager that does not read gets all messages later, in order`() async throws {
    let socket = DatagramListener()
    let manager = try #require(ServiceManager(ServiceEnvironment(socket: socket.path)))
    for number in 0..<1000 { manager.tell(.status("\(number)")) }
    var texts: [String] = []
    while texts.count < 1000 { texts.append(try await socket.text()) }
    #expect(texts == (0..<1000).map { "STATUS=\($0)" })
  }

  @Test func `a socket that does not exist costs nothing`() throws {
    let manager = try #require(ServiceManager(ServiceEnvironment(socket: "/nonexistent/socket")))
    manager.tell(.ready)
    #expect(ServiceManager(ServiceEnvironment(socket: "vsock:2:1")) == nil)
  }
}

@Suite struct ServiceEnvironmentTests {
  private func environment(_ variables: [String: String]) -> ServiceEnvironment? {
    ServiceEnvironment(process: 42) { variables[$0] }
  }

  @Test func `the watchdog counts if it is this process's`() {
    let place = ["NOTIFY_SOCKET": "/run/notify"]
    #expect(environment([:]) == nil)
    #expect(environment(["WATCHDOG_USEC": "1000"]) == nil)
    #expect(environment(place) == ServiceEnvironment(socket: "/run/notify"))
    let watched = ServiceEnvironment(socket: "/run/notify", watchdog: .microseconds(1000))
    let usec = place.merging(["WATCHDOG_USEC": "1000"]) { $1 }
    #expect(environment(usec) == watched)
    #expect(environment(usec.merging(["WATCHDOG_PID": "42"]) { $1 }) == watched)
    #expect(environment(usec.merging(["WATCHDOG_PID": "7"]) { $1 })?.watchdog == nil)
    #expect(environment(place.merging(["WATCHDOG_USEC": "0"]) { $1 })?.watchdog == nil)
  }

  @Test func `no other program gets the variables`() {
    setenv("NOTIFY_SOCKET", "/run/notify", 1)
    setenv("WATCHDOG_USEC", "2000", 1)
    setenv("WATCHDOG_PID", "\(getpid())", 1)
    #expect(
      ServiceEnvironment.take() == ServiceEnvironment(socket: "/run/notify", watchdog: .microseconds(2000)))
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { #expect(getenv(name) == nil) }
    #expect(ServiceEnvironment.take() == nil)
  }
}
