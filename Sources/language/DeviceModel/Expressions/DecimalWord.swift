/// The words for decimal values that are not finite numbers.
package enum DecimalWord {
  /// The names that expressions have for them.
  package static let names: [String: Double] = [
    "nan": .nan, "nres": .notAtThisResolution, "infinity": .infinity,
  ]

  /// The number of a word, which may be `-infinity`.
  package static func number(_ word: String) -> Double? {
    word == "-infinity" ? -.infinity : names[word]
  }

  /// The word for a number; nil for a finite one.
  package static func word(for number: Double) -> String? {
    if number.isNaN { return number.isNotAtThisResolution ? "nres" : "nan" }
    return number.isInfinite ? (number < 0 ? "-infinity" : "infinity") : nil
  }
}
