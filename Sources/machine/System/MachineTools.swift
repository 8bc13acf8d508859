import Glibc

/// What a hint may name on this machine: a hint names nothing that is not there, or says how to get it.
package struct MachineTools: Hashable, Sendable {
  /// Those of ``programsInHints`` that are installed.
  package var programs: Set<String>
  package var isRoot: Bool
  /// Whether systemd is the first process (sd_booted(3)).
  package var hasSystemd: Bool
  /// Whether bluetoothd is installed, where Debian and others, or earlier ones, have it.
  package var hasBluetoothd: Bool
  /// Whether its unit of systemd is masked: then nothing starts it, not even D-Bus.
  package var isBluetoothdMasked: Bool
  /// Whether the kernel has Bluetooth built in, or as a module that is installed.
  package var hasBluetoothModule: Bool
  package var isInContainer: Bool
  /// The path of this program.
  package var program: String
  /// The folder in which a shell finds `tools`, as it is written; empty: the current one; nil: the program is installed, and comes
  /// without them.
  package var repository: String?

  package init(
    programs: Set<String>, isRoot: Bool = false, hasSystemd: Bool = true, hasBluetoothd: Bool = true,
    isBluetoothdMasked: Bool = false, hasBluetoothModule: Bool = true,
    isInContainer: Bool = false, program: String = "/usr/bin/blemu", repository: String? = nil
  ) {
    (self.programs, self.isRoot, self.hasSystemd) = (programs, isRoot, hasSystemd)
    (self.hasBluetoothd, self.isBluetoothdMasked) = (hasBluetoothd, isBluetoothdMasked)
    (self.hasBluetoothModule, self.isInContainer) = (hasBluetoothModule, isInContainer)
    (self.program, self.repository) = (program, repository)
  }

  package static let programsInHints: Set<String> = [
    "adduser", "apt-get", "btmgmt", "modprobe", "rfkill", "service", "setcap", "sudo",
  ]
}

// MARK: Looking

extension MachineTools {
  /// Those of this machine, now.
  package static var ofThisMachine: MachineTools { MachineTools(FileTree()) }

  package init(_ files: FileTree) {
    // Those of root, too, which the PATH of another user need not have.
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let folders =
      path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin"]
    let program = realpath("/proc/self/exe", nil).map { path in
      defer { free(path) }
      return String(cString: path)
    }
    self.init(
      programs: Self.programsInHints.filter { name in
        folders.contains { access("\(files.root)\($0)/\(name)", X_OK) == 0 }
      },
      isRoot: geteuid() == 0, hasSystemd: files.exists("run/systemd/system"),
      hasBluetoothd: ["libexec", "lib"].contains { files.exists("usr/\($0)/bluetooth/bluetoothd") },
      isBluetoothdMasked: ["etc", "run"].contains {
        files.target("\($0)/systemd/system/bluetooth.service") == "/dev/null"
      },
      hasBluetoothModule: Self.hasBluetoothModule(files),
      isInContainer: [".dockerenv", "run/.containerenv", "run/systemd/container"].contains(
        where: files.exists),
      program: program ?? "blemu",
      repository: program.flatMap(Self.repository))
  }

  /// A line of these lists begins with the path of a module, as in `kernel/net/bluetooth/bluetooth.ko.xz: …` (depmod(8)).
  private static func hasBluetoothModule(_ files: FileTree) -> Bool {
    if ["sys/class/bluetooth", "sys/module/bluetooth"].contains(where: files.exists) { return true }
    let release = files.line("proc/sys/kernel/osrelease") ?? ""
    return ["modules.dep", "modules.builtin"].contains { list in
      (files.text("lib/modules/\(release)/\(list)") ?? "").split(separator: "\n").contains {
        $0.prefix { $0 != ":" }.split(separator: "/").last?.hasPrefix("bluetooth.ko") == true
      }
    }
  }

