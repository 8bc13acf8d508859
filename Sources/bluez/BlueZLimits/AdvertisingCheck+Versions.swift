import DeviceModel

// What a version of BlueZ ignores.
extension AdvertisingCheck {
  /// A note for each key.
  var ignored: [Finding] {
    guard isIgnorable, let version = version(), version < .followsTiming else { return [] }
    let template = definition.advertisement
    let notes = [
      template.interval.map { _ in
        (
          "interval",
          "\(version) ignores this, and advertises every 1280 ms unless main.conf sets another interval"
        )
      },
      template.txPower.map { _ in ("tx-power", "\(version) sends the controller's own value") },
    ]
    return notes.compactMap(\.self).map { key, message in
      Finding(
        .note, message, at: .advertisement(key: key),
        hint: "\(BlueZVersion.followsTiming) and --on exact follow the definition")
    }
  }

  private var isIgnorable: Bool {
    definition.advertisement.interval != nil || definition.advertisement.txPower != nil
  }
}
