extension BluetoothUUID {
  /// The Bluetooth SIG's name of this UUID ("Assigned Numbers", section 3), if blemu knows it.
  package var name: String? {
    guard let short else { return Self.vendorNames[self] }
    return Self.assignedNames[short]
  }

  private static let assignedNames: [UInt32: String] = [
    // Services
    0x1800: "Generic Access",
    0x1801: "Generic Attribute",
    0x1802: "Immediate Alert",
    0x1803: "Link Loss",
    0x1804: "Tx Power",
    0x1805: "Current Time",
    0x1809: "Health Thermometer",
    0x180A: "Device Information",
    0x180D: "Heart Rate",
    0x180F: "Battery",
    0x1810: "Blood Pressure",
    0x1812: "Human Interface Device",
    0x1814: "Running Speed and Cadence",
    0x1816: "Cycling Speed and Cadence",
    0x1818: "Cycling Power",
    0x1819: "Location and Navigation",
    0x181A: "Environmental Sensing",
    0x181B: "Body Composition",
    0x181C: "User Data",
    0x181D: "Weight Scale",
    0x1826: "Fitness Machine",

    // Descriptors
    0x2900: "Characteristic Extended Properties",
    0x2901: "Characteristic User Description",
    0x2902: "Client Characteristic Configuration",
    0x2903: "Server Characteristic Configuration",
    0x2904: "Characteristic Presentation Format",
    0x2905: "Characteristic Aggregate Format",
    0x2906: "Valid Range",
    0x2907: "External Report Reference",
    0x2908: "Report Reference",
    0x2909: "Number of Digitals",
    0x290A: "Value Trigger Setting",
    0x290B: "Environmental Sensing Configuration",
    0x290C: "Environmental Sensing Measurement",
    0x290D: "Environmental Sensing Trigger Setting",
    0x290E: "Time Trigger Setting",

    // Characteristics
    0x2A00: "Device Name",
    0x2A01: "Appearance",
    0x2A02: "Peripheral Privacy Flag",
    0x2A03: "Reconnection Address",
    0x2A04: "Peripheral Preferred Connection Parameters",
    0x2A05: "Service Changed",
    0x2A06: "Alert Level",
    0x2A07: "Tx Power Level",
    0x2A19: "Battery Level",
    0x2A1C: "Temperature Measurement",
    0x2A23: "System ID",
    0x2A24: "Model Number String",
    0x2A25: "Serial Number String",
    0x2A26: "Firmware Revision String",
    0x2A27: "Hardware Revision String",
    0x2A28: "Software Revision String",
    0x2A29: "Manufacturer Name String",
    0x2A2A: "IEEE 11073-20601 Regulatory Certification Data List",
    0x2A2B: "Current Time",
    0x2A37: "Heart Rate Measurement",
    0x2A38: "Body Sensor Location",
    0x2A39: "Heart Rate Control Point",
    0x2A50: "PnP ID",
    0x2A53: "RSC Measurement",
    0x2A54: "RSC Feature",
    0x2A55: "SC Control Point",
    0x2A5B: "CSC Measurement",
    0x2A5C: "CSC Feature",
    0x2A5D: "Sensor Location",
    0x2A63: "Cycling Power Measurement",
    0x2A6C: "Elevation",
    0x2A6D: "Pressure",
    0x2A6E: "Temperature",
    0x2A6F: "Humidity",
    0x2A9D: "Weight Measurement",
    0x2AA6: "Central Address Resolution",
    0x2B29: "Client Supported Features",
    0x2B2A: "Database Hash",
    0x2B3A: "Server Supported Features",
  ]

  /// The UUIDs of Nordic Semiconductor's serial service, which many vendors reuse.
  private static let vendorNames: [BluetoothUUID: String] = [
    BluetoothUUID(value: 0x6E400001_B5A3_F393_E0A9_E50E24DCCA9E): "Nordic UART",
    BluetoothUUID(value: 0x6E400002_B5A3_F393_E0A9_E50E24DCCA9E): "Nordic UART RX",
    BluetoothUUID(value: 0x6E400003_B5A3_F393_E0A9_E50E24DCCA9E): "Nordic UART TX",
  ]
}
