import type { Language } from '../../../pipeline/record/language.js';

/** A text in both languages of the pages. */
export type Bilingual = Readonly<Record<Language, string>>;

/** A guide of the repository, shown at `/docs/{slug}`. */
export interface Guide {
  readonly slug: string;
  /** Its path in the repository. */
  readonly file: string;
  readonly name: Bilingual;
  readonly purpose: Bilingual;
}

/** Guides with one purpose. */
export interface GuideGroup {
  readonly name: Bilingual;
  readonly guides: readonly Guide[];
}

/** All guides, in the order of the navigation. The text of `server/api.md` is at `/docs/api`. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    name: { en: 'Use the data', zh: '使用数据' },
    guides: [
      guide('overview', 'README.md', {
        name: { en: 'Overview', zh: '概览' },
        purpose: { en: 'what ipatlas is, and the first lookups', zh: 'ipatlas 是什么，以及最初的几次查询' },
      }),
      guide('datasets', 'server/datasets/README.md', {
        name: { en: 'Datasets', zh: '数据集' },
        purpose: {
          en: 'download the databases, and read them with your client',
          zh: '下载数据库，并用你的客户端读取',
        },
      }),
      guide('changes', 'pipeline/changes/README.md', {
        name: { en: 'Changes', zh: '增量' },
        purpose: { en: 'get what changed instead of whole files', zh: '只下载变化的部分' },
      }),
      guide('lookup', 'pipeline/lookup/README.md', {
        name: { en: 'Bulk lookup', zh: '批量查询' },
        purpose: {
          en: 'look up many addresses: lines, CSV, NDJSON',
          zh: '查询大量地址：文本行、CSV、NDJSON',
        },
      }),
      guide('export', 'pipeline/export/README.md', {
        name: { en: 'Export', zh: '导出' },
        purpose: {
          en: 'export networks of a country, an AS, a cloud or a proxy type to other software',
          zh: '将国家、AS、云或代理的网络导出到其他软件',
        },
      }),
      guide('mcp', 'server/mcp/README.md', {
        name: { en: 'Models (MCP)', zh: '模型（MCP）' },
        purpose: { en: 'let a model use the data', zh: '让模型使用数据' },
      }),
      guide('isp', 'pipeline/isp/README.md', {
        name: { en: 'Proxies, clouds and ISPs', zh: '代理、云与运营商' },
        purpose: { en: 'understand the verdicts; keep your own lists', zh: '了解判定依据，维护自己的名单' },
      }),
      guide('accuracy', 'pipeline/evaluate/README.md', {
        name: { en: 'Accuracy', zh: '准确度' },
        purpose: {
          en: 'measure how accurate the feeds and the merge are',
          zh: '衡量各数据源与合并结果的准确度',
        },
      }),
    ],
  },
  {
    name: { en: 'Run it', zh: '部署与运行' },
    guides: [
      guide('build', 'pipeline/README.md', {
        name: { en: 'Build', zh: '构建' },
        purpose: { en: 'build from your own files or from downloads', zh: '用自有文件或下载的文件构建' },
      }),
      guide('nights', 'pipeline/nights/README.md', {
        name: { en: 'Every night', zh: '每晚运行' },
        purpose: { en: 'systemd, cron, containers, disk, backup', zh: 'systemd、cron、容器、磁盘、备份' },
      }),
      guide('notify', 'pipeline/notify/README.md', {
        name: { en: 'Notifications', zh: '通知' },
        purpose: { en: 'get the result of every build', zh: '获取每次构建的结果' },
      }),
      guide('store', 'pipeline/store/README.md', {
        name: { en: 'Stores', zh: '存储' },
        purpose: { en: 'share releases between machines', zh: '在多台机器间共享发布' },
      }),
      guide('server', 'server/README.md', {
        name: { en: 'API server', zh: 'API 服务器' },
        purpose: {
          en: 'keys, limits, environment, operation, probe nodes',
          zh: '密钥、限额、环境变量、运维、探测节点',
        },
      }),
      guide('edge-worker', 'server/dns/edge-worker/README.md', {
        name: { en: 'Edge worker', zh: '边缘节点' },
        purpose: { en: 'DNS over HTTPS with a client subnet', zh: '带客户端子网的 DNS over HTTPS' },
      }),
    ],
  },
  {
    name: { en: 'Reference', zh: '参考' },
    guides: [
      guide('decisions', 'server/decisions.md', {
        name: { en: 'Decisions', zh: '设计决定' },
        purpose: { en: 'why the API behaves as it does', zh: 'API 行为的依据' },
      }),
      guide('changelog', 'CHANGELOG.md', {
        name: { en: 'Changelog', zh: '更新日志' },
        purpose: { en: 'what changed for users', zh: '对使用者的变化' },
      }),
      guide('architecture', 'ARCHITECTURE.md', {
        name: { en: 'Architecture', zh: '架构' },
        purpose: { en: 'follow a prefix through the code', zh: '一个前缀在代码中的路径' },
      }),
      guide('pages', 'server/pages/README.md', {
        name: { en: 'Pages for browsers', zh: '网页' },
        purpose: { en: 'change the style, the scripts and the documentation', zh: '修改样式、脚本与文档' },
      }),
      guide('fixtures', 'fixtures/README.md', {
        name: { en: 'Sample data', zh: '样例数据' },
        purpose: { en: 'where the sample data comes from', zh: '样例数据的来源' },
      }),
    ],
  },
];

/** All guides. */
export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

function guide(slug: string, file: string, texts: Pick<Guide, 'name' | 'purpose'>): Guide {
  return { slug, file, ...texts };
}
