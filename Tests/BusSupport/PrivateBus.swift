import DBus
import EventLoop
import Glibc
import Synchronization

/// A private `dbus-daemon` for one test; it ends with this object.
package final class PrivateBus: Sendable {
  /// The address, for tests that connect themselves.
  package let address: String
  private let folder: String
  private let process: pid_t
  private let isKilled = Atomic(false)

  package init() throws {
    folder = try Self.makeFolder()
    let configuration = folder + "/bus.conf"
    try Self.write(Self.configuration(in: folder), to: configuration)
    let output = try Pipe()
    process = try Self.start(
      "/usr/bin/dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile", "--print-address",
      output: output)
    address = try output.readLine()
  }

  deinit { kill() }

  /// Kills the daemon.
  package func kill() {
    guard !isKilled.exchange(true, ordering: .relaxed) else { return }
    Glibc.kill(process, SIGKILL)
    waitpid(process, nil, 0)
    for path in ["/socket", "/bus.conf", ""] { remove(folder + path) }
  }

  @EventLoop
  package func connect() async throws(DBusError) -> DBusConnection {
    try await DBusConnection.connect(to: address, timeout: .seconds(60))
  }

  /// The test's user may do everything but send messages of one interface. By itself the daemon sends away
  /// who has not said who it is within 30 s, which a busy host can be late for.
  private static func configuration(in folder: String) -> String {
    """
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(folder)/socket</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
        <deny send_interface="test.Forbidden"/>
      </policy>
      <limit name="auth_timeout">3600000</limit>
    </busconfig>
    """
  }
}

// MARK: Files and processes

extension PrivateBus {
  /// A system call that failed, with its error number.
  struct Failure: Error {
    let what: String
    let error: Int32
  }

  private static func required<Value>(_ value: Value?, _ what: String) throws(Failure) -> Value {
    guard let value else { throw Failure(what: what, error: errno) }
    return value
  }

  private static func makeFolder() throws -> String {
    var template = Array("/tmp/blemu-bus-XXXXXX".utf8CString)
    return String(cString: try required(mkdtemp(&template), "mkdtemp"))
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try required(fopen(path, "w"), path)
    fputs(text, file)
    fclose(file)
  }

  private static func start(_ arguments: String..., output: Pipe) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.write.rawValue, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let strings = arguments.map { strdup($0) }
    defer { for string in strings { free(string) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The loop's thread may block signals, which the daemon would inherit and then be hard to stop.
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let status = posix_spawn(&process, arguments[0], &actions, &attributes, strings + [nil], environ)
    guard status == 0 else { throw Failure(what: arguments[0], error: status) }
    return process
  }
}
