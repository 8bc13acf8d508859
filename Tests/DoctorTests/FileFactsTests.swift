import Glibc
import TestSupport
import System
import Testing

@testable import Doctor

/// Facts from the files of made machines, also of some on which no test can run.
@Suite struct FileFactsTests {
  private func facts(_ files: [String: String], hasSockets: Bool = true) -> MachineFacts {
    let folder = TemporaryFolder(files)
    return withExtendedLifetime(folder) {
      MachineFacts(files: FileTree(root: folder.path), hasSockets: hasSockets)
    }
  }

  private func codes(_ files: [String: String], hasSockets: Bool) -> [String] {
    Examination(of: facts(files, hasSockets: hasSockets), for: Purpose()).findings.map(\.code)
  }

  @Test func `Windows Subsystem for Linux without Bluetooth`() {
    let files = ["proc/sys/kernel/osrelease": "5.15.167.4-microsoft-standard-WSL2\n"]
    #expect(codes(files, hasSockets: false).first == "subsystem-without-bluetooth")
    #expect(codes(files, hasSockets: true).contains("subsystem-without-adapter"))
  }

  @Test func `a container with a network of its own`() {
    let files = [".dockerenv": "", "sys/class/bluetooth/hci0/uevent": ""]
    #expect(codes(files, hasSockets: false).first == "container-without-bluetooth")
    #expect(facts(files).surroundings.container == "docker")
    #expect(facts(["run/.containerenv": ""]).surroundings.container == "podman")
    #expect(facts(["run/systemd/container": "lxc\n"]).surroundings.container == "lxc")
  }

  @Test func `a kernel whose module is not loaded, and one without`() {
    let release = ["proc/sys/kernel/osrelease": "6.12.1\n"]
    let module = [
      "lib/modules/6.12.1/modules.dep": "kernel/net/bluetooth/bluetooth.ko.xz: kernel/crypto/ecc.ko.xz\n"
    ]
    #expect(codes(release.merging(module) { $1 }, hasSockets: false).first == "no-sockets")
    #expect(codes(release, hasSockets: false).first == "kernel-without-bluetooth")
  }

  @Test func `what a hint may name`() {
    let folder = TemporaryFolder([
      "run/systemd/system/x": "", "usr/lib/bluetooth/bluetoothd": "", "etc/systemd/system/x": "",
    ])
    let (program, unit) = (folder.path + "usr/sbin", folder.path + "etc/systemd/system/bluetooth.service")
    mkdir(program, 0o777)
    symlink("/bin/true", program + "/rfkill")
    symlink("/dev/null", unit)
    let tools = MachineFacts(files: FileTree(root: folder.path), hasSockets: true).tools
    #expect(tools.programs == ["rfkill"])
    #expect(tools.hasSystemd && tools.hasBluetoothd && tools.isBluetoothdMasked && !tools.hasBluetoothModule)
    #expect(tools.repository != nil)  // that of this test
  }

  @Test func `a kernel that is known to be bad`() {
    let files = [
      "proc/sys/kernel/osrelease": "6.18.34+rpt-rpi-2712\n",
      "proc/sys/kernel/version": "#1 SMP PREEMPT Debian 1:6.18.34-1+rpt1 (2026-06-09)\n",
    ]
    #expect(codes(files, hasSockets: true).contains("refuses-advertisements"))
  }

  @Test(
    arguments: [
      (["sys/class/dmi/id/sys_vendor": "QEMU\n"], "QEMU"),
      (["proc/cpuinfo": "flags\t\t: fpu hypervisor lahf_lm\n"], "of an unknown kind"),
      (["proc/cpuinfo": "model name\t: UML\nvendor_id\t: User Mode Linux\n"], "User Mode Linux"),
      (["sys/class/dmi/id/sys_vendor": "Microsoft Corporation\n", "proc/cpuinfo": "flags\t\t: fpu\n"], nil),
    ] as [([String: String], String?)])
  func `virtual machines`(files: [String: String], kind: String?) {
    #expect(facts(files).surroundings.virtualMachine == kind)
  }

  @Test func `switches of an adapter and of the machine`() {
    let files = [
      "sys/class/bluetooth/hci1/uevent": "", "sys/class/bluetooth/hci1:42/uevent": "",
      "sys/class/rfkill/rfkill0/type": "bluetooth\n", "sys/class/rfkill/rfkill0/name": "hci1\n",
      "sys/class/rfkill/rfkill0/soft": "1\n", "sys/class/rfkill/rfkill0/hard": "0\n",
      "sys/class/rfkill/rfkill1/type": "bluetooth\n",
      "sys/class/rfkill/rfkill1/name": "tpacpi_bluetooth_sw\n",
      "sys/class/rfkill/rfkill1/hard": "1\n", "sys/class/rfkill/rfkill2/type": "wlan\n",
    ]
    let facts = facts(files)
    #expect(facts.adapters.map(\.name) == ["hci1"])
    #expect(facts.adapters.first?.radioSwitch == RadioSwitch(name: "hci1", isSoftBlocked: true))
    #expect(facts.switches == [RadioSwitch(name: "tpacpi_bluetooth_sw", isHardBlocked: true)])
  }

  @Test func `the name of a program has no control characters`() {
    #expect(RunningProgram(name: "a\u{1B}[2J", process: 700).name == "a\\x1B[2J")
  }

  @Test func `a bluetoothd with a main.conf of its own, which has changed since`() {
    let fields = (3...21).map { _ in "0" }.joined(separator: " ")
    let files = [
      "proc/512/comm": "bluetoothd\n", "proc/512/status": "Name:\tbluetoothd\nUid:\t0\t0\t0\t0\n",
      "proc/512/stat": "512 (bluetoothd) \(fields) 100 0\n", "proc/stat": "cpu 1\nbtime 1000\n",
      "srv/main.conf": "[GATT]\nChannels = 2\n",
      "proc/512/cmdline": "/usr/libexec/bluetooth/bluetoothd\0-E\0-f\0/srv/main.conf\0",
    ]
    let folder = TemporaryFolder(files)
    let facts = MachineFacts(files: FileTree(root: folder.path), hasSockets: true)
    #expect(facts.bluetoothd?.process == 512)
    #expect(facts.bluetoothd?.user == "root")
    #expect(facts.bluetoothd?.isExperimental == true)
    #expect(facts.configuration.path == "/srv/main.conf")
    #expect(facts.configuration.isNewerThanBluetoothd)
    guard case .text(let configuration) = facts.configuration.content else { Issue.record("no file"); return }
    #expect(configuration.value("GATT", "Channels") == "2")

    // The boot was in the second 1000, and bluetoothd started at least a second after it: in 1001 or 1002.
    func isNewer(changedAt seconds: Int) -> Bool {
      let time = timeval(tv_sec: seconds, tv_usec: 0)
      utimes(folder.path + "srv/main.conf", [time, time])
      return MachineFacts(files: FileTree(root: folder.path), hasSockets: true).configuration
        .isNewerThanBluetoothd
    }
    #expect(!isNewer(changedAt: 1002))
    #expect(isNewer(changedAt: 1003))
  }

  @Test func `nothing at all`() {
    #expect(facts([:], hasSockets: false).configuration.content == .missing)
  }
}
