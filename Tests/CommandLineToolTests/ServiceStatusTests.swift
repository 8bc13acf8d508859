import Behavior
import Bluetooth
import Devices
import Peripheral
import Testing

@testable import CommandLineTool

@Suite struct ServiceStatusTests {
  private let onAir = TrafficEvent.Kind.onAir(
    TrafficEvent.OnAir(
      definition: "Lamp", name: "Desk lamp",
      adapter: LocalAdapter(name: "hci0", address: DeviceAddress("00:1A:7D:DA:71:13")!, stack: "BlueZ 5.66"),
      services: []))
  private let phone = DeviceAddress("4C:32:75:0A:11:9E")!
  private let lost = DeviceFailure.other("no adapter")

  @Test func `a device is ready once it is on the air`() {
    var status = ServiceStatus(["lamp"])
    #expect(!status.isReady && status.text == "starting")
    status.take(onAir, of: 0)
    #expect(status.isReady && status.text == "on the air as Desk lamp on hci0")
    status.take(.connected(phone), of: 0)
    #expect(status.text == "on the air as Desk lamp on hci0; 1 central is connected")
    status.take(.disconnected(phone), of: 0)
    status.take(.offAir(.failed("bluetoothd has stopped"), TrafficEvent.Totals()), of: 0)
    #expect(!status.isReady && status.text == "off the air: bluetoothd has stopped")
  }

  @Test func `a stand is ready once all its devices are on the air or have failed for good`() {
    var status = ServiceStatus(["belt", "scale", "lamp"])
    status.take(onAir, of: 0)
    status.take(.restarts(lost), of: 1)
    status.take(.failed(lost), of: 2)
    #expect(!status.isReady)
    #expect(
      status.text == "1 of 3 devices are on the air; scale: off the air: no adapter; lamp: failed: no adapter"
    )
    status.take(onAir, of: 1)
    #expect(status.isReady)
  }

  @Test func `devices that have all failed are never ready`() {
    var status = ServiceStatus(["lamp"])
    status.take(.failed(lost), of: 0)
    #expect(!status.isReady && status.text == "failed: no adapter")
  }
}
