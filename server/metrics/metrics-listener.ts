import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';

const PATH = '/metrics';
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Creates the server of `GET /metrics`, not yet listening. `render` returns the metrics of all processes. */
export function newMetricsServer(render: () => Promise<string>): Server {
  return createServer((req, res) => {
    // Scrapers may send query parameters, which are ignored.
    if (req.url?.split('?', 1)[0] !== PATH) {
      res.writeHead(404, TEXT).end(`not found; see ${PATH}\n`);
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res
        .writeHead(405, { ...TEXT, Allow: 'GET, HEAD' })
        .end(`method ${req.method ?? ''} not allowed; expected GET or HEAD\n`);
      return;
    }
    render().then(
      (text) => res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) =>
        res.writeHead(500, TEXT).end(`${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
}
