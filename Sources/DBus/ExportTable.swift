internal import EventLoop
internal import Glibc

/// The handlers of the exported paths, found without making a string of a message's path.
struct ExportTable {
  private var exports: [PathKey: Export] = [:]

  func handler(for path: UnsafePointer<CChar>) -> MethodHandler? { exports[PathKey(path)]?.handler }

  /// Whether the path was free.
  mutating func insert(_ path: ObjectPath, _ handler: @escaping MethodHandler) -> Bool {
    let export = Export(path, handler)
    guard exports[export.key] == nil else { return false }
    exports[export.key] = export
    return true
  }

  mutating func remove(_ path: ObjectPath) {
    _ = path.string.withCString { exports.removeValue(forKey: PathKey($0)) }
  }

  /// The names right below a path that lead to exported objects, sorted.
  func children(of path: ObjectPath) -> [String] {
    let prefix = path.string == "/" ? "/" : path.string + "/"
    let below = exports.values.map(\.path.string).filter { $0.hasPrefix(prefix) && $0 != path.string }
    return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
  }
}

/// Answers, or keeps, a call that has come in.
package typealias MethodHandler = @EventLoop (consuming MethodCall) -> Void

/// A handler and the path it is found by.
private final class Export {
  let path: ObjectPath
  let handler: MethodHandler
  let key: PathKey

  init(_ path: ObjectPath, _ handler: @escaping MethodHandler) {
    self.path = path
    self.handler = handler
    key = PathKey(path.string.withCString { strdup($0) })
  }

  deinit { free(UnsafeMutablePointer(mutating: key.characters)) }
}

/// A path compared by its characters, which belong to an ``Export`` or to a message.
private struct PathKey: Hashable {
  let characters: UnsafePointer<CChar>

  init(_ characters: UnsafePointer<CChar>) { self.characters = characters }

  static func == (left: PathKey, right: PathKey) -> Bool { strcmp(left.characters, right.characters) == 0 }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(start: characters, count: strlen(characters)))
  }
}
