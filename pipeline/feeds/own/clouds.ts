import { z } from 'zod';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { readAwsRanges } from '../../input/cloud/aws-ranges.js';
import { AZURE_CLOUD, AZURE_FRONT_DOOR, readAzureTags } from '../../input/cloud/azure-tags.js';
import { readGoogleRanges } from '../../input/cloud/google-ranges.js';
import { readOracleRanges } from '../../input/cloud/oracle-ranges.js';
import type { OpenFile } from '../../input/published-source.js';
import { JsonRows } from '../../input/rows/json-rows.js';
import { CloudPlaces } from './cloud-places.js';
import { placeOfBorderGroup } from './regions/aws-regions.js';
import { AZURE_REGIONS } from './regions/azure-regions.js';
import { GOOGLE_REGIONS } from './regions/google-regions.js';
import { ORACLE_REGIONS } from './regions/oracle-regions.js';
import { ANYCAST, NO_PLACE, type RegionPlaces } from './regions/region-place.js';

/** Services of AWS with servers in many places, also in rows with a region. */
const AWS_EDGE: ReadonlySet<string> = new Set([
  'CLOUDFRONT',
  'CLOUDFRONT_ORIGIN_FACING',
  'GLOBALACCELERATOR',
  'ROUTE53',
]);

/**
 * Services of AWS whose rows of the region `GLOBAL` are anycast: the static addresses of Global Accelerator "are anycast
 * from the AWS edge network" (https://docs.aws.amazon.com/global-accelerator/latest/dg/introduction-ip-ranges.html), and
 * the name servers of Route 53 are "a global anycast network" (https://aws.amazon.com/route53/features/). CloudFront is
 * not: each of its addresses is in one place, except static ones that the file does not tell apart.
 */
const AWS_ANYCAST: ReadonlySet<string> = new Set(['GLOBALACCELERATOR', 'ROUTE53']);

/** Reads the places of Amazon's ranges from their network border groups. Older files have only regions. */
export async function readAwsPlaces(file: OpenFile, sink: ClaimSink): Promise<void> {
  const places = new CloudPlaces(file, sink);
  for (const { prefix, service, region, borderGroup, position } of await readAwsRanges(file, sink)) {
    const isAnycast = AWS_ANYCAST.has(service) && region === 'GLOBAL';
    const isEdge = AWS_EDGE.has(service);
    const place = isAnycast ? ANYCAST : isEdge ? NO_PLACE : placeOfBorderGroup(borderGroup ?? region);
    places.add(prefix, place, position);
  }
  places.insert();
}

/**
 * Reads the places of the networks of Google Cloud from their scopes. Global addresses are anycast
 * (https://cloud.google.com/load-balancing/docs/forwarding-rule-concepts).
 */
export async function readGooglePlaces(file: OpenFile, sink: ClaimSink): Promise<void> {
  const places = new CloudPlaces(file, sink);
  for (const { prefix, scope, position } of await readGoogleRanges(file, sink)) {
    places.add(prefix, scope === undefined ? NO_PLACE : placeIn(GOOGLE_REGIONS, scope), position);
  }
  places.insert();
}

/**
 * Reads the places of Azure's networks from the tags `AzureCloud.<region>`. The networks of the tags `AzureFrontDoor.*`
 * have none; those of the frontends are anycast (https://learn.microsoft.com/en-us/azure/frontdoor/front-door-faq). Other
 * tags are skipped (note `skipped`).
 */
export async function readAzurePlaces(file: OpenFile, sink: ClaimSink): Promise<void> {
  const places = new CloudPlaces(file, sink);
  const rows = new JsonRows(sink);
  await readAzureTags(file, sink, ({ family, part, prefixes }) => {
    const isRegion = family === AZURE_CLOUD && part !== '';
    if (isRegion || family === AZURE_FRONT_DOOR) {
      const edge = part === 'Frontend' ? ANYCAST : NO_PLACE;
      const place = isRegion ? placeIn(AZURE_REGIONS, part) : edge;
      rows.read(prefixes, z.string(), (prefix, position) => {
        places.add(prefix, place, position);
      });
    } else {
      prefixes.forEach(() => {
        sink.note('skipped');
      });
    }
  });
  places.insert();
}

/** Reads the places of Oracle's networks from their regions. */
export async function readOraclePlaces(file: OpenFile, sink: ClaimSink): Promise<void> {
  const places = new CloudPlaces(file, sink);
  for (const { prefix, region, position } of await readOracleRanges(file, sink)) {
    places.add(prefix, placeIn(ORACLE_REGIONS, region), position);
  }
  places.insert();
}

function placeIn(places: RegionPlaces, region: string): RegionPlaces[string] | undefined {
  return Object.hasOwn(places, region) ? places[region] : undefined;
}
