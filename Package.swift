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

/// For a target that no value passes on its way, and of which the start of a device runs little: a sixth less code.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

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
/// other addresses, and what the loader writes is read-only afterwards (Tests/Release/check). Relocations are not packed, which would
/// need glibc 2.36, later than that of Ubuntu 22.04.
let lean = LinkerSetting.unsafeFlags(
  [
    "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", "-Xlinker", "--no-export-dynamic",
    "-Xclang-linker", "-pie",
    "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
    "-Xlinker", "\(Context.packageDirectory)/tools/build.d/sections.ld",
  ], .when(configuration: .release))

/// The targets of the fuzzer (`tools/fuzz`): the same sources are tests, and with `BLEMU_FUZZ` a program with libFuzzer.
let isFuzzing = Context.environment["BLEMU_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
  "AttributeServer", "Behavior", "BlemuControl", "BlemuJSON", "Bluetooth", "BlueZLimits", "Captures",
  "Centrals", "ControlServer", "Definitions", "DefinitionWriter", "DeviceModel", "EventLoop", "Faults",
  "Framing", "GATTClient", "HCIPackets", "Host", "Kernel", "Learning", "Loopback", "Peripheral",
  "SecurityManager", "TestBeds", "TestSupport", "TrafficView", "Transcripts", "WebServer",
]
let fuzzTarget: Target =
  isFuzzing
  ? .executableTarget(
    name: "Fuzz", dependencies: fuzzed, path: "Tests/Fuzz",
    exclude: ["Corpus", "Replay"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
  : .testTarget(
    name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
    exclude: ["Corpus", "EntryPoint"], swiftSettings: settings)

/// Programs whose release runs, in the virtual machine and in `tools/bench engine`: `tools/build` asks for them, so that no debug build
/// compiles and links them.
let releasePrograms: [Target] =
  Context.environment["BLEMU_RELEASE_PROGRAMS"] == nil
  ? []
  : [
    .executableTarget(
      name: "engine-bench",
      dependencies: [
        "AttributeServer", "Behavior", "Bluetooth", "BlueZ", "BusSupport", "ControlServer", "DBus",
        "Definitions", "DeviceModel", "EventLoop", "Exact", "Faults", "Framing", "Host", "Kernel",
        "Peripheral",
        "TrafficView",
      ],
      path: "tools/bench.d/engine", swiftSettings: sourceSettings, linkerSettings: [lean]),
    .executableTarget(
      name: "transport-conformance",
      dependencies: [
        "Behavior", "Bluetooth", "BlueZ", "BlueZLimits", "Conformance", "DeviceModel", "EventLoop", "Exact",
        "GATTClient", "Peripheral",
      ],
      path: "Tests/VM/conformance", swiftSettings: settings),
    .executableTarget(
      name: "round-trip",
      dependencies: ["Definitions", "EventLoop", "Exact", "Kernel", "RoundTrip", "TestBeds", "TestSupport"],
      path: "Tests/VM/round-trip", swiftSettings: settings),
  ]

let package = Package(
  name: "blemu",
  // Only the libraries: SwiftPM makes the program without being told, and the names of all targets of a product are taken
  // for every package that uses one of them.
  // Other packages use CoreBluetooth with `.when(platforms: [.linux])`: elsewhere the name is Apple's.
  products: [
    .library(name: "BlemuControl", targets: ["BlemuControl"]),
    .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
  ],
  targets: [
    // A target uses those of the floors above its own, and those above itself. Each C library is imported by exactly one
    // target, but for GLib: EventLoop uses its loop, and DeviceModel its time zones.

    // values/: words, bytes, frames and ciphers: values and functions, without a clock and without IO.
    .systemLibrary(
      name: "CNettle", path: "Sources/values/CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(
      name: "CGLib", path: "Sources/values/CGLib", pkgConfig: "glib-2.0",
      providers: [.apt(["libglib2.0-dev"])]),
    target("values/Bluetooth"),
    target("values/Framing"),
    target("values/Cryptography", ["CNettle"]),
    target("values/HCIPackets", ["Bluetooth", "Framing"]),
    .target(name: "BlemuJSON", path: "Sources/values/BlemuJSON", swiftSettings: librarySettings),

    // language/: what a person writes, as a checked model.
    .systemLibrary(
      name: "CYAML", path: "Sources/language/CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]
    ),
    .target(
      name: "DeviceModel", dependencies: ["Bluetooth", "CGLib", "Cryptography", "Framing"],
      path: "Sources/language/DeviceModel",
      swiftSettings: sourceSettings,
      linkerSettings: [.linkedLibrary("m")]),  // rounding
    target(
      "language/Definitions", ["BlemuJSON", "Bluetooth", "CYAML", "DeviceModel", "Framing"], readyMetadata),
    target("language/DefinitionWriter", ["Bluetooth", "Definitions", "DeviceModel", "Framing"], small),

    // machine/: this computer: the thread on which everything runs, systemd, the kernel's sockets.
    target("machine/EventLoop", ["CGLib"]),
    .systemLibrary(name: "CCapabilities", path: "Sources/machine/CCapabilities"),  // Linux
    target("machine/System", ["CCapabilities", "EventLoop"]),
    target("machine/Kernel", ["Bluetooth", "EventLoop", "Framing", "HCIPackets", "System"]),
    .target(name: "BlemuFolders", path: "Sources/machine/BlemuFolders", swiftSettings: librarySettings),

    // engine/: the device: an event in, a response and actions out; and what runs it on a transport.
    target("engine/Behavior", ["Bluetooth", "DeviceModel", "Framing"]),
    target(
      "engine/Peripheral",
      ["Behavior", "BlemuFolders", "Bluetooth", "DeviceModel", "EventLoop", "Framing", "System"]),
    target("engine/Faults", ["Behavior", "Bluetooth", "DeviceModel", "EventLoop", "Framing", "Peripheral"]),
    target(
      "engine/AttributeServer",
      ["Behavior", "Bluetooth", "Cryptography", "DeviceModel", "EventLoop", "Framing", "Peripheral"]),
    target(
      "engine/Loopback",
      ["AttributeServer", "Behavior", "Bluetooth", "DeviceModel", "EventLoop", "Framing", "Peripheral"]),
    target("engine/Wire", ["Behavior", "EventLoop", "Peripheral"]),

    // bluez/: the transport through bluetoothd.
    .systemLibrary(
      name: "CDBus", path: "Sources/bluez/CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    target("bluez/DBus", ["CDBus", "EventLoop"]),
    target("bluez/BlueZLimits", ["Bluetooth", "DeviceModel"]),
    target(
      "bluez/BlueZ",
      [
        "Behavior", "Bluetooth", "BlueZLimits", "DBus", "DeviceModel", "EventLoop", "HCIPackets", "Kernel",
        "Peripheral", "System",
      ]),

    // host/: a Bluetooth host on any controller, and the transport above it.
    target("host/SecurityManager", ["Bluetooth", "Cryptography", "Framing"]),
    target("host/Host", ["Bluetooth", "Framing", "HCIPackets", "SecurityManager"]),
    target(
      "host/Exact",
      [
        "AttributeServer", "Behavior", "Bluetooth", "DeviceModel", "EventLoop", "Framing", "HCIPackets",
        "Host", "Kernel", "Peripheral", "SecurityManager", "System",
      ]),

    // recordings/: files to packets, packets to conversations, conversations to devices; what blemu does as a central.
    .systemLibrary(
      name: "CZlib", path: "Sources/recordings/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    target("recordings/Captures", ["Bluetooth", "CZlib", "Framing", "HCIPackets"], small),
    target(
      "recordings/Transcripts", ["Behavior", "Bluetooth", "Definitions", "DeviceModel", "Framing"], small),
    target(
      "recordings/Learning",
      ["Behavior", "Bluetooth", "Captures", "Definitions", "DefinitionWriter", "DeviceModel", "Framing"],
      small),
    target("recordings/GATTClient", ["Bluetooth", "EventLoop", "Kernel"], small),
    target(
      "recordings/Centrals",
      [
        "AttributeServer", "Behavior", "Bluetooth", "Captures", "DeviceModel", "EventLoop", "Exact",
        "Framing", "GATTClient", "HCIPackets", "Kernel", "Peripheral", "SecurityManager",
      ], small),

    // control/: the only door from outside: protocol, server, log, page.
    .target(
      name: "BlemuControl", dependencies: ["BlemuFolders", "BlemuJSON"], path: "Sources/control/BlemuControl",
      swiftSettings: librarySettings),
    target(
      "control/TrafficView",
      ["Behavior", "BlemuJSON", "Bluetooth", "DeviceModel", "EventLoop", "Framing", "Peripheral", "System"]),
    target(
      "control/ControlServer",
      [
        "Behavior", "BlemuControl", "BlemuFolders", "BlemuJSON", "Bluetooth", "Definitions", "DeviceModel",
        "EventLoop", "Faults", "Framing", "Loopback", "Peripheral", "TrafficView", "Transcripts",
      ]),
    .target(name: "PageFiles", path: "Sources/control/PageFiles", exclude: ["files", "web-bluetooth"]),
    target(
      "control/WebServer", ["BlemuControl", "BlemuJSON", "Cryptography", "EventLoop", "PageFiles"], small),

    // clients/: the other side: the Bluetooth API of a program under test, on a device in memory.
    .target(
      name: "CoreBluetooth", dependencies: ["BlemuControl", "BlemuJSON"],
      path: "Sources/clients/CoreBluetooth",
      swiftSettings: librarySettings),

    // programs/: what a person starts.
    target(
      "programs/Devices",
      [
        "AttributeServer", "Behavior", "BlemuControl", "Bluetooth", "BlueZ", "BlueZLimits", "Captures",
        "Centrals", "ControlServer", "Definitions", "DefinitionWriter", "DeviceModel",
        "EventLoop", "Exact",
        "Faults", "Framing", "HCIPackets", "Kernel", "Loopback", "Peripheral", "System", "TrafficView",
        "Transcripts", "Wire",
      ], small),
    target(
      "programs/TestBeds",
      [
        "AttributeServer", "Behavior", "Bluetooth", "BlueZ", "Captures", "Centrals", "DBus", "Definitions",
        "DeviceModel", "EventLoop", "Exact", "Faults", "Framing", "GATTClient", "HCIPackets", "Kernel",
        "Learning", "Loopback", "Peripheral", "SecurityManager", "Transcripts",
      ], small),
    target(
      "programs/Doctor",
      [
        "Bluetooth", "BlueZ", "BlueZLimits", "DBus", "Definitions", "DeviceModel", "EventLoop", "Exact",
        "Framing", "Kernel", "Peripheral", "System",
      ], small),
    // libedit, loaded at run time.
    .systemLibrary(name: "CLineEditing", path: "Sources/programs/CLineEditing"),
    target(
      "programs/CommandLineTool",
      [
        "AttributeServer", "Behavior", "BlemuControl", "BlemuJSON", "Bluetooth", "BlueZ", "BlueZLimits",
        "Captures", "Centrals", "CLineEditing", "ControlServer", "Definitions", "DefinitionWriter",
        "DeviceModel", "Devices", "Doctor", "EventLoop", "Exact", "Framing", "HCIPackets", "Kernel",
        "Learning", "Peripheral", "System", "TestBeds", "TrafficView", "Transcripts", "WebServer", "Wire",
      ], small),
    .target(
      name: "CBuild", path: "Sources/programs/CBuild",
      cSettings: Context.environment["BLEMU_BUILD"].map { [.define("BLEMU_BUILD", to: "\"\($0)\"")] }),
    .executableTarget(
      name: "blemu", dependencies: ["CBuild", "CommandLineTool"], path: "Sources/programs/blemu",
      swiftSettings: sourceSettings,
      linkerSettings: [lean]),

    // The conformance suite for transports: loopback in PeripheralTests, the others in the virtual machine.
    .target(
      name: "Conformance",
      dependencies: ["Behavior", "Bluetooth", "Definitions", "DeviceModel", "EventLoop", "Peripheral"],
      path: "Tests/Conformance",
      swiftSettings: settings),
    // Bundled devices recorded and learnt: in memory in TestBedsTests, on exact in the virtual machine.
    .target(
      name: "RoundTrip",
      dependencies: [
        "AttributeServer", "Behavior", "Bluetooth", "Captures", "Definitions", "DeviceModel", "Devices",
        "EventLoop",
        "Exact", "Framing", "Learning", "TestBeds", "TestSupport", "Transcripts",
      ],
      path: "Tests/RoundTrip", swiftSettings: settings),

    // Shared by several tests.
    .target(
      name: "TestSupport",
      dependencies: ["Bluetooth", "Definitions", "DeviceModel", "EventLoop", "Framing", "Kernel"],
      path: "Tests/Support",
      swiftSettings: settings),
    .target(
      name: "BusSupport", dependencies: ["DBus", "EventLoop"], path: "Tests/BusSupport",
      swiftSettings: settings),
    // LE controllers on one air, in memory.
    .target(
      name: "ControllerModel", dependencies: ["Bluetooth", "Cryptography", "Framing"],
      path: "Tests/ControllerModel", swiftSettings: settings),

    // Transcripts between two hosts on that air, in virtual time: run by TestBedsTests.
    .executableTarget(
      name: "virtual-air",
      dependencies: [
        "Bluetooth", "ControllerModel", "Definitions", "DeviceModel", "EventLoop", "Exact", "Framing",
        "Kernel", "TestBeds", "TestSupport", "Transcripts",
      ],
      path: "Tests/VirtualAir", swiftSettings: settings),

    tests("BluetoothTests", ["Bluetooth"]),
    tests("FramingTests", ["Framing"]),
    tests("JSONTests", ["BlemuJSON"]),
    tests("CryptographyTests", ["Cryptography"]),
    tests(
      "DefinitionsTests",
      [
        "Bluetooth", "BlueZLimits", "Cryptography", "Definitions", "DefinitionWriter", "DeviceModel",
        "Framing",
      ],
      snapshots: ["Diagnostics"]),
    tests("DefinitionWriterTests", ["Definitions", "DefinitionWriter", "DeviceModel"]),
    tests("CapturesTests", ["Bluetooth", "Captures", "Framing", "HCIPackets"], snapshots: ["Captures"]),
    tests(
      "LearningTests",
      [
        "AttributeServer", "Behavior", "Bluetooth", "Captures", "Definitions", "DefinitionWriter",
        "DeviceModel", "Exact", "Framing", "Learning",
      ]),
    tests(
      "AttributeServerTests",
      [
        "AttributeServer", "Behavior", "Bluetooth", "Definitions", "DeviceModel", "EventLoop", "Framing",
        "Kernel", "Peripheral",
      ],
      snapshots: ["Cases"]),
    tests("BehaviorTests", ["Behavior", "Bluetooth", "Definitions", "DeviceModel", "Framing"]),
    tests(
      "PeripheralTests",
      [
        "Behavior", "Bluetooth", "Conformance", "Definitions", "DeviceModel", "EventLoop", "Framing",
        "Loopback", "Peripheral",
      ]),
    tests(
      "FaultsTests",
      [
        "Behavior", "Bluetooth", "Conformance", "Definitions", "DeviceModel", "EventLoop", "Faults",
        "Framing", "Loopback", "Peripheral",
      ]),
    tests("EventLoopTests", ["EventLoop"]),
    tests("DBusTests", ["BusSupport", "DBus", "EventLoop"]),
    tests("BlueZLimitsTests", ["Bluetooth", "BlueZLimits", "Definitions", "DeviceModel"]),
    tests(
      "BlueZTests",
      [
        "Behavior", "Bluetooth", "BlueZ", "BlueZLimits", "BusSupport", "DBus", "Definitions", "DeviceModel",
        "EventLoop", "Framing", "Kernel", "Peripheral", "System",
      ]),
    tests(
      "TranscriptsTests", ["Behavior", "Bluetooth", "Definitions", "DeviceModel", "Framing", "Transcripts"],
      snapshots: ["Mistakes"]),
    tests(
      "TestBedsTests",
      [
        "Behavior", "Bluetooth", "BlueZ", "BlueZLimits", "BusSupport", "Captures", "Centrals", "DBus",
        "Definitions", "DefinitionWriter", "DeviceModel", "EventLoop", "Framing", "Learning", "Loopback",
        "Peripheral", "RoundTrip", "TestBeds", "Transcripts",
      ],
      snapshots: ["Failures", "Phones", "RoundTrip/README.md"]),
    tests("GATTClientTests", ["Bluetooth", "EventLoop", "GATTClient", "Kernel"]),
    tests("HCIPacketsTests", ["Bluetooth", "HCIPackets"]),
    tests("ControllerModelTests", ["Bluetooth", "ControllerModel", "Framing"]),
    tests("KernelTests", ["Bluetooth", "EventLoop", "Framing", "HCIPackets", "Kernel"]),
    tests("SystemTests", ["EventLoop", "System"]),
    tests("SecurityManagerTests", ["Bluetooth", "Cryptography", "Framing", "SecurityManager"]),
    tests("HostTests", ["Bluetooth", "ControllerModel", "Framing", "HCIPackets", "Host", "SecurityManager"]),
    tests(
      "DevicesTests",
      ["Bluetooth", "DeviceModel", "Devices", "EventLoop", "Exact", "Framing", "Loopback", "Peripheral"]),
    tests(
      "ExactTests",
      ["Bluetooth", "DeviceModel", "EventLoop", "Exact", "HCIPackets", "Kernel", "Peripheral", "System"]),
    tests("WireTests", ["Behavior", "EventLoop", "Peripheral", "Wire"]),
    tests(
      "DoctorTests",
      ["Bluetooth", "BlueZLimits", "Definitions", "DeviceModel", "Doctor", "Kernel", "Peripheral", "System"]),
    tests(
      "TrafficViewTests",
      ["Behavior", "Bluetooth", "Definitions", "EventLoop", "Framing", "Peripheral", "System", "TrafficView"]),
    tests("BlemuControlTests", ["BlemuControl", "BlemuJSON"]),
    tests("CoreBluetoothTests", ["BlemuControl", "CoreBluetooth"]),
    tests(
      "ControlServerTests",
      [
        "Behavior", "BlemuControl", "BlemuJSON", "BlueZLimits", "ControlServer", "DeviceModel", "EventLoop",
        "Faults", "Framing", "Loopback", "Peripheral",
      ]),
    tests("WebServerTests", ["BlemuControl", "BlemuJSON", "EventLoop", "WebServer"]),
    tests(
      "CommandLineToolTests",
      [
        "Behavior", "BlemuControl", "BlemuJSON", "Bluetooth", "BlueZ", "BlueZLimits", "Captures",
        "CommandLineTool",
        "Definitions", "DeviceModel", "Devices", "EventLoop", "Exact", "Framing", "Learning", "Loopback",
        "Peripheral", "TestBeds", "Transcripts", "Wire",
      ],
      snapshots: ["Help", "Stands"]),
    fuzzTarget,
  ] + releasePrograms
)
