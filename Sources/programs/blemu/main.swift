import CBuild
import CommandLineTool
import Glibc

exit(BlemuTool.run(CommandLine.arguments, build: blemu_build().map { String(cString: $0) }))
