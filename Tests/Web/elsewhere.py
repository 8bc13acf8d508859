"""Another server on this machine, to which the page must never turn, and whose pages must not reach the page."""
import http.server
import threading

# The policy lets a page from elsewhere try everything.
HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"}


class Elsewhere:
    """A server with one page. As a context manager it runs."""

    def __init__(self, page="<!doctype html><title>elsewhere</title>"):
        #: The paths that were asked for, but not those of browsers on their own account.
        self.requests = []
        #: The headers of all requests, as text.
        self.headers = []
        self.page = page
        elsewhere = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                elsewhere.headers.append(str(self.headers))
                if self.path != "/favicon.ico":
                    elsewhere.requests.append(self.path)
                body = elsewhere.page.encode()
                self.send_response(200)
                for name, value in {**HEADERS, "Content-Type": "text/html", "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_HEAD = do_OPTIONS = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
