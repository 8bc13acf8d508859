/// Names that a definition has not used yet.
struct ModelNames: Hashable, Sendable {
  private var taken: Set<String>

  init(taken: Set<String>) { self.taken = taken }

  /// The name; if it is taken, with `prefix` before it, then with a number after it.
  mutating func unique(_ name: String, prefix: String? = nil) -> String {
    let choices = [name] + (prefix.map { ["\($0)-\(name)"] } ?? [])
    var chosen = choices.first { !taken.contains($0) }
    var number = 2
    while chosen == nil {
      if !taken.contains("\(name)-\(number)") { chosen = "\(name)-\(number)" }
      number += 1
    }
    taken.insert(chosen ?? name)
    return chosen ?? name
  }
}
