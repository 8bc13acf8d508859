import Bluetooth
import Captures
import Framing
import Glibc
import Learning
import TestBeds
import TestSupport
import Testing

@testable import CommandLineTool

/// Names in recordings of others, with characters that a terminal would act on or that begin a line.
@Suite struct ForeignTextTests {
  /// What an attacker wants at the beginning of a line.
  private static let marker = "note: INJECTED"

  private static let controls: [Unicode.Scalar] = [
    0..<0x20, 0x7F..<0xA0, 0x2028..<0x202F, 0x2066..<0x206A,
  ].flatMap { (range: Range<UInt32>) in range.compactMap(Unicode.Scalar.init) }

  /// Whether it has a control character other than a line feed, or a line that begins with the marker.
  private static func isUnsafe(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0 != "\n" && controls.contains($0) }
      || text.split(separator: "\n").contains { $0.hasPrefix(marker) || $0.hasPrefix("INJECTED") }
  }

  @Test(arguments: 0..<60)
  func `no note, report or made file has a control character of a name in a recording`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let name = "capture\(Self.hostile(&random)).zip"
    let capture: Capture
    do throws(CaptureFileError.Reason) {
      capture = Capture(try CaptureFile(Self.recording(&random)))
    } catch {
      #expect(!Self.isUnsafe(CaptureFileError(path: name, error).description))
      return
    }
    let choice = CapturedDeviceChoice([capture])
    let notes = capture.notes.map(\.sentence)
    for text in notes + [capture.summary] + choice.lines {
      #expect(!Self.isUnsafe(text) && !text.contains("\n"), "\(text.debugDescription)")
    }
    guard let device = choice.devices.first else { return }
    let learner = Learner(device)
    let origins = ["\(name): \(capture.summary)"]
    let own = learner.ownName ?? "learnt"
    let lesson = learner.learn(.model, name: own, origin: origins, from: learner.conversations)
    let definition = try LearntFolder.text(of: lesson.definition)
    let report = LearnReport(
      lesson, origins: origins, notes: notes, lineCount: definition.lineCount,
      check: RehearsalResult(recorded: [], got: [], definition: lesson.definition.device))
    let files = TemporaryFolder()
    let folder = LearntFolder(name: own, path: String(files.path.dropLast()))
    try folder.write(definition, report)
    #expect(files.entries == ["README.md", "\(own).yaml"])
    let made = files.entries.map { files.read($0) ?? "" }
    for text in made + [report.text(explains: true, folder)] {
      #expect(!text.isEmpty && !Self.isUnsafe(text), "\(text.debugDescription)")
    }
    #expect(made[0].contains(".zip: \(capture.format)"))
  }

  @Test func `a bug report cannot write to the terminal or into the README by the name of a file in it`()
    throws
  {
    let shell = Shell()
    let folder = "FS/data/misc/bluetooth/logs/"
    let archive = Self.zip([
      ("\(folder)btsnoop_hci.log", Self.log(named: "Lamp")),
      ("\(folder)btsnoop_hci.log.\u{1B}[2J\n\(Self.marker)\n", Array("no recording\n".utf8)),
    ])
    try Self.write(archive, to: shell.folder.path + "report.zip")
    let result = shell.run("blemu learn report.zip --name lamp")
    #expect(result.status == 0, "\(result)")
    let note =
      "\(folder)btsnoop_hci.log.\\x1B[2J\\n\(Self.marker)\\n is not a recording of Bluetooth."
    #expect(result.output.contains("\nnote: \(note)"), "\(result)")
    #expect(shell.folder.read("lamp/README.md")?.contains("\n- \(note)") == true)
    for text in [result.output, shell.folder.read("lamp/README.md"), shell.folder.read("lamp/lamp.yaml")] {
      #expect(text.map(Self.isUnsafe) == false)
    }
  }

  @Test func `a terminal gets a file without what it would act on, and a pipe gets it unchanged`() {
    let text = "blemu: 1\nname: Lamp  # \u{202E}pmaL\nadvertisement: { local-name: Lamp }\n"
    let shell = Shell(["lamp.yaml": text])
    #expect(shell.run("blemu show --source lamp.yaml").output == text)
    let terminal = PlayTerminal(
      ["--source", shell.folder.path + "lamp.yaml"], command: "show", home: shell.folder)
    #expect(terminal.end() == 0)
    #expect(terminal.shown.contains("name: Lamp  # \\u202EpmaL\n"))
  }
}

