internal import EventLoop
internal import Glibc

/// Answers a call, now or later.
package typealias MethodHandler = @EventLoop (consuming MethodCall) -> Void

/// The exported paths.
struct ExportTable {
  /// What answers the calls to a path.
  enum Target {
    case handler(MethodHandler)
    case object(ExportedObject)
  }

  private struct Entry {
    let path: ObjectPath
    let target: Target
  }

  /// Sorted by path, as strcmp(3) does: a call is found by the characters in its message.
  private var entries: [Entry] = []

  func target(at path: UnsafePointer<CChar>) -> Target? {
    let (index, isFound) = index(of: path)
    return isFound ? entries[index].target : nil
  }

  /// Adds a target; returns false if the path already has one.
  mutating func insert(_ path: ObjectPath, _ target: Target) -> Bool {
    let (index, isFound) = index(of: path.string)
    if !isFound { entries.insert(Entry(path: path, target: target), at: index) }
    return !isFound
  }

  mutating func remove(_ path: ObjectPath) {
    let (index, isFound) = index(of: path.string)
    if isFound { entries.remove(at: index) }
  }

  /// The names directly below a path that lead to exported objects, sorted.
  func children(of path: ObjectPath) -> [String] {
    let prefix = path.string == "/" ? "/" : path.string + "/"
    let below = entries.map(\.path.string).filter { $0.hasPrefix(prefix) && $0 != path.string }
    return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
  }

  /// The index of a path, or the one at which it would be.
  private func index(of path: UnsafePointer<CChar>) -> (index: Int, isFound: Bool) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let order = entries[middle].path.string.withCString { strcmp($0, path) }
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}
