import type { Printed } from '../accounts/key-commands.js';
import { NodeError, type KnownNode, type NodeRegistry } from './node-registry.js';
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

/** `node add`: the token is shown this once. Throws NodeError, like all of these. */
export async function addNode(registry: NodeRegistry, options: AddOptions): Promise<PrintedToken> {
  return shownOnce(await registry.add(parseRegistration(options)));
}

/** `node rotate` */
export async function rotateNode(registry: NodeRegistry, codeOrId: string): Promise<PrintedToken> {
  return shownOnce(await registry.rotate(codeOrId));
}

/** `node list` */
export async function listNodes(registry: NodeRegistry): Promise<Printed> {
  const nodes = await registry.list();
  return { value: nodes.map(valueOf), text: nodes.length === 0 ? 'no nodes' : nodes.map(lineOf).join('\n') };
}

/** `node remove` */
export async function removeNode(registry: NodeRegistry, codeOrId: string): Promise<Printed> {
  const node = await registry.remove(codeOrId);
  return { value: { removed: true, node }, text: `removed ${node.code}; its connection is closed` };
}

function shownOnce({ token, node }: { token: string; node: NodeRegistration }): PrintedToken {
  const text = `${token}\nof ${node.code} (${placeOf(node)}); it is not shown again`;
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
    throw new NodeError(`"${code}" is no code: it is made of a-z, 0-9 and -, 64 at most`);
  // Numbers are ids.
  if (/^\d+$/.test(code)) throw new NodeError(`"${code}" is no code: it needs a letter`);
  if (!/^[A-Z]{2}$/.test(country_code))
    throw new NodeError(`"${options.countryCode}" is no country code: two letters, ISO 3166-1`);
  return {
    ...{ code, country_code },
    ...{ name: parseName('name', name), name_en: parseName('English name', nameEn) },
    ...{ country: parseName('country', country), isp: parseText(isp), region: parseText(region) },
    ...{ province: parseText(province), city: parseText(city) },
  };
}

function parseName(what: string, text: string): string {
  const name = parseText(text);
  if (name === '') throw new NodeError(`the ${what} is empty`);
  return name;
}

/** Absent is `""` on the wire, and so in a registration. */
function parseText(text = ''): string {
  const trimmed = text.trim();
  if (trimmed.length > 100 || /\p{Cc}/u.test(trimmed))
    throw new NodeError(`"${trimmed.slice(0, 20)}…" is too long, or has control characters`);
  return trimmed;
}
