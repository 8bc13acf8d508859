import CGLib

extension EventLoop {
  /// Calls its handler again and again while a file descriptor is ready.
  ///
  /// End it before you close the descriptor: a closed or reused number would keep the loop busy.
  /// Dropping the watch ends it.
  @EventLoop
  package final class DescriptorWatch {
    private var source: Source?
    private let tag: gpointer
    private var watched: Readiness = []
    /// The watches whose interests have changed since the loop's last wait.
    private static var changed: [DescriptorWatch] = []

    /// The conditions for which the handler is called, besides ``Readiness/hangUp`` and ``Readiness/error``. May be
    /// empty.
    ///
    /// A change takes effect at the loop's next wait, so a change that is undone before then costs nothing.
    package var interests: Readiness {
      didSet { if interests != watched { Self.changed.append(self) } }
    }

    /// - Parameter descriptor: Borrowed, not closed.
    package init(
      _ descriptor: Int32, for interests: Readiness, _ handler: @escaping @EventLoop (Readiness) -> Void
    ) {
      let source = g_source_new(watchFunctions, UInt32(MemoryLayout<GSource>.size))!
      // Unsafe: the tag is used on the loop's thread, while the source lives.
      nonisolated(unsafe) let tag = g_source_add_unix_fd(
        source, descriptor, GIOCondition(interests.rawValue))!
      self.interests = interests
      self.tag = tag
      watched = interests
      self.source = Source(adopting: source) { source in
        handler(Readiness(rawValue: g_source_query_unix_fd(source, tag).rawValue))
      }
    }

    /// Removes the descriptor from the loop. The watch cannot be used again.
    package func end() { source = nil }

    /// Applies all changed interests; called before each wait.
    static func updateChanged() {
      guard !changed.isEmpty else { return }
      for watch in changed { watch.update() }
      changed.removeAll(keepingCapacity: true)
    }

    private func update() {
      guard let pointer = source?.pointer, interests != watched else { return }
      watched = interests
      g_source_modify_unix_fd(pointer, tag, GIOCondition(interests.rawValue))
    }
  }
}

// Unsafe: GLib wants a mutable pointer but only reads through it.
nonisolated(unsafe) private let watchFunctions = {
  let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
  functions.initialize(to: GSourceFuncs())
  functions.pointee.dispatch = { _, callback, data in callback!(data) }
  return functions
}()
