// swift-tools-version: 6.2
import PackageDescription

/// Language mode 6 with every warning an error, for every target.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The further settings of the program: a section for each function, so that the linker can drop unused ones.
/// A release does not check again at run time, as debug builds and so the tests do, the isolation of each closure that the standard
/// library calls: that takes a quarter of the instructions of a value's path. It does check exclusive access (a fifth).
let sourceSettings: [SwiftSetting] =
  settings + [
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    .unsafeFlags(
      [
        "-Xfrontend", "-function-sections", "-Xfrontend", "-disable-dynamic-actor-isolation",
      ],
      .when(configuration: .release)),
  ]

/// - Parameter folder: of its sources, in `Sources`; the target has its last name.
func target(
  _ folder: String, _ dependencies: [Target.Dependency] = [], _ furtherSettings: [SwiftSetting] = []
) -> Target {
  .target(
    name: String(folder.split(separator: "/").last!), dependencies: dependencies, path: "Sources/" + folder,
    swiftSettings: sourceSettings + furtherSettings)
}

/// The settings of the library's targets. SwiftPM does not let other packages use a version of this one whose library has
/// unsafe flags.
let librarySettings = settings + [.enableUpcomingFeature("InternalImportsByDefault")]

/// For a target with many generic types that the start needs once: the compiler makes their metadata. Each later use costs
/// a little more.
let readyMetadata: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-prespecialize-generic-metadata"], .when(configuration: .release))
]

/// Where libsoup is. What pkg-config says of it has flags that SwiftPM does not take, and warns of each time.
let soup: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-I/usr/include/libsoup-3.0"])]

/// - Parameter snapshots: the folders of files that a test reads.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], snapshots: [String] = [],
  _ furtherSettings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: snapshots,
    swiftSettings: settings + furtherSettings)
}

/// Keeps the program small and fast to start: no unused code, identical functions once, and no exported names. Each start has
/// other addresses, and what the loader writes is read-only afterwards (Tests/Release/check). The packed form of relocations
/// (glibc 2.36) is a third faster than the other, but each start still writes to 150 pages, which takes half a millisecond.
let lean = LinkerSetting.unsafeFlags(
  [
    "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", "-Xlinker", "--no-export-dynamic",
    "-Xclang-linker", "-pie",
    "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
    "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    "-Xlinker", "\(Context.packageDirectory)/tools/build.d/discard.ld",
  ], .when(configuration: .release))

/// The targets of the fuzzer (`tools/fuzz`): the same sources are tests, and with `BLEMU_FUZZ` a program with libFuzzer.
let isFuzzing = Context.environment["BLEMU_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
  "AttributeServer", "BlueZLimits", "ControlServer", "Definitions", "DefinitionWriter", "Learning",
  "Loopback", "Peripheral", "TestBeds", "TrafficView",
  "Centrals", "GATTClient", "Captures", "Host",
  "TestSupport", "WebServer",
]
let fuzzTarget: Target =
  isFuzzing
  ? .executableTarget(
    name: "Fuzz", dependencies: fuzzed, path: "Tests/Fuzz",
    exclude: ["Corpus", "Replay"], swiftSettings: settings + soup + [.unsafeFlags(["-parse-as-library"])])
  : .testTarget(
    name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
    exclude: ["Corpus", "EntryPoint"], swiftSettings: settings + soup)

/// Programs whose release runs, in the virtual machine and in `tools/bench engine`: `tools/build` asks for them, so that no debug build
/// compiles and links them.
let releasePrograms: [Target] =
  Context.environment["BLEMU_RELEASE_PROGRAMS"] == nil
  ? []
  : [
    .executableTarget(
      name: "engine-bench",
      dependencies: ["ControlServer", "Definitions", "Exact", "Faults", "Host", "L2CAP", "TrafficView"],
      path: "tools/bench.d/engine", swiftSettings: sourceSettings, linkerSettings: [lean]),
    .executableTarget(
      name: "transport-conformance",
      dependencies: ["Conformance", "BlueZ", "BlueZLimits", "Exact", "GATTClient"],
      path: "Tests/VM/conformance", swiftSettings: settings),
    .executableTarget(
      name: "round-trip", dependencies: ["RoundTrip"], path: "Tests/VM/round-trip", swiftSettings: settings),
  ]

