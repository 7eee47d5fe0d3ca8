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
  /** `places` have an answer, `failed` others have none. */
  readonly summary: (answers: number, places: number, failed: number) => string;
  readonly invalid: {
    readonly missingName: string;
    readonly name: (name: string) => string;
    readonly resolver: (resolver: string, last: number) => string;
  };
  readonly tooManyRuns: (most: number) => string;
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
    ask: 'Query all places',
    answersOf: (name, type, resolver) => `${name} ${type}, asked through ${resolver}`,
    map: 'Places by their answer',
    answers: 'Answers',
    answer: 'Answer',
    places: 'Places',
    noRecords: 'no records',
    noAnswer: 'No answer:',
    operator: 'Operator',
    export: 'Download (queries all places again):',
    summary: (answers, places, failed) =>
      [
        answers === 1 && `${failed === 0 ? 'All ' : ''}${places} places get the same answer.`,
        answers > 1 && `${answers} different answers for ${places} places.`,
        failed > 0 && `${failed} ${failed === 1 ? 'place has' : 'places have'} no answer.`,
      ]
        .filter((sentence) => sentence !== false)
        .join(' '),
    invalid: {
      missingName: 'Missing name: expected ?name=example.com.',
      name: (name) => `Invalid name “${name}”: expected a name in the public DNS.`,
      resolver: (resolver, last) => `Invalid resolver “${resolver}”: expected 0-${last}.`,
    },
    tooManyRuns: (most) => `${most} runs of your address are not finished. Try again later.`,
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
    export: '下载（将重新查询所有地点）：',
    summary: (answers, places, failed) =>
      [
        answers === 1 && `${places} 个地点的结果相同。`,
        answers > 1 && `${places} 个地点共有 ${answers} 种结果。`,
        failed > 0 && `${failed} 个地点没有应答。`,
      ]
        .filter((sentence) => sentence !== false)
        .join(''),
    invalid: {
      missingName: '缺少域名：应为 ?name=example.com。',
      name: (name) => `域名“${name}”无效：应为公共 DNS 中的域名。`,
      resolver: (resolver, last) => `解析器“${resolver}”无效：应为 0-${last}。`,
    },
    tooManyRuns: (most) => `您的地址有 ${most} 次查询尚未结束，请稍后再试。`,
    progress: '进度',
    answered: (count, places) => `${places} 个地点中已有 ${count} 个应答。`,
  },
};
