internal import EventLoop

/// Answers a call, now or later.
package typealias MethodHandler = @EventLoop (consuming MethodCall) -> Void

/// The handlers of the exported paths.
struct ExportTable {
  /// The compiler of Swift 6.2 crashes on a dictionary of isolated functions that consume a noncopyable value.
  private struct Entry {
    let handler: MethodHandler
  }

  private var entries: [ObjectPath: Entry] = [:]

  func handler(for path: ObjectPath) -> MethodHandler? { entries[path]?.handler }

  /// Adds a handler; returns false if the path already has one.
  mutating func insert(_ path: ObjectPath, _ handler: @escaping MethodHandler) -> Bool {
    guard entries[path] == nil else { return false }
    entries[path] = Entry(handler: handler)
    return true
  }

  mutating func remove(_ path: ObjectPath) { entries[path] = nil }

  /// The names directly below a path that lead to exported objects, sorted.
  func children(of path: ObjectPath) -> [String] {
    let prefix = path.string == "/" ? "/" : path.string + "/"
    let below = entries.keys.map(\.string).filter { $0.hasPrefix(prefix) && $0 != path.string }
    return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
  }
}
