import CGLib

extension EventLoop {
  /// What a file descriptor is ready for; the values are those of poll(2).
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: G_IO_IN.rawValue)
    package static let writable = Readiness(rawValue: G_IO_OUT.rawValue)
    /// The other end has closed; reported whether asked for or not.
    package static let hangUp = Readiness(rawValue: G_IO_HUP.rawValue)
    /// The descriptor is broken or not open; reported whether asked for or not.
    package static let error = Readiness(rawValue: G_IO_ERR.rawValue | G_IO_NVAL.rawValue)
  }

  /// Calls its handler whenever a file descriptor is ready, for as long as it stays ready.
  ///
  /// End it before the descriptor is closed: a number that is closed or reused would keep the loop busy.
  /// Dropping the watch ends it.
  @EventLoop
  package final class DescriptorWatch {
    private var source: Source?
    private let tag: gpointer

    /// What the handler is called for, besides ``Readiness/hangUp`` and ``Readiness/error``. May be empty.
    package var interests: Readiness {
      didSet { update() }
    }

    /// - Parameter descriptor: Borrowed, not closed.
    package init(
      _ descriptor: Int32, for interests: Readiness, _ handler: @escaping @EventLoop (Readiness) -> Void
    ) {
      let tag = Tag()
      let source = Source(priority: G_PRIORITY_DEFAULT) { source in
        let ready = g_source_query_unix_fd(source, tag.pointer)
        handler(Readiness(rawValue: ready.rawValue))
      }
      self.interests = interests
      self.tag = g_source_add_unix_fd(source.pointer, descriptor, GIOCondition(interests.rawValue))
      tag.pointer = self.tag
      self.source = consume source
    }

    /// Removes the descriptor from the loop; the watch is of no further use.
    package func end() { source = nil }

    private func update() {
      if let pointer = source?.pointer {
        g_source_modify_unix_fd(pointer, tag, GIOCondition(interests.rawValue))
      }
    }
  }

  /// GLib's name for the descriptor, known only after the source has its handler.
  private final class Tag {
    var pointer: gpointer?
  }
}
