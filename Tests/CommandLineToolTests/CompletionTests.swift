import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct CompletionTests {
  private static func words(_ line: String...) -> [String] { Completion(of: line).candidates.map(\.word) }

  @Test func `the first word is a command`() {
    #expect(Self.words("") == Command.all.map(\.name))
    #expect(Self.words("s") == ["scan", "show", "schema", "set", "send", "stop"])
    #expect(Self.words("--v") == ["--version"])
    #expect(Self.words("nonsense", "") == [])
    #expect(Completion(of: ["ch"]).candidates == [.init(word: "check", summary: Command.check.summary)])
  }

  @Test func `a bundled definition or a file follows`() {
    #expect(Self.words("run", "brace") == ["bracelet"])
    #expect(Self.words("check", "hm-10", "brace") == ["bracelet"])
    #expect(Completion(of: ["run", ""]).takesFiles)
    #expect(!Completion(of: ["list", ""]).takesFiles)
    #expect(Self.words("help", "ch") == ["check", "changing-attributes", "channels"])
    #expect(Self.words("help", "fa") == ["fault", "faults", "farm"])
    #expect(Self.words("help", "hm-10") == ["hm-10", "hm-10-cable"])
    #expect(Self.words("help", "faults", "di") == ["distance"])
    #expect(Self.words("help", "run", "") == [])
    #expect(Self.words("completion", "") == ["bash", "zsh", "fish"])
  }

  @Test func `options are those of the command, once`() {
    #expect(Self.words("run", "--s") == ["--serial", "--stdio", "--set", "--state", "--seed"])
    #expect(
      Self.words("run", "--stdio", "--set", "a=b", "--s") == ["--serial", "--set", "--state", "--seed"])
    #expect(Self.words("list", "-") == ["--json", "--color", "--help"])
    #expect(Self.words("run", "--", "--s") == [])
  }

  @Test func `a place follows a definition, and the names of its devices a stand`() {
    #expect(Self.words("run", "hm-10@lo") == ["hm-10@loopback"])
    #expect(Self.words("run", "hm-10@loopback", "brac") == ["bracelet"])
    #expect(Self.words("run", "hm-10@loopback", "--set", "local") == ["local-name="])
    #expect(Completion(of: ["up", ""]).takesFiles)
    let folder = TemporaryFolder([
      "desk.yaml":
        "stand: Desk\ndevices: { belt: { definition: heart-rate-belt }, lamp: { definition: lamp } }"
    ])
    #expect(Self.words("up", folder.path + "desk.yaml", "") == ["belt", "lamp"])
    #expect(Self.words("up", folder.path + "desk.yaml", "lamp", "") == ["belt"])
    #expect(Self.words("schema", "") == ["stand", "control"])
  }

  @Test func `a fault follows the name of a device, and a place of requests the word on`() {
    #expect(Self.words("fault", "lamp", "dr") == ["drop"])
    #expect(Self.words("fault", "lamp", "refuse", "0x80", "o") == ["out", "on", "once"])
    #expect(Self.words("fault", "lamp", "answer", "never", "on", "m") == ["mtu"])
    #expect(
      Self.words("fault", "lamp", "answer", "never", "on", "discovery/") == [
        "discovery/services", "discovery/includes", "discovery/characteristics", "discovery/descriptors",
      ])
  }

  @Test func `values are those of the option`() {
    #expect(Self.words("run", "--log", "") == ["text", "json", "none"])
    #expect(Self.words("run", "--log=j") == ["--log=json"])
    #expect(Self.words("run", "hm-10", "--color", "a") == ["auto", "always"])
    #expect(Self.words("check", "--on", "") == ["bluez", "exact", "loopback"])
    #expect(Self.words("run", "--on", "l") == ["loopback"])
    #expect(Completion(of: ["run", "--state", ""]).takesFiles)
    #expect(Completion(of: ["run", "--state=x"]).takesFiles)
    #expect(!Completion(of: ["run", "--tcp", ""]).takesFiles)
  }

  @Test func `a program takes all words, up to two hyphens`() {
    #expect(Self.words("run", "--exec", "cat", "--lo") == [])
    #expect(Completion(of: ["run", "--exec", "cat", ""]).takesFiles)
    #expect(Self.words("run", "--exec", "cat", "--", "--lo") == ["--log"])
  }

  @Test func `settings are those of the definition on the line`() {
    #expect(Self.words("run", "hm-10", "--set", "local") == ["local-name="])
    #expect(Self.words("run", "hm-10", "--set=fir") == ["--set=firmware="])
    #expect(
      Self.words("run", "hm-10", "--set", "firmware=") == ["firmware=V540", "firmware=V603", "firmware=V605"])
    #expect(Self.words("show", "bluno", "--set=echo=t") == ["--set=echo=true"])
    #expect(Self.words("run", "--set", "") == [])
    #expect(Self.words("run", "no-such-thing", "--set", "") == [])
  }

  @Test func `scripts get a word a line, its summary after a tab, and whether files may follow`() {
    #expect(Completion(of: ["run", "bracelet"]).lines == "bracelet\tFitness\n:files\n")
    #expect(Completion(of: ["run", "--log", "t"]).lines == "text\n")
  }
}
