import TestSupport
import Testing

/// An input of the fuzzer's that is kept: one that showed something once, or a beginning to start from.
struct KeptInput: CustomStringConvertible, Sendable {
  let target: FuzzTarget
  let name: String

  var description: String { "\(target)/\(name)" }

  private static let corpus = Repository.path + "Tests/Fuzz/Corpus"

  static let all = FuzzTarget.all.flatMap { target in
    Repository.names(in: "\(corpus)/\(target)").map { KeptInput(target: target, name: $0) }
  }

  var bytes: [UInt8] { Repository.bytes(ofFile: "\(Self.corpus)/\(target)/\(name)") ?? [] }
}

/// What the fuzzer has found once is tried again in every test run, without it.
@Suite struct CorpusTests {
  @Test(arguments: KeptInput.all)
  func `a kept input comes through`(input: KeptInput) async throws {
    let bytes = input.bytes
    #expect(!bytes.isEmpty)
    try await input.target.run(bytes)
  }

  @Test func `every device that inputs are about is one`() {
    for subject in Subject.all { #expect(subject.definition != nil, "\(subject.report)") }
    #expect(Subject.all.count > 2)
  }

  @Test(arguments: FuzzTarget.all)
  func `there is a beginning for each target`(target: FuzzTarget) {
    #expect(KeptInput.all.contains { $0.target.name == target.name })
  }
}
