#!/usr/bin/env python3
"""advertiser.py ADAPTER COUNT: registers so many advertisements, prints "ready", and keeps them until it is ended."""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

INTERFACE = "org.bluez.LEAdvertisement1"


class Advertisement(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {"Type": "peripheral", "LocalName": "Advertiser"}

    @dbus.service.method(INTERFACE)
    def Release(self):
        pass


def main(adapter, count):
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus, loop = dbus.SystemBus(), GLib.MainLoop()
    manager = dbus.Interface(bus.get_object("org.bluez", f"/org/bluez/{adapter}"), "org.bluez.LEAdvertisingManager1")
    objects = [Advertisement(bus, f"/advertisement{number}") for number in range(int(count))]
    missing = set(range(len(objects)))

    def registered(number):
        missing.discard(number)
        if not missing:
            print("ready", flush=True)

    def refused(error):
        print(error, flush=True)
        loop.quit()

    for number in range(len(objects)):
        manager.RegisterAdvertisement(f"/advertisement{number}", dbus.Dictionary(signature="sv"),
                                      reply_handler=lambda number=number: registered(number), error_handler=refused)
    loop.run()


main(*sys.argv[1:])
