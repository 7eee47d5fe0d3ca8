import type { Redis } from 'ioredis';

/**
 * Handles the rejection of ASKING, which ioredis 6.0 sends before a redirected command and does not await: a connection
 * that is lost at that moment would end the process. The redirected command rejects by itself.
 */
export function handleAsking(node: Redis): void {
  const asking = node.asking.bind(node);
  node.asking = async () => asking().catch(() => 'OK' as const);
}
