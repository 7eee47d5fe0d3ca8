import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';

/** Serves `GET /metrics` and nothing else; `render` gives the text of all processes. Not listening yet. */
export function newMetricsServer(render: () => Promise<string>): Server {
  return createServer((req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') {
      res.writeHead(404).end();
      return;
    }
    render().then(
      (text) => res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) =>
        res.writeHead(500).end(`${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
}
