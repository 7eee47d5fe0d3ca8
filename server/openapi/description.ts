import { bucketsTable, plansTable } from './limit-tables.js';

/** The text at the head of the document, Markdown. */
export const DESCRIPTION = `IP geolocation, BGP and ASN data, Whois, DNS, TCP probes and dataset downloads.

A call succeeded if \`code\` is 0. Business errors (codes 400, 401, 403 and 404) come with HTTP 200, all others with the
HTTP status of their code. Later versions may add fields to answers.

## Plans

${plansTable()}

${bucketsTable()}`;
