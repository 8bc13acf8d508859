import Bluetooth

/// How a device is surveyed.
package struct SurveyPlan: Sendable {
  /// Which device.
  package enum Target: Hashable, Sendable {
    case address(DeviceAddress)
    /// Its complete or shortened local name.
    case name(String)
  }

  package enum Pairing: Hashable, Sendable {
    /// The device is never asked to pair.
    case never
    case justWorks
    /// With a keyboard, and with this passkey; nil: a person is asked for the one that the device shows.
    case passkey(UInt32?)
  }

  /// What the device is asked.
  package enum Questions: Sendable {
    case all
    /// For its attributes and their values: no write is tried, and nothing subscribed to.
    case values
    /// Nothing: it is only looked for.
    case none
  }

  package var target: Target
  package var questions = Questions.all
  /// How long the device may take to be heard.
  package var patience = Duration.seconds(20)
  /// How long its advertising is listened to; nil: until ``enoughPackets`` were heard, and at least ``shortestListening``.
  package var listening: Duration?
  /// How long the subscriptions last.
  package var subscription = Duration.seconds(5)
  package var pairing = Pairing.justWorks

  package init(_ target: Target) { self.target = target }
}

extension SurveyPlan {
  /// So many packets, scan responses included, tell the interval.
  static let enoughPackets = 24
  static let shortestListening = Duration.seconds(1)
  /// A device that advertises less than every second is not waited for any longer.
  static let longestListening = Duration.seconds(15)
}

extension HeardDevice {
  fileprivate var time: Duration { first.duration(to: last) }

  /// Whether its packets tell its interval.
  var isHeardEnough: Bool {
    count >= SurveyPlan.enoughPackets && time >= SurveyPlan.shortestListening && !lacksScanResponse
  }

  /// The time within which it advertises, if it does.
  var longestSilence: Duration { time / max(1, count - 1) * 4 }
}

extension SurveyPlan.Target {
  package func matches(_ device: HeardDevice) -> Bool {
    switch self {
    case .address(let address): device.address.address == address
    case .name(let name): device.name?.withoutPadding == name.withoutPadding
    }
  }
}

extension String {
  /// Without the spaces and zeros with which some devices fill their names up.
  fileprivate var withoutPadding: String {
    String(String.UnicodeScalarView(unicodeScalars.reversed().drop { $0 == " " || $0 == "\0" }.reversed()))
  }
}

extension SurveyPlan.Target: CustomStringConvertible {
  package var description: String {
    switch self {
    case .address(let address): "\(address)"
    case .name(let name): "\"\(name)\""
    }
  }
}
