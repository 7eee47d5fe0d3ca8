import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reader, type CityResponse, type IspResponse } from 'maxmind';
import { formatIpv4 } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import {
  judgeVantagePoint,
  type AddressEvidence,
  type VantagePointJudgement,
} from '../vantage-points/judge-vantage-point.js';
import { VANTAGE_POINTS, type VantagePoint } from '../vantage-points/catalogue.js';
import type { ManifestFile, ManifestRegions } from '../release/contract.js';
import type { LocatedDataset } from '../datasets/dataset-folder.js';

/** Files of a dataset and their folder. */
type Compiled = Pick<LocatedDataset, 'dir'> & {
  readonly files: readonly { readonly file: Pick<ManifestFile, 'name' | 'databaseType'> }[];
};

/**
 * Compares the vantage points of global DNS with the compiled tables: country, province and carrier of each subnet.
 * Returns undefined if `geo.mmdb` was not compiled. Mismatches are only reported: the vantage points are part of the
 * API, so a person decides.
 */
export async function checkVantagePoints(
  datasets: readonly Compiled[],
): Promise<ManifestRegions | undefined> {
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
  const judged = VANTAGE_POINTS.map((vantagePoint) => ({
    vantagePoint,
    judgement: judgeVantagePoint(vantagePoint, sample(vantagePoint).map(evidenceOf)),
  }));
  const count = (kind: VantagePointJudgement['kind']): number =>
    judged.filter(({ judgement }) => judgement.kind === kind).length;
  return {
    checked: judged.length,
    confirmed: count('confirmed'),
    countryOnly: count('country only'),
    unknown: count('unknown'),
    mismatches: judged.flatMap(({ vantagePoint: { code, subnet, label }, judgement }) => {
      if (judgement.kind !== 'mismatch') return [];
      const { expected, found } = judgement;
      return [{ code, subnet, label: label.en, expected, found }];
    }),
  };
}

/** Returns three addresses of a subnet, near both ends and in the middle, because a /24 may be split. */
function sample({ subnet }: VantagePoint): string[] {
  const network = parsePrefix(subnet)!.address[3]!;
  return [1, 128, 254].map((host) => formatIpv4(network + host));
}

/** Returns the bytes of a file, or undefined if it was not compiled. */
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
