import TestSupport
import Testing

@testable import Definitions

/// Files that nobody wrote, the same on every run: whatever is in them, there is an answer. A sample; `tools/fuzz` goes
/// on from here.
@Suite struct RandomInputTests {
  static let files = ["history.csv": "month,day,samples\n1,2,A5 06\n1,3,\n"]

  static func load(_ text: String, extending base: String?) -> LoadedDefinition {
    var folder = MemoryFolder(files: files)
    folder.files["base.yaml"] = base
    return DefinitionLoader.load(SourceText(name: "device.yaml", text: text), folder: folder)
  }

  /// What is loaded has an engine's worth of sense: all of its values can be had.
  static func expectSense(_ text: String, extending base: String? = nil) {
    let loaded = load(text, extending: base)
    #expect((loaded.definition == nil) == loaded.diagnostics.contains { $0.severity == .error })
    #expect(loaded.report.isEmpty == loaded.diagnostics.isEmpty)
    guard let definition = loaded.definition else { return }
    #expect(throws: Never.self) {
      _ = try definition.advertised(in: definition.initialContext)
      for characteristic in definition.characteristics {
        _ = try characteristic.value.render(in: definition.initialContext)
      }
    }
  }

  @Test func `random bytes are answered`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<Sample.rounds(of: 1000) {
      let bytes = random.bytes(Int.random(in: 0...200, using: &random))
      Self.expectSense(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `random structure is answered`() {
    let tokens = [
      "\n", "\n  ", "\n    ", "- ", ": ", "{", "}", "[", "]", ", ", "'", "\"", "|", ">", "#", "&a ", "*a ",
      "!x ",
      "? ", "---\n", "\t", "blemu: 1\n", "services:", "uuid: FFE0", "rules:", "messages:", "A5", "{x: u8}",
      "{xor8}",
    ]
    var random = SplitMix64(seed: 2)
    for _ in 0..<Sample.rounds(of: 1000) {
      let count = Int.random(in: 1...40, using: &random)
      Self.expectSense((0..<count).map { _ in tokens.randomElement(using: &random)! }.joined())
    }
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition with something changed is answered`(bundled: BundledDefinition) throws {
    let original = Array(try TextFile.read(bundled.path).utf8)
    var random = SplitMix64(seed: 3)
    for _ in 0..<Sample.rounds(of: Self.rounds(of: original, atMost: 200), atMost: 5) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
      Self.expectSense(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition that something like it extends is answered`(
    bundled: BundledDefinition
  ) throws {
    let original = Array(try TextFile.read(bundled.path).utf8)
    var random = SplitMix64(seed: 4)
    for _ in 0..<Sample.rounds(of: Self.rounds(of: original, atMost: 80), atMost: 3) {
      let pair = (0..<2).map { _ in
        var bytes = original
        for _ in 0..<Int.random(in: 0...2, using: &random) { Self.mutate(&bytes, &random) }
        return String(decoding: bytes, as: UTF8.self)
      }
      Self.expectSense("extends: base.yaml\n" + pair[0], extending: pair[1])
    }
  }

  /// Fewer for a long file, so that it takes no longer than others.
  static func rounds(of text: [UInt8], atMost most: Int) -> Int {
    min(most, max(15, 600_000 / text.count))
  }

  /// Changes a byte, drops a stretch, doubles a stretch, or puts a word in.
  static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let start = Int.random(in: 0..<max(1, bytes.count), using: &random)
    let end = min(bytes.count, start + Int.random(in: 1...30, using: &random))
    guard start < end else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[start] = UInt8.random(in: 0...127, using: &random)
    case 1: bytes.removeSubrange(start..<end)
    case 2: bytes.insert(contentsOf: bytes[start..<end], at: end)
    case 3: bytes.insert(contentsOf: numbers.randomElement(using: &random)!.utf8, at: start)
    default: bytes.replaceSubrange(start..<start + 1, with: [UInt8(ascii: "\n")])
    }
  }

  static let numbers = [
    "-1", "0", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "0x", "1e99", "{}",
    "[]",
    "~", "(1, 99)", "bytes", "{address}", "(", ")", " / 0",
  ]
}
