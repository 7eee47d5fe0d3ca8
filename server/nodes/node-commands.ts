import { printableLines } from '../../pipeline/text/printable.js';
import type { Printed } from '../ledger/accounts/key-commands.js';
import { NodeError, type KnownNode, type NodeStore } from './node-store.js';
import type { NodeRegistration } from './probe-node.js';

/** Options of `node add`. */
export interface AddOptions {
  readonly code: string;
  readonly name: string;
  readonly nameEn?: string;
  readonly isp?: string;
  readonly region?: string;
  readonly country: string;
  readonly countryCode: string;
  readonly province?: string;
  readonly city?: string;
}

type PrintedToken = Printed & { readonly token: string };

/** Runs `node add`. The token is shown only once. Like all commands here, throws NodeError. */
export async function addNode(store: NodeStore, options: AddOptions): Promise<PrintedToken> {
  return shownOnce(await store.add(parseRegistration(options)));
}

/** Runs `node rotate`. */
export async function rotateNode(store: NodeStore, codeOrId: string): Promise<PrintedToken> {
  return shownOnce(await store.rotate(codeOrId));
}

/** Runs `node list`. */
export async function listNodes(store: NodeStore): Promise<Printed> {
  const nodes = await store.list();
  return {
    value: nodes.map(valueOf),
    text: nodes.length === 0 ? 'no nodes' : printableLines(nodes.map(lineOf)),
  };
}

/** Runs `node remove`. */
export async function removeNode(store: NodeStore, codeOrId: string): Promise<Printed> {
  const node = await store.remove(codeOrId);
  return { value: { removed: true, node }, text: `removed ${node.code}; its connection was closed` };
}

function shownOnce({ token, node }: { token: string; node: NodeRegistration }): PrintedToken {
  const text = printableLines([token, `for ${node.code} (${placeOf(node)}); it is not shown again`]);
  return { token, value: { token, node }, text };
}

function valueOf({ presence, lastSeen, ...node }: KnownNode): object {
  return {
    ...node,
    online: presence !== undefined,
    agent_version: presence?.version ?? null,
    last_seen: lastSeen ?? null,
  };
}

function lineOf(node: KnownNode): string {
  const { id, code, name, presence, lastSeen } = node;
  const seen = lastSeen === undefined ? 'never online' : `offline since ${lastSeen}`;
  const state = presence === undefined ? seen : `online, agent ${presence.version}`;
  return `${id}  ${code}  ${name}  ${placeOf(node)}  ${state}`;
}

function placeOf({ country_code, province, city, isp }: NodeRegistration): string {
  return [country_code, province, city, isp].filter((part) => part !== '').join(', ');
}

function parseRegistration(options: AddOptions): Omit<NodeRegistration, 'id'> {
  const { code, name, nameEn = name, isp, region, country, province, city } = options;
  const country_code = options.countryCode.toUpperCase();
  if (!/^[a-z0-9-]{1,64}$/.test(code))
    throw new NodeError(`invalid code "${code}": expected 1-64 characters of a-z, 0-9 and -`);
  // An all-digit argument means an id.
  if (/^\d+$/.test(code))
    throw new NodeError(`invalid code "${code}": expected at least one letter or hyphen`);
  if (!/^[A-Z]{2}$/.test(country_code))
    throw new NodeError(`invalid country code "${options.countryCode}": expected ISO 3166-1 alpha-2`);
  return {
    code,
    name: parseName('name', name),
    name_en: parseName('English name', nameEn),
    isp: parseText(isp),
    region: parseText(region),
    country: parseName('country', country),
    country_code,
    province: parseText(province),
    city: parseText(city),
  };
}

function parseName(what: string, text: string): string {
  const name = parseText(text);
  if (name === '') throw new NodeError(`missing ${what}: expected 1-100 characters`);
  return name;
}

/** Trims a text. Absent text is `""`, as on the wire. */
function parseText(text = ''): string {
  const trimmed = text.trim();
  if (trimmed.length > 100 || /\p{Cc}/u.test(trimmed))
    throw new NodeError(
      `invalid text "${trimmed.slice(0, 20)}…": expected at most 100 characters without control characters`,
    );
  return trimmed;
}
