import Glibc

/// How many rounds a random test has: a fifth of them, the same each time, or all with `BLEMU_TEST_ALL=1` in the environment
/// (`tools/test-swift --all`).
package enum Sample {
  private static let isWhole = getenv("BLEMU_TEST_ALL") != nil

  /// - Parameter most: the most, if not all.
  package static func rounds(of all: Int, atMost most: Int = .max) -> Int {
    isWhole ? all : min((all + 4) / 5, most)
  }

  /// A part of them, or all.
  package static func part<Element>(_ part: [Element], of all: [Element]) -> [Element] {
    isWhole ? all : part
  }

  /// Every fifth of them, or all.
  package static func some<Element>(of all: [Element]) -> [Element] {
    isWhole ? all : stride(from: 0, to: all.count, by: 5).map { all[$0] }
  }
}