let package = Package(
  name: "blemu",
  // Only the library: SwiftPM makes the program without being told, and the names of all targets of a product are taken
  // for every package that uses one of them.
  products: [.library(name: "BlemuControl", targets: ["BlemuControl"])],
  targets: [
    // C libraries from Debian, each imported by exactly one target.
    .systemLibrary(
      name: "CDBus", path: "Sources/bluez/CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(
      name: "CGLib", path: "Sources/machine/CGLib", pkgConfig: "glib-2.0",
      providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "CYAML", path: "Sources/language/CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]
    ),
    .systemLibrary(
      name: "CNettle", path: "Sources/values/CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/values/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLineEditing", path: "Sources/programs/CLineEditing"),  // libedit, loaded at run time
    .systemLibrary(name: "CCapabilities", path: "Sources/machine/CCapabilities"),  // Linux
    .systemLibrary(
      name: "CSoup", path: "Sources/control/CSoup", pkgConfig: "gobject-2.0",
      providers: [.apt(["libsoup-3.0-dev"])]),

    // What a release was built from.
    .target(
      name: "CCommit", path: "Sources/programs/CCommit",
      cSettings: Context.environment["BLEMU_COMMIT"].map { [.define("BLEMU_COMMIT", to: "\"\($0)\"")] }),

    // Values and functions: no clock, no IO.
    target("values/Bluetooth"),
    target("values/Framing"),
    .target(name: "BlemuJSON", path: "Sources/values/BlemuJSON", swiftSettings: librarySettings),
    .target(name: "BlemuFolders", path: "Sources/machine/BlemuFolders", swiftSettings: librarySettings),  // looks at the file system
    target("values/Cryptography", ["CNettle"]),
    .target(
      name: "DeviceModel", dependencies: ["Bluetooth", "Cryptography", "Framing"],
      path: "Sources/language/DeviceModel",
      swiftSettings: sourceSettings,
      linkerSettings: [.linkedLibrary("m")]),  // rounding
    target("engine/Behavior", ["DeviceModel"]),
    target("bluez/BlueZLimits", ["DeviceModel"]),
    target("host/HCIPackets", ["Bluetooth"]),
    target("host/SecurityManager", ["Bluetooth", "Cryptography", "Framing"]),
    target("engine/Traffic", ["Behavior"]),
    target("engine/AttributeServer", ["Behavior", "Cryptography"]),

    // Definition files and their diagnostics.
    target("language/Definitions", ["DeviceModel", "BlemuJSON", "CYAML"], readyMetadata),
    // Transcripts: the language and its text. TestBeds runs them.
    target("language/Transcripts", ["Definitions", "Traffic"]),
    target("language/DefinitionWriter", ["Definitions"]),

    // Recordings of Bluetooth traffic: files to links, and links to definitions.
    target("recordings/Captures", ["CZlib", "HCIPackets", "Framing"]),
    target("recordings/Learning", ["Behavior", "Captures", "DefinitionWriter"]),

    // A host above a controller: packets and time in, packets and events out.
    target("host/Host", ["Framing", "HCIPackets", "SecurityManager"]),

    // The event loop, which is the only isolation domain, and its users.
    target("machine/EventLoop", ["CGLib"]),
    target("machine/ServiceManager", ["EventLoop"]),
    target("engine/Peripheral", ["Behavior", "BlemuFolders", "EventLoop", "Traffic"]),
    target("engine/Faults", ["Peripheral"]),
    target("engine/GATTServer", ["AttributeServer", "Peripheral"]),
    target("others/Loopback", ["GATTServer"]),
    target("recordings/Recording", ["Captures", "GATTServer", "HCI"]),
    target("others/Wire", ["Peripheral"]),
    target("control/TrafficView", ["Peripheral", "BlemuJSON", "ServiceManager"]),

    // The control side of a running device: the protocol with its client, and its server.
    .target(
      name: "BlemuControl", dependencies: ["BlemuFolders", "BlemuJSON"], path: "Sources/control/BlemuControl",
      swiftSettings: librarySettings),
    target(
      "control/ControlServer",
      ["BlemuControl", "BlemuFolders", "Faults", "Loopback", "TrafficView", "Transcripts"]),

    target("bluez/DBus", ["EventLoop", "CDBus"]),
    target("machine/Privileges", ["CCapabilities"]),
    target("machine/Management", ["Bluetooth", "EventLoop", "Privileges"]),
    target("machine/HCI", ["EventLoop", "HCIPackets", "Privileges"]),
    target("bluez/PairingAgent", ["Bluetooth", "DBus"]),
    target(
      "host/Exact", ["GATTServer", "HCI", "Host", "Management", "PairingAgent"]),
    target("bluez/BlueZ", ["BlueZLimits", "HCI", "L2CAP", "Management", "PairingAgent", "Peripheral"]),
    target("machine/L2CAP", ["Bluetooth", "EventLoop", "Privileges"]),
    target("recordings/GATTClient", ["L2CAP"]),
    // What blemu does as a central: scan, and ask a device for all that it has.
    target("recordings/Centrals", ["Captures", "Exact", "GATTClient"]),
    target(
      "programs/TestBeds",
      ["Centrals", "Faults", "Learning", "Loopback", "Management", "PairingAgent", "Transcripts"]),

    // Several devices in one process, on any transport: started, watched over, started again.
    target(
      "programs/Devices",
      [
        "BlueZ", "BlueZLimits", "Centrals", "ControlServer", "DefinitionWriter", "Definitions", "Exact",
        "HCI",
        "Loopback",
        "Recording", "TrafficView", "Wire",
      ]),

    // What keeps this machine from running devices.
    target(
      "machine/Doctor",
      ["BlueZ", "BlueZLimits", "DBus", "Definitions", "Exact", "Management", "Peripheral"]),

    // The command line.
    target(
      "programs/CommandLineTool",
      [
        "AttributeServer", "BlemuControl", "BlemuJSON", "BlueZ", "BlueZLimits", "Captures", "Centrals",
        "CLineEditing", "ControlServer", "DefinitionWriter", "Definitions", "Devices", "Doctor", "Exact",
        "Faults", "HCI",
        "Learning", "Loopback", "Privileges", "Recording", "ServiceManager", "TestBeds", "TrafficView",
        "Wire",
      ]),
    .executableTarget(
      name: "blemu", dependencies: ["CCommit", "CommandLineTool"], path: "Sources/programs/blemu",
      swiftSettings: sourceSettings,
      linkerSettings: [lean]),

    // The page: a program of its own, so that blemu needs no libsoup.
    .target(name: "PageFiles", path: "Sources/control/PageFiles", exclude: ["files"]),
    target(
      "control/WebServer", ["BlemuControl", "BlemuJSON", "CSoup", "EventLoop", "PageFiles"], soup),
    .executableTarget(
      name: "blemu-web", dependencies: ["CCommit", "WebServer"], path: "Sources/programs/blemu-web",
      swiftSettings: sourceSettings + soup,
      linkerSettings: [lean]),

    // The conformance suite for transports: loopback in PeripheralTests, the others in the virtual machine.
    .target(
      name: "Conformance", dependencies: ["Definitions", "Peripheral"], path: "Tests/Conformance",
      swiftSettings: settings),
    // Bundled devices recorded and learnt: in memory in TestBedsTests, on exact in the virtual machine.
    .target(
      name: "RoundTrip",
      dependencies: ["Captures", "Exact", "Learning", "Recording", "TestBeds", "TestSupport"],
      path: "Tests/RoundTrip", swiftSettings: settings),

    // Shared by several tests.
    .target(
      name: "TestSupport", dependencies: ["Definitions", "L2CAP"], path: "Tests/Support",
      swiftSettings: settings),
    .target(name: "BusSupport", dependencies: ["DBus"], path: "Tests/BusSupport", swiftSettings: settings),
    // LE controllers on one air, in memory.
    .target(
      name: "ControllerModel", dependencies: ["Bluetooth", "Cryptography", "Framing"],
      path: "Tests/ControllerModel", swiftSettings: settings),

    // Transcripts between two hosts on that air, in virtual time: run by TestBedsTests.
    .executableTarget(
      name: "virtual-air",
      dependencies: ["ControllerModel", "Definitions", "Exact", "HCI", "TestBeds", "TestSupport"],
      path: "Tests/VirtualAir", swiftSettings: settings),

    tests("BluetoothTests", ["Bluetooth"]),
    tests("FramingTests", ["Framing"]),
    tests("JSONTests", ["BlemuJSON"]),
    tests("CryptographyTests", ["Cryptography"]),
    tests(
      "DefinitionsTests", ["BlueZLimits", "Definitions", "DefinitionWriter"], snapshots: ["Diagnostics"]),
    tests("DefinitionWriterTests", ["Definitions", "DefinitionWriter"]),
    tests("CapturesTests", ["Captures"], snapshots: ["Captures"]),
    tests("LearningTests", ["AttributeServer", "Definitions", "Exact", "Learning"]),
    tests("AttributeServerTests", ["Definitions", "AttributeServer"], snapshots: ["Cases"]),
    tests("BehaviorTests", ["Definitions", "Behavior"]),
    tests("PeripheralTests", ["Definitions", "Peripheral", "Loopback", "Conformance"]),
    tests("FaultsTests", ["Conformance", "Definitions", "Faults", "Loopback"]),
    tests("EventLoopTests", ["EventLoop"]),
    tests("ServiceManagerTests", ["ServiceManager"]),
    tests("DBusTests", ["DBus", "BusSupport"]),
    tests("PairingAgentTests", ["BusSupport", "PairingAgent"]),
    tests("BlueZLimitsTests", ["BlueZLimits", "Definitions"]),
    tests("BlueZTests", ["BlueZ", "BusSupport"]),
    tests("TranscriptsTests", ["Transcripts"], snapshots: ["Mistakes"]),
    tests(
      "TestBedsTests",
      ["BlueZLimits", "BusSupport", "Captures", "Exact", "Learning", "Recording", "RoundTrip", "TestBeds"],
      snapshots: ["Failures", "RoundTrip/README.md"]),
    tests("L2CAPTests", ["L2CAP"]),
    tests("GATTClientTests", ["GATTClient"]),
    tests("ManagementTests", ["Management"]),
    tests("HCIPacketsTests", ["HCIPackets"]),
    tests("ControllerModelTests", ["ControllerModel"]),
    tests("SecurityManagerTests", ["SecurityManager"]),
    tests("HCITests", ["HCI"]),
    tests("HostTests", ["ControllerModel", "Host"]),
    tests("RecordingTests", ["Definitions", "Exact", "Loopback", "Recording"]),
    tests("GATTServerTests", ["Definitions", "GATTServer", "L2CAP"]),
    tests("ExactTests", ["Exact"]),
    tests("WireTests", ["Wire"]),
    tests("DoctorTests", ["BlueZLimits", "Definitions", "Doctor"]),
    tests("TrafficViewTests", ["Definitions", "TrafficView"]),
    tests("BlemuControlTests", ["BlemuControl", "ControlServer", "Definitions"]),
    tests("ControlServerTests", ["BlueZLimits", "ControlServer", "Definitions"]),
    tests("WebServerTests", ["WebServer"], soup),
    tests(
      "CommandLineToolTests", ["Captures", "Definitions", "Devices", "Learning", "CommandLineTool"],
      snapshots: ["Help", "Stands"]),
    fuzzTarget,
  ] + releasePrograms
)
