import Bluetooth
import Captures
import Centrals
import Devices
import EventLoop
import Exact
import Framing
import Glibc
import Learning
import Peripheral
import TrafficView
import Transcripts

extension Command {
  static let clone = Command(
    "clone", .writing, arguments: "DEVICE", words: .any,
    summary: "Makes a definition of a device nearby, by asking the device.",
    options: [
      .ownCentral, .take,
      Option(
        "--name", takes: "NAME", "names the device and its files (default: the name that it advertises)"),
      Option("-o", takes: "FOLDER", "selects the new folder (default: NAME)", words: .files),
      .within,
      Option(
        "--listen", takes: "TIME",
        "listens for TIME to what the device advertises (default: until its interval is known, 1 to 15 s)"),
      Option(
        "--subscribe", takes: "TIME",
        "subscribes for TIME to everything that the device sends (default: 5s)"),
      .pair,
      LearningStyle.anonymity,
      Option("--capture", takes: "FILE", "also records the conversation in a new FILE", words: .files),
      LearningStyle.option, LearningStyle.explanation, .json,
    ],
    notes: [
      "A DEVICE is its address, or the name that it advertises: 'blemu scan' shows both.",
      "blemu looks for the device, connects, reads all attributes, tries which of them can be written, subscribes, and pairs. It "
        + "writes no value and keeps no keys. Then it makes the same folder as 'blemu learn'.",
      "What a device does when it is written to can only be recorded while its app uses it: 'blemu learn'.",
      "blemu takes the adapter from the kernel until it has asked everything, as 'blemu run --on exact' does.",
    ],
    examples: [
      Example(
        "blemu clone C8:B2:1E:4A:00:01 --on exact:hci0", "makes a folder of the name that it advertises"),
      Example(
        "blemu clone HMSoft --on exact:hci0 --subscribe 30s --anonymous",
        "listens to its notifications for 30 s, and leaves out what identifies it"),
    ],
    needsPrivileges: { _ in true }
  ) { arguments throws(CommandError) in
    try CloneCommand(arguments).run()
  }
}

/// `blemu clone DEVICE`
struct CloneCommand {
  private let plan: SurveyPlan
  private let transport: TransportSpecification
  private let endsOtherUse: Bool
  private let name: String?
  private let folder: String?
  private let capture: (path: String, format: WrittenFormat)?
  private let style: LearningStyle

  init(_ arguments: Arguments) throws(CommandError) {
    var plan = try SurveyPlan(arguments)
    plan.listening = try arguments.duration("--listen")
    plan.subscription = try arguments.duration("--subscribe") ?? plan.subscription
    self.plan = plan
    transport = try .ownCentral(arguments)
    endsOtherUse = arguments["--take"] != nil
    (name, folder) = (arguments["--name"], arguments["-o"])
    if let name, !Starter.isName(name) { throw .badName(name) }
    style = try LearningStyle(arguments)
    if style.isAnonymous, arguments["--capture"] != nil {
      throw .conflictingOptions("--anonymous", "--capture")
    }
    capture = try CaptureOption.parse(arguments["--capture"])
  }

  func run() throws(CommandError) -> ExitStatus {
    // Before anything is asked for minutes.
    if let folder = folder ?? name { try BlemuTool.checkFolder(folder) }
    return BlemuTool.runLoop { () async throws(CommandError) in
      let result = try await survey()
      var learner = Learner(result.device)
      learner.source = .survey(isSilentWhileConnected: result.isSilentWhileConnected)
      let name = name ?? (style.isAnonymous ? nil : learner.ownName) ?? Self.anonymousName
      if style.isAnonymous { learner.anonymize() }
      let work = LearningWork(
        learner: learner, name: name, folder: folder ?? name, origins: [origin(result)],
        notes: result.remarks.map(\.description) + style.notes, style: style)
      return try await work.learn()
    }
  }

  private func origin(_ result: Survey.Result) -> String {
    let address = style.isAnonymous ? nil : result.device.address
    return "Cloned\(address.map { " from \($0)" } ?? ""): \(result.capture.summary)"
  }
}

// MARK: Asking the device

extension CloneCommand {
  @EventLoop
  private func survey() async throws(CommandError) -> Survey.Result {
    let seat = transport.makeCentralSeat(endsOtherUse: endsOtherUse)
    let clock = WallClock()
    let survey = Survey(plan, at: seat) { Instant(microseconds: clock.now.microseconds) }
    let file = try record(survey)
    defer { file?.close() }
    survey.askPasskey = { await Self.askPasskey() }
    var problem: CommandError?
    survey.onProgress = { progress in
      if !style.isJSON { Terminal.print(progress.line) }
      guard case .heard(let device) = progress, let folder = folder(for: device) else { return }
      do throws(CommandError) { try BlemuTool.checkFolder(folder) } catch {
        problem = error
        survey.stop()
      }
    }
    let stop = StopRequest()
    stop.onRequest = { survey.stop() }
    do throws(SurveyFailure) { return try await survey.run() } catch { throw problem ?? .survey(error) }
  }

  /// Where the files go, as far as the advertisement tells; nil: only the device's own name will.
  private func folder(for device: HeardDevice) -> String? {
    if let known = folder ?? name { return known }
    return style.isAnonymous
      ? Self.anonymousName : device.name.map(DeviceWord.write).flatMap { Starter.isName($0) ? $0 : nil }
  }

  private static let anonymousName = "clone"

  @EventLoop
  private func record(_ survey: Survey) throws(CommandError) -> RecordingFile? {
    guard let (path, format) = capture else { return nil }
    let file: RecordingFile
    do throws(DeviceFailure) { file = try .named(path, format) } catch { throw .run(error) }
    file.onFailure = { BlemuTool.report(.run(.capture(.unwritable($0)))) }
    survey.onPacket = { file.append($0) }
    return file
  }

  @EventLoop
  private static func askPasskey() async -> UInt32? {
    Terminal.print("passkey that the device shows: ")
    let line = Promise<Void>()
    let watch = EventLoop.DescriptorWatch(STDIN_FILENO, for: .readable) { _ in line.fulfil() }
    await line.value()
    return withExtendedLifetime(watch) { readLine().flatMap { UInt32($0) } }
  }
}

extension Survey.Progress {
  var line: String {
    switch self {
    case .heard(let device): "\(device.line.drop { $0 == " " })\n"
    case .connected: "connected\n"
    case .discovered(let count): "reading \(Phrase.count(count, "attribute"))\n"
    case .subscribed(0, let time): "listening for \(time.written)\n"
    case .subscribed(let count, let time):
      "subscribed to \(Phrase.count(count, "characteristic")) for \(time.written)\n"
    case .pairing: "pairing\n"
    }
  }
}
