import TestSupport
import Testing

/// An input in the corpus: one that has revealed a bug, or a starting point for the search.
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

/// Tries every input of the corpus without the fuzzer.
@Suite struct CorpusTests {
  @Test(arguments: KeptInput.all)
  func `an input of the corpus breaks no guarantee`(input: KeptInput) async throws {
    let bytes = input.bytes
    #expect(!bytes.isEmpty)
    try await input.target.run(bytes)
  }

  @Test func `every device of the inputs has a valid definition`() {
    for subject in Subject.all { #expect(subject.definition != nil, "\(subject.report)") }
    #expect(Subject.all.count > 2)
  }

  @Test(arguments: FuzzTarget.all)
  func `every target has an input in the corpus`(target: FuzzTarget) {
    #expect(KeptInput.all.contains { $0.target.name == target.name })
  }
}
