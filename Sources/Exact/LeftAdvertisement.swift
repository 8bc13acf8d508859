import Glibc

/// An advertising instance that a run has left in the kernel, because it was killed.
struct LeftAdvertisement: Hashable {
  /// The name of its text in an ``AdapterRecord``.
  static let name = "advertisement"

  /// Identifies the start of the machine: the kernel forgets its instances when it ends.
  var boot: String
  var instance: UInt8

  init(boot: String, instance: UInt8) {
    (self.boot, self.instance) = (boot, instance)
  }

  /// As in `6c2b0f9a-27f0-4d3a-8f66-24a1ef2f7a53/1`; nil: it is something else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let instance = UInt8(parts[1]), instance > 0 else {
      return nil
    }
    self.init(boot: String(parts[0]), instance: instance)
  }

  var text: String { "\(boot)/\(instance)" }
}

extension LeftAdvertisement {
  /// `/proc/sys/kernel/random/boot_id` (random(4)).
  static var currentBoot: String? {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = line.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "\n")) }.map(UInt8.init(bitPattern:))
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
