import { z } from 'zod';
import { dayOf } from '../datasets/archive.js';
import { findEdition } from '../datasets/updates.js';
import { bare } from '../http/answer.js';
import { defineRoute } from '../http/route.js';

const MOST_EDITIONS = 20;
const INVALID = `invalid edition_id: expected 1-${MOST_EDITIONS} database types, comma-separated`;

const databases = z
  .strictObject({
    databases: z
      .array(
        z.strictObject({
          edition_id: z.string().describe('Database type'),
          md5: z.string().describe('Digest of the MMDB file'),
          date: z.iso.date().describe('Day of the build'),
        }),
      )
      .describe('The requested editions'),
  })
  .meta({ id: 'UpdateMetadata' });

/** GET /geoip/updates/metadata -> 200 {databases} | 400 | 401 | 403 | 404 unknown edition, as HTTP statuses */
export const updatesMetadata = defineRoute({
  method: 'get',
  paths: ['/geoip/updates/metadata'],
  operationId: 'getUpdateMetadata',
  tag: 'Updates',
  summary: 'What geoipupdate 7 asks before a download: md5 and date of editions. It is no download.',
  terms: { kind: 'download', login: 'basic' },
  failsWithStatus: true,
  errors: { 400: 'Missing edition_id, or too many', 404: 'Unknown edition' },
  params: z.object({}),
  query: z.object({
    edition_id: z
      .string(INVALID)
      .transform((text) => text.split(','))
      .refine((types) => types.length <= MOST_EDITIONS, INVALID)
      .describe('Database types, comma-separated'),
  }),
  shape: { kind: 'bare', body: databases },
  answer: ({ query, snapshot }) =>
    bare({
      databases: query.edition_id.map((type) => {
        const { file } = findEdition(snapshot, type);
        const date = dayOf(file).replace(/^(....)(..)/, '$1-$2-');
        return { edition_id: file.type, md5: file.md5, date };
      }),
    }),
});
