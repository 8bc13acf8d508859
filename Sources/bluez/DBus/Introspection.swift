internal import EventLoop

/// The answer of `org.freedesktop.DBus.Introspectable`, which `busctl` shows.
@EventLoop
func introspection(of interfaces: [DBusInterface], children: [String]) -> String {
  """
  <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
   "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
  <node>
  \(interfaces.map(element).joined())\(children.map { "  <node name=\"\($0)\"/>\n" }.joined())</node>

  """
}

@EventLoop
private func element(_ interface: DBusInterface) -> String {
  """
    <interface name="\(interface.name)">
  \(interface.methods.map(element).joined())\(interface.properties.map(element).joined())  </interface>

  """
}

private func element(_ method: DBusMethod) -> String {
  """
      <method name="\(method.name)">
  \(arguments(method.arguments, "in"))\(arguments(method.reply, "out"))    </method>

  """
}

private func arguments(_ signature: DBusSignature, _ direction: String) -> String {
  signature.completeTypes.map { "      <arg type=\"\($0)\" direction=\"\(direction)\"/>\n" }.joined()
}

@EventLoop
private func element(_ property: DBusProperty) -> String {
  "    <property name=\"\(property.name)\" type=\"\(property.value().signature)\" access=\"read\"/>\n"
}
