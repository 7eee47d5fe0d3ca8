import { PROBE_TARGETS } from '../ledger/meters/probe-target-meter.js';

/** Paragraphs of `server/api.md` that no schema holds. */

export const INTRODUCTION = `<!-- Written by \`make reference\` from the routes. Change the routes or server/openapi, not this file. -->

# API reference

The HTTP interface of ipatlas: IP geolocation and risk data, BGP and ASN data, Whois, DNS, TCP probes, and downloads of
the datasets. The same interface as OpenAPI 3.1 is at \`/openapi.json\` of every server. Rules that this page leaves open
are in [decisions.md](decisions.md).`;

export const BASICS = `## Basics

- Bodies are UTF-8 JSON unless stated otherwise.
- Most answers have an envelope: \`{"code": 0, "data": …}\` for a success, \`{"code": 404, "msg": "…"}\` for an error.
  **A call succeeded if \`code\` is 0.** Most errors come with HTTP 200.
- Without envelope: \`GET /ip\` (plain text), \`GET /json\`, \`GET /\`, \`GET /api/rdns\`, \`GET /dns_global/api/regions\`,
  \`GET /dns_global/api/query\`, \`POST /mcp\`, and a successful download.
- \`lang\` is \`zh\` (the default) or \`en\`. It localises the names of countries, regions, cities and ISPs.
- \`fields\` chooses the fields of an answer: comma-separated names with dots between levels, such as
  \`fields=country_code,bgp.as\`. The fields keep their order and levels. An unknown name is code 400; the schema of the
  parameter in \`/openapi.json\` lists the names. The tables below describe answers without \`fields\`.
- \`POST /api/ip/batch\` with \`Accept: application/x-ndjson\` answers with a line of JSON for each target, without envelope.
- Unknown values are \`""\`, \`null\` or \`[]\`. A field marked "optional" may be absent.
- \`HEAD\` works wherever \`GET\` does. CORS is open on every endpoint except \`/api/rdns\` and \`/mcp\`.`;

export const AUTHENTICATION = `## Authentication

- \`Authorization: Bearer <key>\` is the recommended way.
- \`?token=<key>\` still works but is deprecated: the key ends up in logs and browser history.
- \`X-API-Key\` is not read.
- Endpoints with an optional key also answer without one. Such calls are limited by source address and cost no credits.
- Without a valid key an endpoint that requires one answers HTTP 200 with code 401. An invalid key on an endpoint with an
  optional key counts as no key, and the answer has \`X-Auth: invalid\`. An expired key is invalid.
- The endpoints of [updates](#updates) take the number of the account and a key as user and password of HTTP Basic.
- A key may be limited to networks. From any other address it gets HTTP 200 with code 403 on every endpoint that reads keys.
- The operator of the server issues keys with \`ipatlas key\`.`;

export const LIMITS = `## Limits

A call with a key uses the minute, the day and the credits of its plan. A failed call (HTTP status 400 or above, or a code
other than 0) costs neither the day nor credits; it does use up its slot of the minute. Credits are those of a calendar
month. Days and months end in the time zone of the server. Downloads of each dataset are limited to 5 an hour and 30 a day
per account, downloads of its changes to 60 an hour and 300 a day. Probes may reach ${PROBE_TARGETS.hosts} different hosts and ${PROBE_TARGETS.ports} different ports an hour per account, and not
the ports that the operator refuses, by default those of mail.`;

export const ERRORS = `## Errors

Business errors have HTTP 200, a \`code\` and a \`msg\`:

| HTTP | code | condition |
| --- | --- | --- |
| 200 | 0 | success |
| 200 | 400 | invalid target or parameter, batch too large |
| 200 | 401 | the endpoint requires a valid key |
| 200 | 403 | the plan is too low, the key may not be used from this address, or the target of a probe is not public or its port is refused |
| 200 | 404 | not found or not resolvable |

Each endpoint has a table of its own errors: codes 400, 401, 403 and 404 come with HTTP 200, others with the HTTP status of
the same number. Endpoints of [updates](#updates) have no codes: all errors are HTTP statuses with a line of text. An
unknown route is HTTP 404 with code 404. Some errors have further fields: \`credits_required\` (402),
\`limit\`, \`reset_at\` and \`reset_iso\` (429 of a download, and of a probe for its target), \`snapshot\` (404 of changes), \`available_countries\` (404 of a
probe from a node). A 429 of the day has no \`Retry-After\`; every other one has. General errors:`;

export const CLIENTS = `## Generated clients

\`/openapi.json\` names its schemas (\`IpRecord\`, \`SourceVerdict\`, …) and has literal codes, so that a test of \`code\`
tells types apart. With openapi-typescript and openapi-fetch:

\`\`\`sh
npx openapi-typescript http://localhost:8080/openapi.json -o schema.ts
\`\`\`

\`\`\`ts
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths, 'application/json'>({
  baseUrl: 'http://localhost:8080',
  // Lists such as \`fields\` are one comma-separated value.
  querySerializer: { array: { style: 'form', explode: false } },
});
const { data } = await client.GET('/api/ip/{target}', { params: { path: { target: '1.1.1.1' } } });
if (data?.code !== 0) throw new Error(data?.msg);
const { country_code, bgp } = data.data;
\`\`\``;

export const VERSIONS = `## Versions

The interface has version 1.0.0. Paths have no version. New headers, new routes and new fields of answers may appear;
documented fields do not change. The only deprecated feature is \`?token=\`.`;
