import type { Client } from './client.js';
import { LIBRARIES } from './libraries.js';
import { LOG_PROGRAMS } from './log-programs.js';
import { NAME_SERVERS } from './name-servers.js';
import { NODE_LIBRARIES } from './node-libraries.js';

/** All clients, in the order of the table. */
export const CLIENTS: readonly Client[] = [...LIBRARIES, ...NODE_LIBRARIES, ...LOG_PROGRAMS, ...NAME_SERVERS];

/**
 * The addresses that clients are asked for: with a place, an AS, an ISP or a flag, in IPv4 and IPv6, and without a
 * record.
 */
export const ADDRESSES: readonly string[] = [
  ...['8.8.8.8', '1.1.1.1', '114.114.114.114', '185.220.101.1', '2400:3200::1', '2001:4860:4860::8888'],
  ...['192.0.2.1', '2001:db8::1'],
];
