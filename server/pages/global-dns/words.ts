import type { Language } from '../../../pipeline/record/language.js';

/** The words of the pages about global DNS. */
export interface GlobalDnsWords {
  readonly title: string;
  readonly lead: (places: number) => string;
  readonly name: string;
  readonly type: string;
  readonly resolver: string;
  readonly ask: string;
  readonly answersOf: (name: string, type: string, resolver: string) => string;
  readonly map: string;
  readonly answers: string;
  readonly answer: string;
  readonly places: string;
  readonly noRecords: string;
  /** Before the reason, which is in English. */
  readonly noAnswer: string;
  readonly operator: string;
  readonly export: string;
  readonly summary: (answers: number, places: number, failed: number) => string;
  readonly progress: string;
  readonly answered: (count: number, places: number) => string;
}

/** The words by language. */
export const GLOBAL_DNS_WORDS: Readonly<Record<Language, GlobalDnsWords>> = {
  en: {
    title: 'Global DNS',
    lead: (places) =>
      `What clients in ${places} places get for a name: a public resolver is asked over HTTPS with the network of each place (EDNS Client Subnet).`,
    name: 'Name',
    type: 'Type',
    resolver: 'Resolver',
    ask: 'Ask from all places',
    answersOf: (name, type, resolver) => `${name} ${type} by ${resolver}`,
    map: 'Places by their answer',
    answers: 'Answers',
    answer: 'Answer',
    places: 'Places',
    noRecords: 'no records',
    noAnswer: 'No answer:',
    operator: 'Operator',
    export: 'Download',
    summary: (answers, places, failed) =>
      `${answers} different ${answers === 1 ? 'answer' : 'answers'} for ${places} places${failed === 0 ? '' : `; ${failed} without an answer`}.`,
    progress: 'Progress',
    answered: (count, places) => `${count} of ${places} places have answered.`,
  },
  zh: {
    title: '全球 DNS',
    lead: (places) =>
      `查看 ${places} 个地点的用户得到的解析结果：通过 HTTPS 向公共解析器查询，并附带各地的网段（EDNS Client Subnet）。`,
    name: '域名',
    type: '类型',
    resolver: '解析器',
    ask: '从所有地点查询',
    answersOf: (name, type, resolver) => `${resolver}：${name} ${type}`,
    map: '各地点的结果',
    answers: '结果',
    answer: '结果',
    places: '地点',
    noRecords: '没有记录',
    noAnswer: '没有应答：',
    operator: '运营者',
    export: '下载',
    summary: (answers, places, failed) =>
      `${places} 个地点共有 ${answers} 种结果${failed === 0 ? '。' : `；${failed} 个地点没有应答。`}`,
    progress: '进度',
    answered: (count, places) => `${places} 个地点中已有 ${count} 个应答。`,
  },
};
