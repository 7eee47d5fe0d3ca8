import { iso31662 } from 'iso-3166';

/** An entry of ISO 3166-2. */
export interface IsoSubdivision {
  readonly code: string;
  /** As published, in a language of the country: `Asturias, Principado de`. */
  readonly name: string;
  /** The code of the subdivision that contains it, or of the country. */
  readonly parent: string;
}

/** Returns the current entries of ISO 3166-2. */
export function isoSubdivisions(): readonly IsoSubdivision[] {
  return SUBDIVISIONS;
}

/**
 * Returns the current code for an ISO 3166-2 code: the code itself, or its successor if it was withdrawn. Returns
 * undefined for a code that was divided or withdrawn without a successor, and for one that ISO never listed.
 */
export function currentRegionCode(code: string): string | undefined {
  return CODES.has(code) ? code : SUCCESSORS.get(code);
}

/**
 * Norway's counties of 2024, by the county numbers in their codes (https://www.ssb.no/klass/klassifikasjoner/104), and
 * the counties of 2020 that they replace. The package has those of 2020.
 */
const NORWAY_2024 =
  'NO-31 Østfold, NO-32 Akershus, NO-33 Buskerud, NO-39 Vestfold, NO-40 Telemark, NO-55 Troms, NO-56 Finnmark';
const NORWAY_2020: ReadonlySet<string> = new Set(['NO-30', 'NO-38', 'NO-54']);

const SUBDIVISIONS: readonly IsoSubdivision[] = [
  ...iso31662.filter(({ code }) => !NORWAY_2020.has(code)),
  ...NORWAY_2024.split(', ').map((text) => ({ code: text.slice(0, 5), name: text.slice(6), parent: 'NO' })),
];
const CODES: ReadonlySet<string> = new Set(SUBDIVISIONS.map(({ code }) => code));

/**
 * Withdrawn codes and their successors by country, without the country: `<old>><new>`. From the change lists of ISO
 * (https://www.iso.org/obp/ui/#iso:code:3166:KZ, :GT, :IN, …) and the newsletters before 2014. Codes of divided
 * subdivisions have no successor.
 */
const WITHDRAWN: Readonly<Record<string, string>> = {
  CN:
    '11>BJ 12>TJ 13>HE 14>SX 15>NM 21>LN 22>JL 23>HL 31>SH 32>JS 33>ZJ 34>AH 35>FJ 36>JX 37>SD 41>HA 42>HB 43>HN ' +
    '44>GD 45>GX 46>HI 50>CQ 51>SC 52>GZ 53>YN 54>XZ 61>SN 62>GS 63>QH 64>NX 65>XJ',
  CZ: 'PR>10 ST>20 JC>31 PL>32 KA>41 US>42 LI>51 KR>52 PA>53 VY>63 JM>64 OL>71 ZL>72 MO>80',
  EE: '44>45 49>50 51>52 57>56 59>60 65>64 67>68 70>71 78>79 82>81 86>87',
  FR:
    'A>GES B>NAQ C>ARA D>BFC E>BRE F>CVL G>GES H>20R I>BFC J>IDF K>OCC L>NAQ M>GES N>OCC O>HDF P>NOR Q>NOR R>PDL ' +
    'S>HDF T>NAQ U>PAC V>ARA COR>20R 75>75C',
  GT:
    'AV>16 BV>15 CM>04 CQ>20 ES>05 GU>01 HU>13 IZ>18 JA>21 JU>22 PE>17 PR>02 QC>14 QZ>09 RE>11 SA>03 SM>12 SO>07 ' +
    'SR>06 SU>10 TO>08 ZA>19',
  IN: 'CT>CG DD>DH DN>DH OR>OD TG>TS UT>UK',
  KZ:
    'AKM>11 AKT>15 ALA>75 ALM>19 AST>71 ATY>23 KAR>35 KUS>39 KZY>43 MAN>47 PAV>55 SEV>59 SHY>79 VOS>63 YUZ>61 ' +
    'ZAP>27 ZHA>31',
  MX: 'DIF>CMX',
  NO: '01>31 02>32 04>34 05>34 06>33 07>39 08>40 09>42 10>42 12>46 14>46 16>50 17>50 19>55 20>56 23>50',
  PL: 'DS>02 KP>04 LU>06 LB>08 LD>10 MA>12 MZ>14 OP>16 PK>18 PD>20 PM>22 SL>24 SK>26 WN>28 WP>30 ZP>32',
  TW: 'KHQ>KHH TNQ>TNN TPQ>NWT TXQ>TXG',
  ZA: 'GT>GP NL>KZN',
};

const SUCCESSORS: ReadonlyMap<string, string> = new Map(
  Object.entries(WITHDRAWN).flatMap(([country, changes]) =>
    changes.split(' ').map((change) => {
      const [old, current] = change.split('>') as [string, string];
      return [`${country}-${old}`, `${country}-${current}`] as const;
    }),
  ),
);
