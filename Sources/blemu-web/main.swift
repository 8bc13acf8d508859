import Glibc
import WebServer

exit(WebProgram.run(CommandLine.arguments))
