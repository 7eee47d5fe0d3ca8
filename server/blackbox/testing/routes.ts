/** A successful call of each route, with its bucket for calls without a key. */
export const ROUTES = [
  { method: 'GET', path: '/api/ip', bucket: 'own-ip' },
  { method: 'GET', path: '/json', bucket: 'own-ip' },
  { method: 'GET', path: '/?format=json', bucket: 'own-ip' },
  { method: 'GET', path: '/ip', bucket: 'own-ip' },
  { method: 'GET', path: '/api/as-profile/13335', bucket: 'bgp' },
  { method: 'GET', path: '/api/as-topo/13335', bucket: 'bgp' },
  { method: 'GET', path: '/api/prefix-upstreams?prefix=1.1.1.0/24', bucket: 'bgp' },
  { method: 'GET', path: '/api/peering-index/search?q=cloudflare', bucket: 'bgp' },
  { method: 'GET', path: '/api/ip/1.1.1.1', bucket: 'anonymous' },
  { method: 'GET', path: '/api/ip/1.1.1.1/sources', bucket: 'anonymous' },
  { method: 'POST', path: '/api/ip/batch', bucket: 'anonymous' },
  { method: 'GET', path: '/api/user/me', bucket: 'anonymous' },
  { method: 'GET', path: '/api/user/usage', bucket: 'anonymous' },
  { method: 'GET', path: '/api/datasets/asn', bucket: 'anonymous' },
  { method: 'GET', path: '/api/datasets/asn/info', bucket: 'public' },
] as const;

/** Requests per minute of each bucket, as in `server/api.md`, "Limits". */
export const PER_MINUTE = { 'own-ip': 60, bgp: 60, anonymous: 30, public: 60 } as const;
