import type { Registration } from '../whois-record.js';

/** What is read out of an answer. */
export type RecordFields = Omit<Registration, 'raw'>;
