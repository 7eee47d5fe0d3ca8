import type { Language } from '../../../pipeline/record/language.js';

/** The words of the documentation pages, besides the guides. */
interface DocsWords {
  readonly docs: string;
  readonly lead: string;
  readonly inEnglish: string;
  readonly contents: string;
  readonly api: string;
  readonly apiLead: string;
  readonly openapi: string;
  readonly table: (number: number, heading: string) => string;
  readonly source: string;
  readonly copy: string;
  readonly copied: string;
  readonly generalErrors: string;
  readonly samples: string;
  readonly tryIt: string;
  readonly tryExample: string;
  readonly send: string;
  readonly key: string;
  readonly keyNote: string;
  readonly account: string;
  readonly body: string;
  readonly optional: string;
  readonly answer: string;
  readonly sending: string;
  readonly failed: string;
  readonly binary: string;
  readonly cut: string;
}

/** The words by language. */
export const DOCS_WORDS: Readonly<Record<Language, DocsWords>> = {
  en: {
    docs: 'Documentation',
    lead: 'Guides for the data, the API and the software, served from the version that runs here.',
    inEnglish: '',
    contents: 'On this page',
    api: 'API reference',
    apiLead:
      'Every endpoint with its parameters, fields, errors and limits, samples in four languages, and a form to call it.',
    openapi: 'The same as OpenAPI 3.1:',
    table: (number, heading) => `Table ${number}: ${heading}`,
    source: 'File in the repository:',
    copy: 'Copy',
    copied: 'Copied',
    generalErrors: 'General errors:',
    samples: 'Samples',
    tryIt: 'Try it on this server',
    tryExample: 'Open this call in the browser:',
    send: 'Send',
    key: 'API key',
    keyNote: 'The key stays in this tab until you close it.',
    account: 'Account number',
    body: 'Body (JSON)',
    optional: 'optional',
    answer: 'Answer',
    sending: 'Waiting for the answer …',
    failed: 'No answer:',
    binary: 'A file; its content is not shown.',
    cut: '… the rest is not shown',
  },
  zh: {
    docs: '文档',
    lead: '数据、API 与软件的指南，内容与本机运行的版本一致。',
    inEnglish: '指南与接口说明为英文。',
    contents: '本页内容',
    api: 'API 参考',
    apiLead: '所有接口的参数、字段、错误与限额，四种语言的示例，以及可直接调用的表单。',
    openapi: 'OpenAPI 3.1 文档：',
    table: (number, heading) => `表 ${number}：${heading}`,
    source: '仓库中的文件：',
    copy: '复制',
    copied: '已复制',
    generalErrors: '通用错误：',
    samples: '示例',
    tryIt: '在本服务器上试用',
    tryExample: '在浏览器中打开此请求：',
    send: '发送',
    key: 'API 密钥',
    keyNote: '密钥只保存在此标签页中，关闭后即删除。',
    account: '账户编号',
    body: '请求体（JSON）',
    optional: '可选',
    answer: '响应',
    sending: '正在等待响应……',
    failed: '没有响应：',
    binary: '这是文件，不显示其内容。',
    cut: '……其余内容未显示',
  },
};
