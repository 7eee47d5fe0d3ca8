import { readFileSync } from 'node:fs';
import { AddressNotFoundError, Reader as TypedReader } from '@maxmind/geoip2-node';
import { open } from 'maxmind';
import { Reader } from 'mmdb-lib';
import { lineOf } from './answers.js';
import {
  allFields,
  ClientError,
  MODEL_FIELDS,
  MODEL_TYPES,
  MODELS,
  type Client,
  type Model,
  type Question,
} from './client.js';

type ReaderModel = Awaited<ReturnType<typeof TypedReader.open>>;

/** Libraries of Node. */
export const NODE_LIBRARIES: readonly Client[] = [
  {
    name: 'Node maxmind',
    from: { npm: 'maxmind' },
    questions: allFields('`get()`', async ({ file, fields, addresses }) => {
      const reader = await open(file);
      return addresses.map((ip) => lineOf(reader.get(ip), fields));
    }),
  },
  {
    name: 'Node mmdb-lib',
    from: { npm: 'mmdb-lib' },
    questions: allFields('`get()`', ({ file, fields, addresses }) => {
      const reader = new Reader(readFileSync(file));
      return addresses.map((ip) => lineOf(reader.get(ip), fields));
    }),
  },
  {
    name: 'Node geoip2-node',
    from: { npm: '@maxmind/geoip2-node' },
    questions: MODELS.map((model) => ({
      asked: `\`${model === 'anonymous_ip' ? 'anonymousIP' : model}()\``,
      types: MODEL_TYPES[model],
      fields: MODEL_FIELDS[model],
      ask: byNode(model),
    })),
  },
];

function byNode(model: Model): Question['ask'] {
  return async ({ file, addresses }) => {
    const reader = await TypedReader.open(file);
    return addresses.map((ip) => valuesOfNode(reader, model, ip).map(textOfNode).join('\t'));
  };
}

function textOfNode(value: string | number | boolean | undefined): string {
  return value === undefined || value === false ? '' : String(value);
}

type NodeValues = readonly (string | number | boolean | undefined)[];

function valuesOfNode(reader: ReaderModel, model: Model, ip: string): NodeValues {
  try {
    return NODE_VALUES[model](reader, ip);
  } catch (error) {
    if (error instanceof AddressNotFoundError) return [];
    throw new ClientError((error as Error).message, { cause: error });
  }
}

const NODE_VALUES: Readonly<Record<Model, (reader: ReaderModel, ip: string) => NodeValues>> = {
  city: (reader, ip) => {
    const { country, subdivisions, city, location } = reader.city(ip);
    return [country?.isoCode, subdivisions?.[0]?.names.en, city?.names.en, location?.latitude];
  },
  country: (reader, ip) => {
    const { country, continent, registeredCountry } = reader.country(ip);
    return [country?.isoCode, country?.names.en, continent?.code, registeredCountry?.isoCode];
  },
  asn: (reader, ip) => {
    const found = reader.asn(ip);
    return [found.autonomousSystemNumber, found.autonomousSystemOrganization];
  },
  isp: (reader, ip) => {
    const found = reader.isp(ip);
    return [found.isp, found.organization, found.autonomousSystemNumber];
  },
  anonymous_ip: (reader, ip) => {
    const found = reader.anonymousIP(ip);
    return [found.isAnonymous, found.isHostingProvider, found.isTorExitNode];
  },
};
