import type { Scripts } from '../redis-connection.js';

/** PUBLISH_SCRIPTS as a command of a connection. */
export interface PublishCommands {
  publishAt(key: string, channel: string, text: string): Promise<number>;
}

/**
 * Publishes at the master of a key. PUBLISH itself goes to any server, and counts only the subscribers of that one.
 * KEYS: any key of the slot. ARGV: channel, text. Returns the number of subscribers of this master.
 */
export const PUBLISH_SCRIPTS: Scripts<PublishCommands> = {
  publishAt: { lua: "return redis.call('PUBLISH', ARGV[1], ARGV[2])", numberOfKeys: 1 },
};
