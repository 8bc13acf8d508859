import TestSupport
import Testing

@testable import CommandLineTool

/// `blemu learn` with recordings of real devices, and with files that are none.
@Suite struct LearnCommandTests {
  private let shell = Shell(["empty": "", "text": "hello\n", "full/file": ""])
  private static let recordings = Repository.path + "Tests/CapturesTests/Captures/"

  private func learn(_ arguments: String) -> Shell.Result { shell.run("blemu learn \(arguments)") }

  @Test func `it makes a definition without mistakes, and says how well it answers`() {
    let result = learn("\(Self.recordings)jk-b5a24s.btsnoop --name battery --as recording")
    #expect(result.status == 0)
    #expect(result.output.contains("616 of 616 answers as recorded\n"))
    #expect(result.output.contains("note: The recording has no advertisement of the device.\n"))
    #expect(result.output.contains("battery.transcript: 1 of 1 sections pass\nmade "))
    #expect(result.output.contains("\n  blemu run battery/battery.yaml\n"))
    #expect(shell.run("blemu check battery").status == 0)
    #expect(shell.run("blemu check battery --on exact").status == 0)
    #expect(shell.run("blemu test battery").output.hasPrefix("ok      1 of 1  battery/battery.transcript\n"))
    #expect(shell.folder.read("battery/README.md")?.contains("jk-b5a24s.btsnoop: btsnoop (HCI, H4)") == true)
  }

  @Test func `it says in which line a model differs from the recorded conversations`() {
    let result = learn("\(Self.recordings)jk-b1a20s15p.btsnoop --name battery")
    #expect(
      result.output.contains(
        "battery.transcript: 1 of 2 sections pass; README.md says where the others differ\n"))
    let failures = shell.run("blemu test battery/battery.transcript").output
    let readme = shell.folder.read("battery/README.md") ?? ""
    let line = readme.split(separator: "\n").first { $0.hasPrefix("- Connection 1 differs in line ") }
    let (place, message) = (line?.split(separator: " ")[6], line?.split(separator: ": ", maxSplits: 1).last)
    #expect(
      failures.contains(
        "battery.transcript:\(place?.dropLast() ?? "?"): Connection 1: \(message?.dropLast() ?? "?")"),
      "\(readme) \(failures)")
  }

  @Test func `it says which bundled device answers alike, and how to extend it`() {
    let result = learn("\(Self.recordings)jk-bd6a24s10p.btsnoop --name battery")
    let likeness = "jk-bms: 4 of 4 requests answered alike"
    let command = "blemu new my-jk-bms --from jk-bms"
    #expect(
      result.output.contains("\nlooks like \(likeness); try 'extends: jk-bms', as in '\(command)'\n"))
    let readme = shell.folder.read("battery/README.md") ?? ""
    #expect(readme.contains("- It looks like the bundled \(likeness).\n"))
    #expect(shell.run(command).status == 0)
    #expect(shell.folder.read("my-jk-bms/my-jk-bms.yaml")?.contains("\nextends: jk-bms\n") == true)
    #expect(shell.run("blemu check my-jk-bms --on exact").status == 0)
    let json = learn("\(Self.recordings)jk-bd6a24s10p.btsnoop --name again --json").output
    #expect(json.contains(#""looks-like": {"device": "jk-bms", "requests": 4, "requests-alike": 4"#))
  }

  @Test func `it makes a device that notifies with the handle of a descriptor`() {
    let result = learn("\(Self.recordings)treadmill.btsnoop --as recording")
    #expect(result.output.contains("1,308 of 1,308 answers as recorded\n"))
    #expect(result.output.contains("horizon-7-4at-55fd/horizon-7-4at-55fd.transcript, "))
    let next =
      "blemu run horizon-7-4at-55fd/horizon-7-4at-55fd.yaml --on exact  # BlueZ refuses raw data of type 01 (Flags)"
    #expect(result.output.contains(next))
    let readme = shell.folder.read("horizon-7-4at-55fd/README.md") ?? ""
    #expect(
      readme.contains(
        "    blemu run horizon-7-4at-55fd.yaml --on exact  # puts it on the air, on blemu's own host: BlueZ refuses"
      ))
  }

  @Test func `it tells the evidence as text and as JSON, and writes nothing with a check`() {
    let file = Self.recordings + "jk-b1a20s15p.btsnoop"
    let text = learn("\(file) --check 30% --explain").output
    #expect(text.contains("sum8 over bytes 0 to 18"))
    #expect(text.contains("replayed against the rest: "))
    let json = learn("\(file) --check 30% --json").output
    #expect(json.contains(#""claim": "sum8 over bytes 0 to 18""#))
    #expect(shell.run("ls").output == "empty\nfull\ntext\n")
  }

  @Test func `it leaves out what identifies the device`() {
    let result = learn("\(Self.recordings)treadmill.btsnoop --anonymous")
    #expect(result.status == 0)
    #expect(result.output.contains("note: Names, serial numbers and the address of the device are replaced."))
    let files = ["README.md", "learnt.yaml", "learnt.transcript"].map {
      shell.folder.read("learnt/\($0)") ?? ""
    }
    for text in files {
      #expect(!text.isEmpty && !text.contains("HORIZON") && !text.contains("horizon"))
      #expect(!text.contains("48 4F 52 49 5A 4F 4E") && !text.contains("C0:FF:EE"))
    }
    #expect(shell.run("blemu check learnt --on exact").status == 0)
  }

  @Test func `a cut recording gives what comes before the cut`() {
    _ = shell.run("head -c 40000 \(Self.recordings)treadmill.btsnoop | gzip > cut.log.gz")
    let result = learn("cut.log.gz --name cut")
    #expect(result.status == 0)
    #expect(result.output.contains("note: The file ends within a record. (at byte 39981)\n"))
    #expect(result.output.contains("(by frame): 338 of 339 answers as recorded"))
    #expect(!result.output.contains("response"))
  }

  @Test(arguments: [
    ("nothing", 66, "There is no file nothing."), ("empty", 65, "empty is empty."),
    ("text", 65, "text is not a recording of Bluetooth."), ("full", 65, "full is a folder."),
    ("\(recordings)treadmill.btsnoop --device 2", 64, "1  C0:FF:EE:00:00:01  \"HORIZON 7.4AT 55FD\"  1 link"),
    ("\(recordings)jk-b1a20s15p.btsnoop -o full", 73, "'full' already exists and is not empty"),
    ("\(recordings)treadmill.btsnoop --as double", 64, "'double' is not a value of '--as'"),
    ("\(recordings)treadmill.btsnoop --check 100", 64, "'100' is not a value of '--check'"),
    ("\(recordings)jk-b1a20s15p.btsnoop --table nothing", 66, "nothing"),
    ("", 64, "'learn' needs a RECORDING"),
  ])
  func `bad input`(arguments: String, status: Int32, message: String) {
    let result = learn(arguments)
    #expect(result.status == status)
    #expect(result.error.contains(message), "\(result)")
  }

  @Test func `a definition is compared with a recording, answers included`() {
    _ = learn("\(Self.recordings)jk-bd6a24s10p.btsnoop --name battery --as recording")
    let same = shell.run("blemu diff battery \(Self.recordings)jk-bd6a24s10p.btsnoop")
    #expect(same.status == 0, "\(same)")
    #expect(same.output.hasSuffix("answers: 172 of 172 answers as recorded\n"))
    let other = shell.run("blemu diff hm-10 \(Self.recordings)jk-bd6a24s10p.btsnoop")
    #expect(other.status == 1)
    #expect(other.output.contains("171 values missing"))
  }
}
