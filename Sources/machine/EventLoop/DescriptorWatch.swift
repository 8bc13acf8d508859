extension EventLoop {
  /// Calls its handler again and again while a file descriptor is ready.
  ///
  /// End it before you close the descriptor: a closed or reused number would keep the loop busy.
  /// Dropping the watch ends it.
  @EventLoop
  package final class DescriptorWatch {
    private let entry: DescriptorList.Entry
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
      entry = DescriptorList.Entry(descriptor, interests, handler)
      self.interests = interests
      watched = interests
      DescriptorList.shared.add(entry)
    }

    deinit { EventLoop.perform { [entry] in DescriptorList.shared.remove(entry) } }

    /// Removes the descriptor from the loop. The watch cannot be used again.
    package func end() { DescriptorList.shared.remove(entry) }

    /// Applies all changed interests; called before each wait.
    static func updateChanged() {
      guard !changed.isEmpty else { return }
      for watch in changed { watch.update() }
      changed.removeAll(keepingCapacity: true)
    }

    private func update() {
      guard interests != watched else { return }
      watched = interests
      DescriptorList.shared.change(entry, to: interests)
    }
  }
}
