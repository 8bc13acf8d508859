@testable import BlueZ

/// A way into each state, with each call or pause that it can wait for.
enum Situation {
  static let onAir: [Step] = [.opened, .goOnAir, .done, .done]
  private static let waitingForCentral = onAir + [.comesIntoUse, .serveOthers, .sawReady, .done]
  private static let fallen = onAir + [.bluetoothdStops]
  private static let changing = onAir + [.serveOthers, .sawReady, .done]
  private static let returning = fallen + [.anotherBluetoothd, .sawReady]
  private static let renaming = onAir + [.advertiseSecond, .sawReady]
  private static let readvertising = renaming + [.done, .done]
  private static let off = onAir + [.adaptersChanged, .sawOff]

  static let all: [[Step]] =
    [[], [.opened], [.opened, .goOnAir], [.opened, .goOnAir, .done]] + starting + served + fallenOff + leaving

  private static let starting: [[Step]] = [
    [.openedOff, .goOnAir], [.openedOff, .goOnAir, .done],
    [.opened, .goOnAir, .done, .mayPass], [.opened, .goOnAir, .done, .refused],
    [.opened, .goOnAir, .done, .refused, .done], [.opened, .goOnAir, .adaptersChanged],
    [.opened, .goOnAir, .done, .adaptersChanged],
  ]

  private static let served: [[Step]] = [
    onAir, onAir + [.adaptersChanged], renaming, renaming + [.done], readvertising,
    readvertising + [.mayPass], readvertising + [.refused], readvertising + [.adaptersChanged],
    waitingForCentral, waitingForCentral + [.fallsOutOfUse], onAir + [.serveOthers, .sawReady], changing,
    changing + [.done], changing + [.done, .done], changing + [.done, .done, .mayPass],
    changing + [.done, .done, .refused], changing + [.done, .done, .refused, .done],
    off, off + [.adaptersChanged], off + [.adaptersChanged, .sawReady],
    onAir + [.advertiseNothing, .sawReady, .done, .adaptersChanged, .sawOff, .adaptersChanged],
  ]

  private static let fallenOff: [[Step]] = [
    fallen, fallen + [.anotherBluetoothd], fallen + [.anotherBluetoothd, .adaptersChanged],
    fallen + [.anotherBluetoothd, .sawNothing], fallen + [.anotherBluetoothd, .refused],
    fallen + [.anotherBluetoothd, .sawOff], fallen + [.anotherBluetoothd, .sawOff, .done], returning,
    returning + [.done], returning + [.done, .mayPass],
    returning + [.done, .refused], returning + [.done, .refused, .done],
  ]

  private static let leaving: [[Step]] = [
    fallen + [.anotherBluetoothd, .sawOff, .leave], [.opened, .goOnAir, .leave],
    [.opened, .goOnAir, .done, .leave], onAir + [.leave], onAir + [.leave, .done],
  ]
}