  /// The folder above a program, in which it was built: it has the tools, too.
  private static func repository(of program: String) -> String? {
    var folder = program[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      guard access("\(folder)/tools/radio", X_OK) == 0, access("\(folder)/Package.swift", F_OK) == 0 else {
        continue
      }
      let current = getcwd(nil, 0).map { path in
        defer { free(path) }
        return String(cString: path)
      }
      return current == String(folder) ? "" : folder + "/"
    }
    return nil
  }
}

// MARK: Commands in hints

extension MachineTools {
  /// A command as this user types it, who may have to become root for it.
  ///
  /// - Parameter package: Debian's, which has the program.
  package func asRoot(_ command: String, from package: String? = nil) -> String {
    let name = String(command.prefix { $0 != " " })
    guard let package, !programs.contains(name) else { return raised(command) }
    return programs.contains("apt-get")
      ? "\(raised("apt-get install \(package)")) && \(raised(command))"
      : "\(raised(command)), once '\(name)' is installed"
  }

  private func raised(_ command: String) -> String {
    if programs.contains("sudo") { return "sudo \(command)" }
    return isRoot ? command : "su -c '\(command)'"
  }

  /// Starts or restarts a service: the root's command.
  package func control(_ verb: String, _ service: String) -> String {
    hasSystemd ? "systemctl \(verb) \(service)" : "service \(service) \(verb)"
  }

  /// After an edit of main.conf, bluetoothd has to read it: the root's command.
  package var restart: String { control("restart", "bluetooth") }

  /// Lets bluetoothd start: the root's commands.
  package var startOfBluetoothd: [String] {
    (isBluetoothdMasked && hasSystemd ? ["systemctl unmask bluetooth"] : []) + [control("start", "bluetooth")]
  }

  /// Where bluetoothd writes what is wrong.
  package var logOfBluetoothd: String { hasSystemd ? "journalctl -u bluetooth" : "in syslog" }

  package var runAsRoot: String {
    if isRoot, isInContainer { return "start the container with its option '--privileged'" }
    return programs.contains("sudo") ? "run blemu with sudo" : "run blemu as root"
  }

  /// - Parameter package: Debian's.
  package func installing(_ package: String) -> String {
    programs.contains("apt-get") ? "install it (\(asRoot("apt-get install \(package)")))" : "install it"
  }

  package var unblocking: String { asRoot("rfkill unblock bluetooth", from: "rfkill") }

  /// Makes the sockets of Bluetooth appear: a hint.
  package var loadingBluetooth: String {
    if isInContainer {
      return
        "on the host, load the module 'bluetooth'; start the container with the host's network (--net=host)"
    }
    if hasBluetoothModule { return "load them (\(asRoot("modprobe bluetooth", from: "kmod")))" }
    let debian = "linux-image-$(dpkg --print-architecture)"
    return "boot a kernel with Bluetooth (Debian's cloud kernels have none"
      + (programs.contains("apt-get") ? "; \(asRoot("apt-get install \(debian)")))" : ")")
  }

  /// Gives this program capabilities.
  package func granting(_ capabilities: String) -> String {
    asRoot("setcap \(capabilities)+ep \(program)", from: "libcap2-bin")
  }

  /// What works on a machine without Bluetooth; nil: nothing that this program could name.
  ///
  /// - Parameter inMemory: whether the command can have its device in memory.
  package func withoutBluetooth(inMemory: Bool) -> String? {
    var ways =
      inMemory
      ? ["'--on loopback' runs the device in memory", "'blemu play' lets you play its central"] : []
    if let repository {
      ways.append("\(repository)tools/radio has virtual controllers (--on exact:tcp:localhost:6402)")
      ways.append("\(repository)tools/vm has BlueZ with virtual adapters")
    }
    guard let last = ways.popLast() else { return nil }
    return "without Bluetooth: " + (ways.isEmpty ? "" : ways.joined(separator: ", ") + ", and ") + last
  }
}
