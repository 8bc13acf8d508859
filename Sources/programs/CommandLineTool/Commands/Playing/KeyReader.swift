import CLineEditing
import Glibc
import Synchronization

/// Whether Ctrl-C has been typed since it was last looked at.
private let isInterrupted = Atomic<Bool>(false)

/// Reads what a person types, character by character. Ctrl-C counts as a character, and so does a change
/// that something else looks out for.
enum KeyReader {
  /// What Ctrl-C types.
  static let interruption: Int32 = 3
  /// What a change types: Ctrl-].
  static let change: Int32 = 0x1D

  /// How often it looks out for a change, ms.
  private static let interval: Int32 = 200

  /// From now on Ctrl-C is a character. A second one, before the first was read, ends the program.
  static func start() {
    isInterrupted.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      if isInterrupted.exchange(true, ordering: .relaxed) { _exit(ExitStatus.interrupted.rawValue) }
    }
  }

  /// Waits for a character.
  ///
  /// - Parameter hasChanged: asked again and again meanwhile; nil: there is nothing to look out for.
  /// - Returns: its scalar; nil at the end of the input.
  static func next(orChange hasChanged: (() -> Bool)?) -> Int32? {
    // The signal comes only while this waits, so that it is never missed.
    var (signals, before) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    sigdelset(&before, SIGINT)  // whoever has started the program may have blocked it
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    while true {
      if isInterrupted.exchange(false, ordering: .relaxed) { return interruption }
      switch blemu_wait_for_input(STDIN_FILENO, hasChanged == nil ? -1 : interval, &before) {
      case 1...: return character()
      case 0: if let hasChanged, hasChanged() { return change }
      default: if errno != EINTR { return nil }
      }
    }
  }

  /// A character of UTF-8; what is none becomes U+FFFD.
  private static func character() -> Int32? {
    guard let first = byte() else { return nil }
    let count = first < 0xC2 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 0
    var bytes = [first]
    for _ in 0..<count {
      guard let next = byte() else { return nil }
      bytes.append(next)
    }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map { Int32($0.value) }
  }

  private static func byte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}
