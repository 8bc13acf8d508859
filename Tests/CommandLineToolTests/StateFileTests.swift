import Bluetooth
import DeviceModel
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import CommandLineTool
@testable import Devices

/// The file of `--state`.
@Suite struct StateFileTests {
  static let lamp = """
    blemu: 1
    name: Lamp
    settings:
      local-name: { type: text, max: 12, default: Lamp }
      level: { type: integer, min: 0, max: 9, default: 5 }
    advertisement: { local-name: "{local-name} {level}" }
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
    """
  static let kept = "definition: \"Lamp\"\nsettings:\n  local-name: \"Desk\"\n"

  let folder: TemporaryFolder
  var path: String { folder.path + "state.yaml" }

  init() { folder = TemporaryFolder(["lamp.yaml": Self.lamp]) }

  func choice(_ assignments: [String] = []) throws -> DefinitionChoice {
    try DefinitionChoice(folder.path + "lamp.yaml", assignments: assignments, on: .loopback)
  }

  func state(_ text: String? = nil, _ assignments: [String] = []) throws -> StateFile {
    if let text { try AtomicFile.write(text, to: path) }
    return try StateFile(path, for: choice(assignments))
  }

  @Test func `the file overrides the defaults, and --set overrides the file`() throws {
    #expect(try state().settings == [.text("Lamp"), .integer(5)])
    #expect(folder.read("state.yaml") == "")
    #expect(try state(Self.kept).settings == [.text("Desk"), .integer(5)])
    #expect(try state(Self.kept, ["local-name=Mine", "level=3"]).settings == [.text("Mine"), .integer(3)])
  }

  @Test func `the file is written only when its text changes, and no temporary file remains`() throws {
    var state = try state(Self.kept)
    chmod(path, 0o644)
    try state.keep([.text("Desk"), .integer(5)])
    #expect(folder.permissions(of: "state.yaml") == 0o644)
    try state.keep([.text("Desk"), .integer(9)])
    #expect(folder.read("state.yaml") == Self.kept + "  level: 9\n")
    #expect(folder.permissions(of: "state.yaml") == 0o600)
    #expect(folder.entries == ["lamp.yaml", "state.yaml"])
    try state.keep([.text("Lamp"), .integer(5)])
    #expect(folder.read("state.yaml") == "definition: \"Lamp\"\nsettings: {}\n")
  }

  @Test func `a new file is private`() throws {
    _ = try state()
    #expect(folder.permissions(of: "state.yaml") == 0o600)
  }

  @EventLoop @Test func `bonds are kept with the settings, for each address of the device`() throws {
    let (one, other) = (DeviceAddress([0, 0, 0, 0, 0, 1])!, DeviceAddress([0, 0, 0, 0, 0, 2])!)
    let bond = Bond(with: LinkAddress(other, .random), configurations: ["FFE1": 1])
    let keeper = SettingsKeeper(try state(Self.kept))
    #expect(keeper.keep([bond], of: one) == nil)
    #expect(keeper.keep([Bond(with: LinkAddress(one))], of: other) == nil)
    #expect(keeper.keep([.text("Desk"), .integer(9)]) == nil)
    #expect(
      folder.read("state.yaml") == Self.kept + """
          level: 9
        bonds:
          - central: "00:00:00:00:00:02"
            address-type: random
            device: "00:00:00:00:00:01"
            configurations: { FFE1: notify }
          - central: "00:00:00:00:00:01"
            address-type: public
            device: "00:00:00:00:00:02"

        """)
    #expect(keeper.bonds(of: one) == [bond])
    #expect(keeper.centrals == [LinkAddress(other, .random), LinkAddress(one)])
    #expect(keeper.keep([] as [Bond], of: one) == nil)
    #expect(keeper.centrals == [LinkAddress(one)])
    #expect(keeper.forgetBonds() == nil)
    #expect(folder.read("state.yaml") == Self.kept + "  level: 9\n")
  }

  @Test func `bonds are read again`() throws {
    let bonds = "bonds:\n  - { central: '00:00:00:00:00:02', device: '00:00:00:00:00:01' }\n"
    let state = try state(Self.kept + bonds)
    #expect(state.bonds.map(\.bond) == [Bond(with: LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 2])!))])
  }

  @Test func `a symbolic link to the file is kept`() throws {
    try AtomicFile.write(Self.kept, to: folder.path + "there.yaml")
    symlink("there.yaml", path)
    var state = try state()
    try state.keep([.text("Lamp"), .integer(1)])
    #expect(folder.read("there.yaml")?.hasSuffix("level: 1\n") == true)
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a second run with the same file is refused, even after the first has written it`() throws {
    var state: StateFile? = try state(Self.kept)
    #expect(throws: StateFileError.inUse(path: path)) { try StateFile(path, for: choice()) }
    try state?.keep([.text("Lamp"), .integer(0)])
    #expect(throws: StateFileError.inUse(path: path)) { try StateFile(path, for: choice()) }
    state = nil
    #expect(try StateFile(path, for: choice()).settings == [.text("Lamp"), .integer(0)])
  }

  @Test(arguments: [
    "definition: Bulb\n", "definition: Lamp\nsettings: { size: 1 }\n",
    "definition: Lamp\nsettings: { level: 10 }\n",
    "definition: Lamp\nbonds: {}\n", "definition: Lamp\nbonds: [{ central: 1 }]\n", "\u{1}",
  ])
  func `a file of another device is left unchanged`(text: String) throws {
    #expect { try state(text) } throws: { error in
      guard case StateFileError.mistakes(path, "Lamp", let report) = error else { return false }
      return report.contains("error:")
    }
    #expect(folder.read("state.yaml") == text)
  }

  @Test func `a path that is not a writable file is an error`() throws {
    #expect(throws: StateFileError.notAFile(path: "/dev/null")) {
      try StateFile("/dev/null", for: choice())
    }
    let nowhere = folder.path + "no/state.yaml"
    #expect(throws: StateFileError.unwritable(UnwritableFile(nowhere, ENOENT))) {
      try StateFile(nowhere, for: choice())
    }
  }

  @EventLoop @Test func `failed writes are one warning until one succeeds`() throws {
    mkdir(folder.path + "a", 0o755)
    let path = folder.path + "a/state.yaml"
    let keeper = SettingsKeeper(try StateFile(path, for: choice()))
    #expect(keeper.keep([.text("Lamp"), .integer(1)]) == nil)
    rename(folder.path + "a", folder.path + "b")
    #expect(
      keeper.keep([.text("Lamp"), .integer(2)])
        == "cannot keep settings: cannot write '\(path)': No such file or directory")
    #expect(keeper.keep([.text("Lamp"), .integer(3)]) == nil)
    #expect(throws: StateFileError.unwritable(UnwritableFile(path, ENOENT))) {
      try keeper.finish()
    }
    rename(folder.path + "b", folder.path + "a")
    #expect(keeper.keep([.text("Lamp"), .integer(4)]) == nil)
    rename(folder.path + "a", folder.path + "b")
    #expect(keeper.keep([.text("Lamp"), .integer(6)]) != nil)
    rename(folder.path + "b", folder.path + "a")
    try keeper.finish()
    #expect(folder.read("a/state.yaml")?.hasSuffix("level: 6\n") == true)
  }
}
