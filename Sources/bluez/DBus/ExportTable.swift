internal import EventLoop

/// Answers a call, now or later.
package typealias MethodHandler = @EventLoop (consuming MethodCall) -> Void

/// The handlers of the exported paths.
struct ExportTable {
  private var handlers: [ObjectPath: MethodHandler] = [:]

  func handler(for path: ObjectPath) -> MethodHandler? { handlers[path] }

  /// Adds a handler; returns false if the path already has one.
  mutating func insert(_ path: ObjectPath, _ handler: @escaping MethodHandler) -> Bool {
    guard handlers[path] == nil else { return false }
    handlers[path] = handler
    return true
  }

  mutating func remove(_ path: ObjectPath) { handlers[path] = nil }

  /// The names directly below a path that lead to exported objects, sorted.
  func children(of path: ObjectPath) -> [String] {
    let prefix = path.string == "/" ? "/" : path.string + "/"
    let below = handlers.keys.map(\.string).filter { $0.hasPrefix(prefix) && $0 != path.string }
    return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
  }
}
