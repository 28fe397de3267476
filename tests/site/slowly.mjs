// A slow line: passes on what a server answers, documents in small pieces, so that a browser draws them unfinished.
import { createServer } from 'node:http';

const PIECE = 700, PAUSE_MS = 20;

async function answer(origin, request, response) {
  const { status, headers, body } = await fetch(origin + request.url);
  const type = headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  response.writeHead(status, { 'content-type': type });
  for (let at = 0; type.startsWith('text/html') && at < bytes.length; at += PIECE) {
    response.write(bytes.subarray(at, at + PIECE));
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
  response.end(type.startsWith('text/html') ? undefined : bytes);
}

// The address of a slow line to `origin`; it is closed when the process ends.
export async function slowly(origin) {
  const server = createServer((request, response) => answer(origin, request, response));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}
