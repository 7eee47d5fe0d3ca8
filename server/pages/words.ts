import type { Language } from '../../pipeline/record/language.js';

/** The words of all pages: header, footer and failures. Each folder of pages has its own words. */
interface Words {
  readonly site: {
    readonly skip: string;
    readonly footer: string;
    readonly search: { readonly label: string; readonly placeholder: string; readonly button: string };
    readonly nav: {
      readonly label: string;
      readonly globalDns: string;
      readonly status: string;
      readonly docs: string;
    };
  };
  readonly failure: {
    readonly titles: Readonly<Record<number, string>>;
    readonly other: string;
    readonly home: string;
    readonly docs: string;
    /** Explains the 404 of an unknown path. */
    readonly noPage: string;
    readonly retry: (seconds: string) => string;
  };
}

/** The words by language. */
export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    site: {
      skip: 'Skip to content',
      footer:
        'Answers are estimates from public and licensed sources; see the status page for their dates and licences.',
      search: {
        label: 'IP address, prefix, AS number or host name',
        placeholder: '1.1.1.1, 2606:4700::/32, AS13335, example.com',
        button: 'Look up',
      },
      nav: { label: 'Pages', globalDns: 'Global DNS', status: 'Data status', docs: 'Docs' },
    },
    failure: {
      titles: {
        400: 'Invalid request',
        404: 'Not found',
        405: 'Method not allowed',
        429: 'Too many requests',
        502: 'An upstream server did not answer',
        503: 'Not available now',
      },
      other: 'Error',
      home: 'Look up your own address',
      docs: 'Guides and API reference',
      noPage:
        'There is no page at this path. The box above finds addresses, prefixes, AS numbers and host names.',
      retry: (seconds) => `Try again in ${seconds} seconds.`,
    },
  },
  zh: {
    site: {
      skip: '跳到正文',
      footer: '结果由公开数据和授权数据估算得出；数据日期与许可证见“数据状态”页。',
      search: {
        label: 'IP 地址、前缀、AS 号或主机名',
        placeholder: '1.1.1.1、2606:4700::/32、AS13335、example.com',
        button: '查询',
      },
      nav: { label: '页面', globalDns: '全球 DNS', status: '数据状态', docs: '文档' },
    },
    failure: {
      titles: {
        400: '请求无效',
        404: '未找到',
        405: '不支持的方法',
        429: '请求过多',
        502: '上游服务器无响应',
        503: '暂时不可用',
      },
      other: '错误',
      home: '查询本机地址',
      docs: '指南与 API 参考',
      noPage: '此路径没有页面。可在上方输入 IP 地址、前缀、AS 号或主机名查询。',
      retry: (seconds) => `请在 ${seconds} 秒后重试。`,
    },
  },
};