// MARK: Files

extension ForeignTextTests {
  /// A few control characters, with the marker after one of them.
  private static func hostile(_ random: inout SplitMix64) -> String {
    let scalars = (0..<3).map { _ in controls.randomElement(using: &random) ?? "\n" }
    return scalars.map(String.init).joined(separator: "[2J") + ["", "\n", "\r\n", "\u{85}"].randomElement(
      using: &random)! + marker
  }

  /// A bug report, or a recording in pcapng with the names and comments of its interface and packet.
  private static func recording(_ random: inout SplitMix64) -> [UInt8] {
    let device = String(scalars: hostile(&random).unicodeScalars.prefix(14))
    let log = log(named: device)
    if Bool.random(using: &random) { return pcapng(named: hostile(&random), device) }
    let contents = [log, Array(log.dropLast(3)), log + log, Array("text\n".utf8), []]
    return zip(
      (0..<3).map { _ in
        let path = ["FS/\(hostile(&random))/", "\(hostile(&random))/", ""].randomElement(using: &random)!
        let name = ["btsnoop_hci.log", "btsnoop_hci.filtered.log", "btsnooz_hci.log"].randomElement(
          using: &random)!
        let end = hostile(&random)
        return (
          Bool.random(using: &random) ? "\(path)\(name)\(end)" : "\(path)dumpstate\(end).txt",
          contents.randomElement(using: &random)!
        )
      })
  }

  /// An LE Advertising Report of C4:00:00:00:00:01 with flags and a complete local name (H4).
  private static func report(named name: String) -> [UInt8] {
    let name = Array(name.utf8.prefix(26))
    let data: [UInt8] = [0x02, 0x01, 0x06, UInt8(name.count + 1), 0x09] + name
    let head: [UInt8] = [0x02, 0x01, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0xC4, UInt8(data.count)]
    let body = head + data + [0xC8]
    return [0x04, 0x3E, UInt8(body.count)] + body
  }

  /// btsnoop with that report.
  private static func log(named name: String) -> [UInt8] {
    let packet = report(named: name)
    let length = big(packet.count)
    return Array("btsnoop\0".utf8) + big(1) + big(1002) + length + length + big(3) + big(0)
      + hex("00 E2 F0 6D 54 89 00 01") + packet
  }

  /// pcapng with that report, and texts (options 1 to 3: comment, name, description) of its section, interface and packet.
  private static func pcapng(named text: String, _ device: String) -> [UInt8] {
    let options = [1, 2, 3].flatMap { code -> [UInt8] in
      let text = Array(text.utf8)
      return little(code, 2) + little(text.count, 2) + text + padding(text.count)
    }
    let packet = report(named: device)
    return block(0x0A0D_0D0A, hex("4D 3C 2B 1A 01 00 00 00 FF FF FF FF FF FF FF FF") + options)
      + block(1, little(187, 2) + little(0, 2) + little(0, 4) + options)
      + block(
        6,
        little(0, 12) + little(packet.count, 4) + little(packet.count, 4) + packet + padding(packet.count)
          + options)
  }

  private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
    little(type, 4) + little(body.count + 12, 4) + body + little(body.count + 12, 4)
  }

  private static func padding(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: (4 - count % 4) % 4) }

  /// An archive of files that are not compressed.
  private static func zip(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var (archive, directory) = ([UInt8](), [UInt8]())
    for (name, bytes) in files {
      let name = Array(name.utf8)
      let sizes = little(bytes.count, 4) + little(bytes.count, 4) + little(name.count, 2) + little(0, 2)
      directory +=
        hex("50 4B 01 02") + little(0, 16) + sizes + little(0, 10) + little(archive.count, 4) + name
      archive += hex("50 4B 03 04") + little(0, 14) + sizes + name + bytes
    }
    return archive + directory + hex("50 4B 05 06") + little(0, 4)
      + little(files.count, 2) + little(files.count, 2) + little(directory.count, 4)
      + little(archive.count, 4)
      + little(0, 2)
  }

  private static func little(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
  }

  private static func big(_ number: Int) -> [UInt8] { little(number, 4).reversed() }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
