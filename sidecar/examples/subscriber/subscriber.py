import http.server, ssl, sys, urllib.parse
class Subscriber(http.server.BaseHTTPRequestHandler):
    def do_GET(self):   # Verification of intent: echo the challenge.
        query = urllib.parse.urlsplit(self.path).query
        self.answer(urllib.parse.parse_qs(query)["hub.challenge"][0])
    def do_POST(self):  # Delivery: the whole topic, each time it changes.
        topic = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(f"received {len(topic)} bytes: {self.headers['Link']}")
    def answer(self, text):
        self.send_response(200), self.end_headers(), self.wfile.write(text.encode())
        print(text, flush=True)
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Subscriber)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(sys.argv[2], sys.argv[3])   # certificate, key
server.socket = tls.wrap_socket(server.socket, server_side=True)
server.serve_forever()
