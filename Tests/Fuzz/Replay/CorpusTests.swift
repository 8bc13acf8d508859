import Definitions
import Glibc
import Testing

/// An input of the fuzzer's that is kept: one that showed something once, or a beginning to start from.
struct KeptInput: CustomStringConvertible, Sendable {
  let target: FuzzTarget
  let name: String

  var description: String { "\(target)/\(name)" }

  private static let corpus = Bundled.repository + "Tests/Fuzz/Corpus"

  static let all = FuzzTarget.all.flatMap { target in
    names(in: "\(corpus)/\(target)").map { KeptInput(target: target, name: $0) }
  }

  func bytes() -> [UInt8] {
    guard let file = fopen("\(Self.corpus)/\(target)/\(name)", "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }
}

/// What the fuzzer has found once is tried again in every test run, without it.
@Suite struct CorpusTests {
  @Test(arguments: KeptInput.all)
  func `a kept input comes through`(input: KeptInput) async throws {
    let bytes = input.bytes()
    #expect(!bytes.isEmpty)
    try await input.target.run(bytes)
  }

  @Test(arguments: FuzzTarget.all)
  func `there is a beginning for each target`(target: FuzzTarget) {
    #expect(KeptInput.all.contains { $0.target.name == target.name })
  }
}

/// The names in a folder, in order; none where there is no folder.
private func names(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}
