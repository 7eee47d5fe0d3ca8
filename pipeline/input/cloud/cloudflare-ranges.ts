import { cloudFile } from './cloud-file.js';

/**
 * Cloudflare's address ranges (https://www.cloudflare.com/ips/): a prefix per line, without a last line end. "Together,
 * these IP addresses form the backbone of Cloudflare's anycast network"
 * (https://developers.cloudflare.com/fundamentals/concepts/cloudflare-ip-addresses/).
 */
export const CLOUDFLARE_RANGES = [
  cloudFile('ips-v4', { url: 'https://www.cloudflare.com/ips-v4', minBytes: 100 }),
  cloudFile('ips-v6', { url: 'https://www.cloudflare.com/ips-v6', minBytes: 50 }),
] as const;
