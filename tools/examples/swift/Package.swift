// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "bracelet-client",
  dependencies: [
    // In a package of your own: .package(url: "…/blemu.git", branch: "main"), or the path of your copy.
    .package(name: "blemu", path: "../../..")
  ],
  targets: [
    .target(name: "BraceletClient"),
    // An iOS app's Bluetooth classes. Elsewhere, CoreBluetooth is Apple's.
    .target(
      name: "BluetoothApp",
      dependencies: [
        .product(name: "CoreBluetooth", package: "blemu", condition: .when(platforms: [.linux]))
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "BraceletClientTests",
      dependencies: ["BraceletClient", .product(name: "BlemuControl", package: "blemu")],
      exclude: ["bracelet-with-battery.yaml"]),
    .testTarget(
      name: "BluetoothAppTests",
      dependencies: ["BluetoothApp", .product(name: "BlemuControl", package: "blemu")]),
  ]
)
