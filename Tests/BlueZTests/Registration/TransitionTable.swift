/// The expectations of ``TransitionTests``: each state, and below it the result of each event.
enum TransitionTable {
  static let text = """
    closed
      opened, openedOff → opened
      leave → same | left
    opened
      goOnAir → registering, starting: registeringApplication FFE0 | registerApplication FFE0 :1
      leave → closed | left
    registering, starting: registeringApplication FFE0
      done → registering, starting: registeringAdvertisement First 0 | registerAdvertisement First :1
      mayPass, refused → opened | cannotGoOnAir: refused
      invalid → opened | cannotGoOnAir: too long
      unanswered → same | warning: bluetoothd has not confirmed the services yet; blemu keeps waiting
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → leaving: registeringApplication | cannotGoOnAir: the device was taken off the air before BlueZ had registered it
    registering, starting: registeringAdvertisement First 0
      done → onAir: resting, First | wentOnAir
      mayPass → registering, starting: pausing First 1 | 0.1 seconds
      refused, invalid → takingBack, starting: unregisteringAdvertisement | unregisterAdvertisement :1
      unanswered → same | warning: bluetoothd has not confirmed the advertisement yet; blemu keeps waiting
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → leaving: registeringAdvertisement | cannotGoOnAir: the device was taken off the air before BlueZ had registered it
    registering, starting: poweringOn
      done → registering, starting: settingAlias First | setAlias First :1
      mayPass, refused → opened | cannotGoOnAir: refused
      invalid → opened | cannotGoOnAir: too long
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → leaving: poweringOn | cannotGoOnAir: the device was taken off the air before BlueZ had registered it
    registering, starting: settingAlias First
      done → registering, starting: registeringApplication FFE0 | registerApplication FFE0 :1
      mayPass, refused → opened | cannotGoOnAir: refused
      invalid → opened | cannotGoOnAir: too long
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → closed | cannotGoOnAir: the device was taken off the air before BlueZ had registered it | left
    registering, starting: pausing First 1
      ended → registering, starting: registeringAdvertisement First 1 | registerAdvertisement First :1
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → leaving: unregisteringApplication | cannotGoOnAir: the device was taken off the air before BlueZ had registered it | unregisterApplication :1
    takingBack, starting: unregisteringAdvertisement
      ended → takingBack, starting: unregisteringApplication | unregisterApplication :1
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: refused
      leave → leaving: unregisteringAdvertisement | cannotGoOnAir: refused
    takingBack, starting: unregisteringApplication
      ended, bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: refused
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse → same
      leave → leaving: unregisteringApplication | cannotGoOnAir: refused
    registering, starting: registeringApplication FFE0
      done → registering, starting: registeringAdvertisement First 0 | registerAdvertisement First :1
      mayPass, refused → opened | cannotGoOnAir: refused
      invalid → opened | cannotGoOnAir: too long
      unanswered → opened | cannotGoOnAir: bluetoothd does not answer
      advertiseSecond, advertiseNothing, serveOthers, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → leaving: registeringApplication | cannotGoOnAir: the device was taken off the air before BlueZ had registered it
    registering, starting: registeringAdvertisement First 0
      done → onAir: looking, First | wentOnAir | look :1
      mayPass → registering, starting: pausing First 1 | 0.1 seconds
      refused, invalid → takingBack, starting: unregisteringAdvertisement | unregisterAdvertisement :1
      unanswered → takingBack, starting: unregisteringApplication | unregisterApplication :1
      advertiseSecond, advertiseNothing, serveOthers, comesIntoUse, connects → same
      bluetoothdStops, anotherBluetoothd → opened | cannotGoOnAir: bluetoothd has stopped
      leave → leaving: registeringAdvertisement | cannotGoOnAir: the device was taken off the air before BlueZ had registered it
    onAir: resting, First
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged → onAir: looking, First | look :1
      comesIntoUse → same
      connects → onAir: unregisteringAdvertisement | unregisterAdvertisement :1
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringAdvertisement | unregisterAdvertisement :1
    onAir: looking, First
      done, mayPass, refused, invalid → onAir: retrying, First | 1.0 seconds
      sawReady → onAir: resting, First
      sawOff → switchedOff | fellOffAir: hci0 was switched off
      sawNothing → waiting: noAdapter | fellOffAir: the adapter is gone
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringAdvertisement | unregisterAdvertisement :1
    onAir: settingAlias Second, First
      done → onAir: unregisteringAdvertisement | unregisterAdvertisement :1
      mayPass, refused → onAir: retrying, First | 1.0 seconds
      invalid → onAir: resting, First | warning: not advertising: too long
      advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringAdvertisement | unregisterAdvertisement :1
    onAir: unregisteringAdvertisement
      ended → onAir: registeringAdvertisement Second 0 | registerAdvertisement Second :1
      advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringAdvertisement
    onAir: registeringAdvertisement Second 0
      done → onAir: resting, Second
      mayPass → onAir: pausing Second 1 | 0.1 seconds
      refused → onAir: retrying, nothing | 1.0 seconds
      invalid → onAir: resting, nothing | warning: not advertising: too long
      unanswered → same | warning: bluetoothd has not confirmed the advertisement yet; blemu keeps waiting
      advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: registeringAdvertisement
    onAir: pausing Second 1
      ended → onAir: registeringAdvertisement Second 1 | registerAdvertisement Second :1
      advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication | unregisterApplication :1
    onAir: retrying, nothing
      ended, advertiseNothing, serveOthers, adaptersChanged → onAir: looking, nothing | look :1
      comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication | unregisterApplication :1
    onAir: registeringAdvertisement Second 0
      done → onAir: looking, Second | look :1
      mayPass → onAir: pausing Second 1 | 0.1 seconds
      refused, unanswered → onAir: looking, nothing | look :1
      invalid → onAir: looking, nothing | warning: not advertising: too long | look :1
      advertiseNothing, serveOthers, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: registeringAdvertisement
    onAir: resting, nothing
      advertiseSecond, advertiseNothing, adaptersChanged, fallsOutOfUse → onAir: looking, nothing | look :1
      connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication | unregisterApplication :1
    onAir: looking, nothing
      done, mayPass, refused, invalid → onAir: retrying, nothing | 1.0 seconds
      sawReady → takingBack, onAir: unregisteringApplication | unregisterApplication :1
      sawOff → switchedOff | fellOffAir: hci0 was switched off
      sawNothing → waiting: noAdapter | fellOffAir: the adapter is gone
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication | unregisterApplication :1
    onAir: unregisteringAdvertisement
      ended → takingBack, onAir: unregisteringApplication | unregisterApplication :1
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringAdvertisement
    takingBack, onAir: unregisteringApplication
      ended → registering, onAir: registeringApplication FFF0 | registerApplication FFF0 :1
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication
    registering, onAir: registeringApplication FFF0
      done → registering, onAir: registeringAdvertisement First 0 | registerAdvertisement First :1
      mayPass, refused → waiting: failure | fellOffAir: refused | 1.0 seconds
      invalid → waiting: failure | fellOffAir: too long | 1.0 seconds
      unanswered → same | warning: bluetoothd has not confirmed the services yet; blemu keeps waiting
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: registeringApplication
    registering, onAir: registeringAdvertisement First 0
      done → onAir: resting, First
      mayPass → registering, onAir: pausing First 1 | 0.1 seconds
      refused, invalid → takingBack, onAir: unregisteringAdvertisement | unregisterAdvertisement :1
      unanswered → same | warning: bluetoothd has not confirmed the advertisement yet; blemu keeps waiting
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: registeringAdvertisement
    registering, onAir: pausing First 1
      ended → registering, onAir: registeringAdvertisement First 1 | registerAdvertisement First :1
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication | unregisterApplication :1
    takingBack, onAir: unregisteringAdvertisement
      ended → takingBack, onAir: unregisteringApplication | unregisterApplication :1
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringAdvertisement
    takingBack, onAir: unregisteringApplication
      ended → waiting: failure | fellOffAir: refused | 1.0 seconds
      advertiseSecond, advertiseNothing, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd | fellOffAir: bluetoothd has stopped
      anotherBluetoothd → waiting: looking | fellOffAir: bluetoothd has stopped | look :2
      leave → leaving: unregisteringApplication
    switchedOff
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged → switchedOff: looking | look :1
      comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      anotherBluetoothd → waiting: looking | look :2
      leave → leaving: unregisteringAdvertisement | unregisterAdvertisement :1
    switchedOff: looking
      done, sawOff, mayPass, refused, invalid → switchedOff
      sawReady → registering, offAir: unregisteringAdvertisement, First | unregisterAdvertisement :1
      sawNothing → waiting: noAdapter
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      anotherBluetoothd → waiting: looking | look :2
      leave → leaving: unregisteringAdvertisement | unregisterAdvertisement :1
    registering, offAir: unregisteringAdvertisement, First
      ended → registering, offAir: registeringAdvertisement First 0 | registerAdvertisement First :1
      advertiseSecond, advertiseNothing, serveOthers, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd
      anotherBluetoothd → waiting: looking | look :2
      leave → leaving: unregisteringAdvertisement
    switchedOff: looking
      done, sawOff, mayPass, refused, invalid → switchedOff
      sawReady → onAir: looking, nothing | cameBackOnAir | look :1
      sawNothing → waiting: noAdapter
      advertiseSecond, serveOthers, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      anotherBluetoothd → waiting: looking | look :2
      leave → leaving: unregisteringApplication | unregisterApplication :1
    waiting: noBluetoothd
      advertiseSecond, advertiseNothing, serveOthers, comesIntoUse → same
      anotherBluetoothd → waiting: looking | look :2
      leave → closed | left
    waiting: looking
      done, mayPass, refused, invalid → waiting: failure | 1.0 seconds
      sawReady → registering, offAir: registeringApplication FFE0 | registerApplication FFE0 :2
      sawOff → registering, offAir: poweringOn | powerOn :2
      sawNothing → waiting: noAdapter
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged → waiting: looking again
      comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      leave → closed | left
    waiting: looking again
      done, sawNothing, mayPass, refused, invalid → waiting: looking | look :2
      sawReady → registering, offAir: registeringApplication FFE0 | registerApplication FFE0 :2
      sawOff → registering, offAir: poweringOn | powerOn :2
      advertiseSecond, advertiseNothing, serveOthers, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      leave → closed | left
    waiting: noAdapter
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged → waiting: looking | look :2
      comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      leave → closed | left
    waiting: failure
      ended, advertiseSecond, advertiseNothing, serveOthers, adaptersChanged → waiting: looking | look :2
      comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      leave → closed | left
    registering, offAir: poweringOn
      done → registering, offAir: settingAlias First | setAlias First :2
      failed → waiting: failure | 1.0 seconds
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd
      leave → leaving: poweringOn
    registering, offAir: settingAlias First
      done → registering, offAir: registeringApplication FFE0 | registerApplication FFE0 :2
      failed → waiting: failure | 1.0 seconds
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd
      leave → closed | left
    registering, offAir: registeringApplication FFE0
      done → registering, offAir: registeringAdvertisement First 0 | registerAdvertisement First :2
      failed → waiting: failure | 1.0 seconds
      unanswered → same | warning: bluetoothd has not confirmed the services yet; blemu keeps waiting
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd
      leave → leaving: registeringApplication
    registering, offAir: registeringAdvertisement First 0
      done → onAir: resting, First | cameBackOnAir
      mayPass → registering, offAir: pausing First 1 | 0.1 seconds
      refused, invalid → takingBack, offAir: unregisteringAdvertisement | unregisterAdvertisement :2
      unanswered → same | warning: bluetoothd has not confirmed the advertisement yet; blemu keeps waiting
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd
      leave → leaving: registeringAdvertisement
    registering, offAir: pausing First 1
      ended → registering, offAir: registeringAdvertisement First 1 | registerAdvertisement First :2
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, connects → same
      bluetoothdStops → waiting: noBluetoothd
      leave → leaving: unregisteringApplication | unregisterApplication :2
    takingBack, offAir: unregisteringAdvertisement
      ended → takingBack, offAir: unregisteringApplication | unregisterApplication :2
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      leave → leaving: unregisteringAdvertisement
    takingBack, offAir: unregisteringApplication
      ended → waiting: failure | 1.0 seconds
      advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse → same
      bluetoothdStops → waiting: noBluetoothd
      leave → leaving: unregisteringApplication
    leaving: poweringOn
      ended, unanswered, bluetoothdStops → closed | left
    leaving: registeringApplication
      done → leaving: unregisteringApplication | unregisterApplication :1
      failed, unanswered, bluetoothdStops, anotherBluetoothd → closed | left
    leaving: registeringAdvertisement
      done → leaving: unregisteringAdvertisement | unregisterAdvertisement :1
      failed, unanswered → leaving: unregisteringApplication | unregisterApplication :1
      bluetoothdStops, anotherBluetoothd → closed | left
    leaving: unregisteringAdvertisement
      ended, unanswered → leaving: unregisteringApplication | unregisterApplication :1
      bluetoothdStops, anotherBluetoothd → closed | left
    leaving: unregisteringApplication
      ended, unanswered, bluetoothdStops, anotherBluetoothd → closed | left
    """
}
