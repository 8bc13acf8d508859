import Behavior
import EventLoop
import Glibc
import Peripheral

/// Connects the wire side to the standard input and output of a program, and logs its standard error.
@EventLoop
package final class ProgramAttachment: DescriptorAttachment {
  /// How long the program may take to end after a signal.
  private static let patience = Duration.seconds(2)

  let port: DescriptorStream
  private let path: String
  private let words: [String]
  private let restart: RestartPolicy
  private let streams: ProgramStreams
  private var process: ChildProcess?
  private var startInstant: Int64 = 0
  private var pause = RestartPause.ofProgram
  private var restarting: EventLoop.Timer?
  private var errorWatch: EventLoop.DescriptorWatch?
  private var lines = LineSplitter()
  private var isClosing = false
  private let hasChanged = Condition()

  /// Finds the program, which ``start()`` then starts.
  ///
  /// - Parameter words: the program and its arguments; not empty.
  package init(_ words: [String], restart: RestartPolicy) throws(WireError) {
    path = try ProgramFile.find(words[0])
    self.words = words
    self.restart = restart
    streams = try ProgramStreams()
    port = DescriptorStream(input: streams.output.reader, output: streams.input.writer, name: words[0])
  }

  package var label: String { "program " + words.joined(separator: " ") }

  private var name: String { words[0] }

  package func start() {
    errorWatch = EventLoop.DescriptorWatch(streams.errors.reader.rawValue, for: .readable) { [weak self] _ in
      self?.readErrors()
    }
    run()
  }
}

// MARK: Starting and restarting

extension ProgramAttachment {
  private func run() {
    let ends = ChildProcess.Streams(
      input: streams.input.reader.rawValue, output: streams.output.writer.rawValue,
      errors: streams.errors.writer.rawValue)
    do throws(SpawnError) {
      let process = try ChildProcess(path, words: words, ends) { [weak self] in self?.ended($0) }
      self.process = process
      startInstant = EventLoop.now
      host?.report(.started(program: name, process: process.identifier))
    } catch {
      port.giveUp()
      host?.warn(
        "wire side: cannot start \(name): \(String(cString: strerror(error.code))); blemu drops all bytes for it"
      )
    }
  }

  private func ended(_ end: ProgramEnd) {
    process?.signal(SIGTERM)  // ends its remaining children
    process = nil
    readErrors()
    if let rest = lines.finish() { host?.report(.said(program: name, rest)) }
    let pause = restarts(after: end) ? pause.next(after: .microseconds(EventLoop.now - startInstant)) : nil
    host?.report(.ended(program: name, end, restart: pause))
    if let pause {
      restarting = EventLoop.after(pause) { [weak self] in self?.run() }
    } else {
      port.giveUp()
    }
    hasChanged.signal()
  }

  private func restarts(after end: ProgramEnd) -> Bool {
    guard !isClosing else { return false }
    switch restart {
    case .never: return false
    case .onFailure: return end != .status(0)
    case .always: return true
    }
  }
}

// MARK: Standard error

extension ProgramAttachment {
  /// Logs the available lines, but no more at once than a pipe holds, so that the device keeps working in between.
  private func readErrors() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<16 {
      let count = read(streams.errors.reader.rawValue, &buffer, buffer.count)
      guard count > 0 else { return }
      for line in lines.append(buffer[..<count]) { host?.report(.said(program: name, line)) }
    }
  }
}

// MARK: Ending

extension ProgramAttachment {
  package func close() async {
    isClosing = true
    restarting = nil
    port.close()
    process?.signal(SIGTERM)
    await waitForEnd()
    process?.signal(SIGKILL)
    await waitForEnd()
    errorWatch = nil
  }

  private func waitForEnd() async {
    await hasChanged.wait(for: Self.patience) { process == nil }
  }
}
