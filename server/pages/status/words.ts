import { ENGLISH_SCALE, type ScaleWords } from '../../../pipeline/html/scale.js';
import type { Language } from '../../../pipeline/record/language.js';

/** The words of the page about the data. */
export interface StatusWords {
  readonly title: string;
  readonly lead: (built: string, age: string) => string;
  readonly sample: string;
  readonly tiles: Readonly<Record<'built' | 'sources' | 'rows' | 'country' | 'city', string>>;
  readonly docs: string;
  readonly openApi: string;
  readonly report: string;
  readonly accuracy: string;
  readonly accuracyNote: (networks: string, operators: string) => string;
  readonly level: string;
  readonly byLevel: string;
  readonly right: string;
  readonly mean: string;
  readonly levels: Readonly<Record<'country' | 'region' | 'cityId' | 'within50Km', string>>;
  readonly calibration: (level: string, points: string) => string;
  readonly confidence: Readonly<Record<'country' | 'region' | 'city', string>>;
  readonly changes: string;
  readonly changesNote: (since: string, changed: string, share: string) => string;
  readonly changesMap: string;
  readonly noChange: string;
  readonly scale: ScaleWords;
  /** Before the least share that is shown: under 0.1 %. */
  readonly under: string;
  readonly country: string;
  readonly addresses: string;
  readonly changed: string;
  readonly datasets: string;
  readonly datasetsNote: string;
  readonly dataset: string;
  readonly file: string;
  readonly size: string;
  readonly bytes: string;
  readonly terms: string;
  readonly termsOf: Readonly<Record<'free' | 'share-alike' | 'unstated' | 'closed', string>>;
  readonly editions: string;
  readonly inputs: string;
  readonly inputsNote: string;
  readonly source: string;
  readonly publisher: string;
  readonly licence: string;
  readonly rows: string;
  readonly date: string;
  readonly older: string;
}

/** The words by language. */
export const STATUS_WORDS: Readonly<Record<Language, StatusWords>> = {
  en: {
    title: 'Data status',
    lead: (built, age) => `The answers come from the release built ${built}, ${age} ago.`,
    sample: 'This server has the bundled sample data: small, made by hand, and not for real use.',
    tiles: {
      built: 'built',
      sources: 'sources',
      rows: 'rows read',
      country: 'of IPv4 addresses with a place have a region',
      city: 'of IPv4 addresses with a place have a city',
    },
    docs: 'Guides and API reference',
    openApi: 'OpenAPI document',
    report: 'Report of the build',
    accuracy: 'Accuracy',
    accuracyNote: (networks, operators) =>
      `Measured on ${networks} networks of ${operators} operators that publish their places. Each network was answered without the statement of its own operator.`,
    level: 'Level',
    byLevel: 'Accuracy by level',
    right: 'Right, all networks',
    mean: 'Right, mean of operators',
    levels: { country: 'Country', region: 'Region', cityId: 'City', within50Km: 'Within 50 km' },
    calibration: (level, points) =>
      `${level}: the confidence differs from the share of right answers by ${points} percentage points on average.`,
    confidence: { country: 'Country', region: 'Region', city: 'City' },
    changes: 'Changes',
    changesNote: (since, changed, share) =>
      `${changed} IPv4 addresses (${share}) have another place than in release ${since}.`,
    changesMap: 'Addresses whose place differs from the last release',
    noChange: 'no addresses',
    scale: ENGLISH_SCALE,
    under: 'under',
    country: 'Country',
    addresses: 'IPv4 addresses',
    changed: 'Changed',
    datasets: 'Datasets for download',
    datasetsNote:
      'For keys of the enterprise plan. They contain only sources whose licences allow redistribution.',
    dataset: 'Dataset',
    file: 'File',
    size: 'Size',
    bytes: 'bytes',
    terms: 'Terms',
    termsOf: {
      free: 'attribution at most',
      'share-alike': 'share alike',
      unstated: 'not stated by all sources',
      closed: 'closed',
    },
    editions: 'Editions',
    inputs: 'Sources',
    inputsNote: 'What the release was built from, with the date of the newest file of each source.',
    source: 'Source',
    publisher: 'Publisher',
    licence: 'Licence',
    rows: 'Rows',
    date: 'Date',
    older: 'older copy: the new one was missing or refused',
  },
  zh: {
    title: '数据状态',
    lead: (built, age) => `答案来自 ${built} 构建的版本（${age}前）。`,
    sample: '本服务器使用内置示例数据：数量少、手工编写，不可用于实际业务。',
    tiles: {
      built: '构建时间',
      sources: '数据源',
      rows: '读取行数',
      country: '有位置的 IPv4 地址精确到省/州',
      city: '有位置的 IPv4 地址精确到城市',
    },
    docs: '指南与 API 参考',
    openApi: 'OpenAPI 文档',
    report: '构建报告（英文）',
    accuracy: '准确度',
    accuracyNote: (networks, operators) =>
      `依据 ${operators} 家公布位置的运营者的 ${networks} 个网络测得；回答每个网络时不使用其运营者自己的声明。`,
    level: '级别',
    byLevel: '各级别的准确率',
    right: '正确率（全部网络）',
    mean: '正确率（运营者平均）',
    levels: { country: '国家/地区', region: '省/州', cityId: '城市', within50Km: '50 公里以内' },
    calibration: (level, points) => `${level}：置信度与实际正确率平均相差 ${points} 个百分点。`,
    confidence: { country: '国家/地区', region: '省/州', city: '城市' },
    changes: '变化',
    changesNote: (since, changed, share) =>
      `与版本 ${since} 相比，${changed} 个 IPv4 地址（${share}）的位置不同。`,
    changesMap: '位置与上一版本不同的地址',
    noChange: '没有地址',
    scale: {
      below: (bound) => `不足 ${bound} %`,
      between: (lower, upper) => `${lower} 至 ${upper} %`,
      from: (bound) => `${bound} % 及以上`,
    },
    under: '不足',
    country: '国家/地区',
    addresses: 'IPv4 地址',
    changed: '变化',
    datasets: '可下载的数据集',
    datasetsNote: '供企业版密钥下载，只含许可证允许再分发的数据源。',
    dataset: '数据集',
    file: '文件',
    size: '大小',
    bytes: '字节',
    terms: '条款',
    termsOf: {
      free: '至多要求署名',
      'share-alike': '相同方式共享',
      unstated: '部分来源未说明',
      closed: '不开放',
    },
    editions: '版本类型',
    inputs: '数据源',
    inputsNote: '构建该版本所用的数据，以及各数据源最新文件的日期。发布者与许可证的名称为原文。',
    source: '数据源',
    publisher: '发布者',
    licence: '许可证',
    rows: '行数',
    date: '日期',
    older: '旧副本：新文件缺失或被拒绝',
  },
};
