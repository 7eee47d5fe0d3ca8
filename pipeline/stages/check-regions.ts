import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reader, type CityResponse, type IspResponse } from 'maxmind';
import { formatIpv4 } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import { judgeRegion, type AddressEvidence, type RegionVerdict } from '../regions/judge-region.js';
import { REGIONS, type Region } from '../regions/regions.js';
import type { ManifestFile, ManifestRegions } from '../release/contract.js';
import type { CompileResult } from './dataset-plan.js';

/** Files of a dataset, and where they lie. */
type Compiled = Pick<CompileResult, 'dir'> & {
  readonly files: readonly { readonly file: Pick<ManifestFile, 'name' | 'databaseType'> }[];
};

/**
 * Holds the regions of global DNS against the tables that go out: country, province and carrier of each subnet. Absent
 * where no places were compiled. Nothing is dropped: a region is part of the API, a person looks at what does not fit.
 */
export async function checkRegions(datasets: readonly Compiled[]): Promise<ManifestRegions | undefined> {
  const geo = await readFrom(datasets, 'geo.mmdb', 'ipatlas-City');
  if (geo === undefined) return undefined;
  const places = new Reader<CityResponse>(geo);
  const isp = await readFrom(datasets, 'isp.mmdb', 'ipatlas-ISP');
  const services = isp && new Reader<IspResponse>(isp);
  const evidenceOf = (ip: string): AddressEvidence => {
    const place = places.get(ip);
    return {
      country: place?.country?.iso_code,
      subdivision: place?.subdivisions?.[0]?.iso_code,
      isp: services?.get(ip)?.isp,
    };
  };
  const judged = REGIONS.map((region) => ({
    region,
    verdict: judgeRegion(region, sample(region).map(evidenceOf)),
  }));
  const count = (kind: RegionVerdict['kind']): number =>
    judged.filter(({ verdict }) => verdict.kind === kind).length;
  return {
    checked: judged.length,
    confirmed: count('confirmed'),
    countryOnly: count('country only'),
    unknown: count('unknown'),
    mismatches: judged.flatMap(({ region: { code, subnet, label }, verdict }) => {
      if (verdict.kind !== 'mismatch') return [];
      const { expected, found } = verdict;
      return [{ code, subnet, label: label.en, expected, found }];
    }),
  };
}

/** Addresses of a subnet: near both ends and in the middle, where a /24 may be split. */
function sample({ subnet }: Region): string[] {
  const network = parsePrefix(subnet)!.address[3]!;
  return [1, 128, 254].map((host) => formatIpv4(network + host));
}

/** A file's bytes; absent where it was not compiled. */
async function readFrom(
  datasets: readonly Compiled[],
  name: string,
  type: string,
): Promise<Buffer | undefined> {
  const isMeant = ({ file }: Compiled['files'][number]): boolean =>
    file.name === name && file.databaseType.startsWith(type);
  const dataset = datasets.find(({ files }) => files.some(isMeant));
  return dataset && (await readFile(join(dataset.dir, name)));
}
