extension DeviceProcess {
  /// The command `blemu run` with its options.
  public struct Command: Hashable, Sendable {
    /// The name of a bundled definition, or the path of a file.
    public var definition: String
    /// Where the device is.
    public var transport: Transport
    /// Values of the definition's settings.
    public var settings: [String: Device.Value]
    /// The seed of random values; nil: another one each time.
    public var seed: Int?
    /// The file that keeps settings and bonds for the next run.
    public var state: String?
    /// What goes wrong from the start, in the words of the language's `faults:`.
    public var faults: [String]
    /// What is attached to the wire side.
    public var wire: Wire?
    /// The log on standard output.
    public var log: Log
    /// Further arguments, as they are.
    public var arguments: [String]
    /// The path of blemu. Without it, that of the environment variable `BLEMU`, or the one on the `PATH`, or the release build in
    /// the repository of this library.
    public var program: String?

    public init(
      _ definition: String, on transport: Transport = .loopback, settings: [String: Device.Value] = [:],
      seed: Int? = nil, state: String? = nil, faults: [String] = [], wire: Wire? = nil, log: Log = .none,
      arguments: [String] = [], program: String? = nil
    ) {
      (self.definition, self.transport, self.settings) = (definition, transport, settings)
      (self.seed, self.state, self.faults, self.wire) = (seed, state, faults, wire)
      (self.log, self.arguments, self.program) = (log, arguments, program)
    }
  }

  /// Where a device is.
  public enum Transport: Hashable, Sendable {
    /// In memory, without a radio. The program plays the centrals (``Device/central(_:)``).
    case loopback
    /// On an adapter of BlueZ, by its name or address; nil: the first that can be a peripheral.
    case bluez(String? = nil)
    /// On an adapter, with blemu's own GATT server.
    case exact(String? = nil)
  }

  /// What is attached to the wire side.
  public enum Wire: Hashable, Sendable {
    /// A pseudo-terminal, linked at this path.
    case pty(String)
    /// The standard input and output of a program with its arguments.
    case exec([String])
    /// A TCP socket at `PORT` or `HOST:PORT`.
    case tcp(String)
    /// A serial port of this machine, as in `/dev/ttyUSB0:9600`.
    case serial(String)
  }

  /// The log on standard output.
  public enum Log: String, Hashable, Sendable {
    case none, text, json
  }
}

extension DeviceProcess.Command {
  /// All arguments of a device that listens at `socket`.
  func words(socket: String) -> [String] {
    var words = ["run", definition, "--on", transport.word, "--log", log.rawValue, "--control", socket]
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      words += ["--set", "\(name)=\(value)"]
    }
    if let seed { words += ["--seed", "\(seed)"] }
    if let state { words += ["--state", state] }
    for fault in faults { words += ["--fault", fault] }
    // --exec takes all words that follow.
    return words + arguments + (wire?.words ?? [])
  }
}

extension DeviceProcess.Transport {
  fileprivate var word: String {
    switch self {
    case .loopback: "loopback"
    case .bluez(let adapter): "bluez" + (adapter.map { ":\($0)" } ?? "")
    case .exact(let adapter): "exact" + (adapter.map { ":\($0)" } ?? "")
    }
  }
}

extension DeviceProcess.Wire {
  fileprivate var words: [String] {
    switch self {
    case .pty(let path): ["--pty", path]
    case .exec(let words): ["--exec"] + words
    case .tcp(let address): ["--tcp", address]
    case .serial(let port): ["--serial", port]
    }
  }
}
