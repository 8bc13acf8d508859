import Definitions
import Framing
import Glibc
import System

// MARK: What the file system shows

extension MachineFacts {
  /// - Parameters:
  ///   - files: those of the machine.
  ///   - hasSockets: whether the kernel gives this process a Bluetooth socket.
  package init(files: FileTree, hasSockets: Bool) {
    kernel = KernelFacts(files, hasSockets: hasSockets)
    tools = MachineTools(files)
    surroundings = Surroundings(files, release: kernel.release)
    bluetoothd = BluetoothdFacts(files)
    configuration = ConfigurationFacts(files, bluetoothd?.process)
    let radios = RadioSwitch.all(files)
    adapters = files.names(in: "sys/class/bluetooth").filter { AdapterFacts.isAdapter($0) }.map { name in
      var adapter = AdapterFacts(name: name)
      adapter.radioSwitch = radios.first { $0.name == name }
      return adapter
    }.sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    switches = radios.filter { !AdapterFacts.isAdapter($0.name) }
    programs = Self.programsWithSockets(files, except: bluetoothd?.process)
  }

  /// The programs with sockets that /proc/net/hci lists: a line for each, whose sixth word is the inode.
  private static func programsWithSockets(_ files: FileTree, except bluetoothd: Int?) -> [RunningProgram] {
    let rows = (files.text("proc/net/hci") ?? "").split(separator: "\n").dropFirst()
    let inodes = Set(rows.compactMap { $0.split(separator: " ").dropFirst(5).first.map { "socket:[\($0)]" } })
    guard !inodes.isEmpty else { return [] }
    return processes(files).filter { $0 != bluetoothd && $0 != Int(getpid()) }.filter { process in
      files.names(in: "proc/\(process)/fd").contains {
        files.target("proc/\(process)/fd/\($0)").map(inodes.contains) ?? false
      }
    }.map { RunningProgram(name: files.line("proc/\($0)/comm") ?? "", process: $0) }
  }

  static func processes(_ files: FileTree) -> [Int] {
    files.names(in: "proc").compactMap { Int($0) }.sorted()
  }
}

extension AdapterFacts {
  /// Whether a name in /sys/class/bluetooth is that of an adapter. (A link has one such as `hci0:42`.)
  static func isAdapter(_ name: String) -> Bool { name.hasPrefix("hci") && Int(name.dropFirst(3)) != nil }
}

extension KernelFacts {
  fileprivate init(_ files: FileTree, hasSockets: Bool) {
    release = files.line("proc/sys/kernel/osrelease") ?? ""
    version = KernelVersion(
      release: release, build: files.line("proc/sys/kernel/version") ?? "",
      signature: files.line("proc/version_signature"))
    let isLoaded = files.exists("sys/class/bluetooth") || files.exists("sys/module/bluetooth")
    sockets = hasSockets ? .work : isLoaded ? .inAnotherNetwork : .absent
  }
}

extension Surroundings {
  fileprivate init(_ files: FileTree, release: String) {
    isSubsystem = release.lowercased().hasPart("microsoft")
    container =
      files.line("run/systemd/container")
      ?? (files.exists(".dockerenv") ? "docker" : files.exists("run/.containerenv") ? "podman" : nil)
    let vendor = files.line("sys/class/dmi/id/sys_vendor") ?? ""
    let processor = files.text("proc/cpuinfo") ?? ""
    let named = Self.vendors.first { vendor.hasPrefix($0.vendor) }?.name
    if processor.hasPart("User Mode Linux") {
      virtualMachine = "User Mode Linux"
    } else if processor.split(separator: "\n").contains(where: {
      $0.hasPrefix("flags") && String($0).hasPart(" hypervisor")
    }) {
      virtualMachine = named ?? "of an unknown kind"
    } else {
      virtualMachine = named
    }
  }

  /// Of the machines that the firmware names. Microsoft also makes tablets, which have no flag `hypervisor`.
  private static let vendors: [(vendor: String, name: String)] = [
    ("QEMU", "QEMU"), ("VMware", "VMware"), ("innotek", "VirtualBox"), ("Xen", "Xen"),
    ("Parallels", "Parallels"),
  ]
}

extension RadioSwitch {
  /// Those of Bluetooth (Documentation/ABI/stable/sysfs-class-rfkill).
  fileprivate static func all(_ files: FileTree) -> [RadioSwitch] {
    files.names(in: "sys/class/rfkill").compactMap { entry in
      let folder = "sys/class/rfkill/\(entry)/"
      guard files.line(folder + "type") == "bluetooth" else { return nil }
      return RadioSwitch(
        name: files.line(folder + "name") ?? entry, isSoftBlocked: files.line(folder + "soft") == "1",
        isHardBlocked: files.line(folder + "hard") == "1")
    }
  }
}

extension BluetoothdFacts {
  /// The process of this name; nil: none. Without a bus, nobody says which one serves it.
  fileprivate init?(_ files: FileTree) {
    let process = MachineFacts.processes(files).first { files.line("proc/\($0)/comm") == "bluetoothd" }
    guard let process else { return nil }
    self.init(process: process, files)
  }

  init(process: Int, _ files: FileTree) {
    self.init(process: process, user: nil, version: nil)
    let arguments = Self.arguments(of: process, files)
    isExperimental = arguments.contains { $0 == "-E" || $0.hasPrefix("--experimental") }
    let identity = files.text("proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix("Uid:") }
    let number = identity?.split { $0 == "\t" || $0 == " " }.dropFirst().first.flatMap { uid_t($0) }
    user = number.map(UserFacts.name)
  }

  fileprivate static func arguments(of process: Int, _ files: FileTree) -> [String] {
    (files.text("proc/\(process)/cmdline") ?? "").split(separator: "\0").map(String.init)
  }
}

extension ConfigurationFacts {
  /// - Parameter process: that of bluetoothd; nil: none.
  init(_ files: FileTree, _ process: Int?) {
    let arguments = process.map { BluetoothdFacts.arguments(of: $0, files) } ?? []
    if let given = Self.file(in: arguments) { path = given }
    let relative = String(path.drop { $0 == "/" })
    switch files.read(relative) {
    case .success(let text): content = .text(MainConfiguration(text))
    case .failure(let error) where error.code == ENOENT: content = .missing
    case .failure(let error): content = .unreadable(reason: error.message)
    }
    if let started = process.flatMap({ Self.start(of: $0, files) }), let changed = files.changed(relative) {
      // Both parts of the start are rounded down to seconds.
      isNewerThanBluetoothd = changed > started + 1
    }
  }

  /// The value of `-f` or `--configfile`.
  private static func file(in arguments: [String]) -> String? {
    for (index, word) in arguments.enumerated() {
      if word.hasPrefix("--configfile=") { return String(word.dropFirst("--configfile=".count)) }
      if word == "-f" || word == "--configfile" { return arguments.dropFirst(index + 1).first }
    }
    return nil
  }

  /// When a process began, seconds since 1970: the 22nd field of its stat, in ticks since the boot, which /proc/stat has.
  private static func start(of process: Int, _ files: FileTree) -> Int? {
    let boot = files.text("proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
    let fields = files.text("proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ")
    guard let boot = boot?.split(separator: " ").last.flatMap({ Int($0) }),
      let ticks = fields?.dropFirst(19).first.flatMap({ Int($0) })
    else { return nil }
    return boot + ticks / sysconf(Int32(_SC_CLK_TCK))
  }
}

extension FileTree {
  func names(in folder: String) -> [String] { FileSystem.entries(of: root + folder) }
}
