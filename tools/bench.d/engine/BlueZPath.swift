import BlueZ
import BusSupport
import Definitions
import DeviceModel
import EventLoop
import Glibc
import Peripheral

/// The whole path of a value through a device on bluez: from `WriteValue` on a bus of its own to the notification in the socket.
enum BlueZPath {
  /// Returns after so many values there and back.
  ///
  /// - Parameter notifications: how many values answer each that is written; so many count as one.
  static func run(_ times: Int, notifications: Int = 1) {
    do {
      let bus = try PrivateBus()
      setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.address, 1)
      try startBluetoothd("\(times / notifications)", "\(notifications)")
      let status = EventLoop.run { @EventLoop in
        do { return try await serve(notifications) } catch { fatalError("\(error)") }
      }
      withExtendedLifetime(bus) {}
      guard status == 0 else { fatalError("status \(status)") }
    } catch {
      fatalError("\(error)")
    }
  }

  /// In another process, which valgrind does not count; returns once that has the name on the bus.
  private static func startBluetoothd(_ words: String...) throws {
    let words = [CommandLine.arguments[0], "bluetoothd"] + words
    let output = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, output.write.rawValue, 1)
    var process: pid_t = 0
    let status = posix_spawn(&process, words[0], &actions, nil, words.map { strdup($0) } + [nil], environ)
    guard status == 0 else { fatalError("cannot start \(words[0])") }
    _ = try output.readLine()
  }

  @EventLoop
  private static func serve(_ notifications: Int) async throws -> Int32 {
    let loaded = DefinitionLoader.load(
      SourceText(name: "echo.yaml", text: text(notifications)), folder: NoFiles())
    guard let definition = loaded.definition else { fatalError(loaded.report) }
    let peripheral = LivePeripheral(definition, settings: [], transport: BlueZTransport(), sinks: [])
    let end = Promise<Void>()
    let watch = EventLoop.SignalWatch(SIGTERM) { end.fulfil() }
    try await peripheral.start()
    await end.value()
    withExtendedLifetime(watch) {}
    await peripheral.stop()
    return 0
  }

  /// `tools/bench.d/bench.yaml` without a wire side.
  private static func text(_ notifications: Int) -> String {
    """
    blemu: 1
    name: Benchmark
    link: { mtu: 23 }
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [read, write, write-without-response, notify] }
    messages:
      echo: "45 {rest: bytes}"
    rules:
      - on: { receive: echo }
        do: [\(Array(repeating: "{ send: echo }", count: notifications).joined(separator: ", "))]
    """
  }
}
