import type { Deadline } from '../deadline.js';
import type { WhoisAnswer, WhoisTarget } from './whois-record.js';

/** One way to ask the registries: RDAP, or whois on port 43. */
export interface RegistryClient {
  /** Throws UpstreamError when those who would know do not answer. */
  ask(target: WhoisTarget, deadline: Deadline): Promise<WhoisAnswer>;
}
