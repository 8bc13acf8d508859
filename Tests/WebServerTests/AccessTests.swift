import Testing

@testable import WebServer
