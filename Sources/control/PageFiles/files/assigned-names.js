// Names of the Bluetooth SIG's assigned numbers that devices here use.

const SERVICES = {
  1800: "Generic Access", 1801: "Generic Attribute", 1802: "Immediate Alert", 1803: "Link Loss", 1804: "Tx Power",
  1805: "Current Time", 1808: "Glucose", 1809: "Health Thermometer", "180A": "Device Information",
  "180D": "Heart Rate", "180F": "Battery", 1810: "Blood Pressure", 1812: "Human Interface Device",
  1814: "Running Speed and Cadence", 1815: "Automation IO", 1816: "Cycling Speed and Cadence", 1818: "Cycling Power",
  1819: "Location and Navigation", "181A": "Environmental Sensing", "181B": "Body Composition", "181C": "User Data",
  "181D": "Weight Scale", 1822: "Pulse Oximeter", 1826: "Fitness Machine", FCD2: "BTHome", FE59: "Secure DFU",
  FE95: "Xiaomi", FEAA: "Eddystone", FD3D: "SwitchBot", FEE0: "Mi Band",
};

const CHARACTERISTICS = {
  "2A00": "Device Name", "2A01": "Appearance", "2A02": "Peripheral Privacy Flag", "2A03": "Reconnection Address",
  "2A04": "Peripheral Preferred Connection Parameters",
  "2A05": "Service Changed", "2A06": "Alert Level", "2A07": "Tx Power Level", "2A18": "Glucose Measurement",
  "2A19": "Battery Level", "2A1C": "Temperature Measurement", "2A1D": "Temperature Type",
  "2A21": "Measurement Interval", "2A23": "System ID", "2A24": "Model Number String", "2A25": "Serial Number String",
  "2A26": "Firmware Revision String", "2A27": "Hardware Revision String", "2A28": "Software Revision String",
  "2A29": "Manufacturer Name String", "2A2B": "Current Time", "2A35": "Blood Pressure Measurement",
  "2A36": "Intermediate Cuff Pressure", "2A37": "Heart Rate Measurement", "2A38": "Body Sensor Location",
  "2A39": "Heart Rate Control Point", "2A49": "Blood Pressure Feature", "2A4A": "HID Information",
  "2A4B": "Report Map", "2A4C": "HID Control Point", "2A4D": "Report", "2A4E": "Protocol Mode", "2A50": "PnP ID",
  "2A51": "Glucose Feature", "2A52": "Record Access Control Point", "2A53": "RSC Measurement", "2A54": "RSC Feature",
  "2A55": "SC Control Point", "2A5B": "CSC Measurement", "2A5C": "CSC Feature", "2A5D": "Sensor Location",
  "2A5E": "PLX Spot-Check Measurement", "2A5F": "PLX Continuous Measurement", "2A60": "PLX Features",
  "2A63": "Cycling Power Measurement", "2A65": "Cycling Power Feature", "2A66": "Cycling Power Control Point",
  "2A6D": "Pressure", "2A6E": "Temperature", "2A6F": "Humidity", "2A98": "Weight", "2A9B": "Body Composition Feature",
  "2A9C": "Body Composition Measurement", "2A9D": "Weight Measurement", "2A9E": "Weight Scale Feature",
  "2ACC": "Fitness Machine Feature", "2ACD": "Treadmill Data", "2AD2": "Indoor Bike Data",
  "2AD9": "Fitness Machine Control Point", "2ADA": "Fitness Machine Status", "2B29": "Client Supported Features",
  "2B2A": "Database Hash", "2B3A": "Server Supported Features",
};

const DESCRIPTORS = {
  2900: "Characteristic Extended Properties", 2901: "Characteristic User Description",
  2902: "Client Characteristic Configuration", 2904: "Characteristic Presentation Format", 2908: "Report Reference",
};

const COMPANIES = {
  "0006": "Microsoft", "004C": "Apple", "0059": "Nordic Semiconductor", "006B": "Polar Electro", "0075": "Samsung",
  "00DC": "Procter & Gamble", "00E0": "Google", "0157": "Anhui Huami", "02E1": "Victron Energy", "02E5": "Espressif",
  "0499": "Ruuvi Innovations", "0969": "Woan Technology (SwitchBot)", FFFF: "no company: for tests",
};

const APPEARANCES = {
  0: "unknown", 64: "phone", 128: "computer", 192: "watch", 512: "tag", 576: "key ring", 768: "thermometer",
  769: "ear thermometer", 832: "heart rate sensor", 833: "heart rate belt", 896: "blood pressure monitor",
  960: "human interface device", 961: "keyboard", 962: "mouse", 1024: "glucose meter", 1088: "running sensor",
  1089: "in-shoe running sensor", 1152: "cycling", 1157: "speed and cadence sensor", 1156: "power sensor",
  3136: "pulse oximeter", 3137: "fingertip oximeter", 3200: "weight scale", 1344: "sensor",
};

/** The names, or undefined. A UUID has 4, 8 or 36 characters. */
export const serviceName = (uuid) => SERVICES[uuid];
export const characteristicName = (uuid) => CHARACTERISTICS[uuid];
export const descriptorName = (uuid) => DESCRIPTORS[uuid];
export const companyName = (identifier) => COMPANIES[identifier];
export const appearanceName = (number) => APPEARANCES[number];
