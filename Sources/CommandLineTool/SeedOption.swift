/// `--seed NUMBER`
enum SeedOption {
  static func parse(_ text: String?) throws(CommandError) -> UInt64? {
    guard let text else { return nil }
    guard let seed = UInt64(text) else {
      throw .badValue(option: "--seed", value: text, expected: "a whole number, 0 or greater")
    }
    return seed
  }
}
