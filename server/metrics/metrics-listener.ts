import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';

const PATH = '/metrics';
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Serves `GET /metrics` and nothing else; `render` gives the text of all processes. Not listening yet. */
export function newMetricsServer(render: () => Promise<string>): Server {
  return createServer((req, res) => {
    // A scraper may be told to send parameters; there are none to heed.
    if (req.url?.split('?', 1)[0] !== PATH) {
      res.writeHead(404, TEXT).end(`there is only ${PATH} here\n`);
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { ...TEXT, Allow: 'GET, HEAD' }).end(`${req.method ?? ''} is not allowed here\n`);
      return;
    }
    render().then(
      (text) => res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) =>
        res.writeHead(500, TEXT).end(`${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
}
