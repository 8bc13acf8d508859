import CommandLineTool
import Glibc

exit(BlemuTool.run(CommandLine.arguments))
