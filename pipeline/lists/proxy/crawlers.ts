import { z } from 'zod';
import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { readJsonFile } from '../../input/json-file.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { PrefixTexts } from '../prefix-texts.js';

/** A crawler, and where its operator publishes its networks. */
interface Crawler {
  /** SES for search engines, AIC for crawlers of language models. */
  readonly type: 'SES' | 'AIC';
  readonly brand: string;
  readonly url: string;
  /** Another URL of the same document. */
  readonly otherUrl?: string;
}

/**
 * The crawlers by file name, in order of precedence: DuckDuckGo's two robots share their addresses. Google's
 * user-triggered fetchers are not read, because programs of anyone run there on App Engine. Amazon publishes its
 * addresses only as web pages.
 */
const CRAWLERS_BY_FILE: Readonly<Record<string, Crawler>> = {
  // https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests
  'googlebot.json': {
    type: 'SES',
    brand: 'Googlebot',
    url: 'https://developers.google.com/static/crawling/ipranges/common-crawlers.json',
    otherUrl: 'https://developers.google.com/static/search/apis/ipranges/googlebot.json',
  },
  // https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26
  'bingbot.json': { type: 'SES', brand: 'Bingbot', url: 'https://www.bing.com/toolbox/bingbot.json' },
  // https://support.apple.com/en-us/119829
  'applebot.json': {
    type: 'SES',
    brand: 'Applebot',
    url: 'https://search.developer.apple.com/applebot.json',
  },
  'duckduckbot.json': {
    type: 'SES',
    brand: 'DuckDuckBot',
    url: 'https://duckduckgo.com/duckduckbot.json',
  },
  // https://platform.openai.com/docs/bots
  'gptbot.json': { type: 'AIC', brand: 'GPTBot', url: 'https://openai.com/gptbot.json' },
  'searchbot.json': { type: 'AIC', brand: 'OAI-SearchBot', url: 'https://openai.com/searchbot.json' },
  'chatgpt-user.json': { type: 'AIC', brand: 'ChatGPT-User', url: 'https://openai.com/chatgpt-user.json' },
  // One document for ClaudeBot, Claude-User and Claude-SearchBot: https://support.claude.com/en/articles/8896518
  'claudebot.json': { type: 'AIC', brand: 'ClaudeBot', url: 'https://claude.com/crawling/bots.json' },
  // https://docs.perplexity.ai/guides/bots
  'perplexitybot.json': {
    type: 'AIC',
    brand: 'PerplexityBot',
    url: 'https://www.perplexity.com/perplexitybot.json',
    otherUrl: 'https://www.perplexity.ai/perplexitybot.json',
  },
  'perplexity-user.json': {
    type: 'AIC',
    brand: 'Perplexity-User',
    url: 'https://www.perplexity.com/perplexity-user.json',
    otherUrl: 'https://www.perplexity.ai/perplexity-user.json',
  },
  // https://docs.mistral.ai/robots
  'mistralai-index-ips.json': {
    type: 'AIC',
    brand: 'MistralAI-Index',
    url: 'https://mistral.ai/mistralai-index-ips.json',
  },
  'mistralai-user-ips.json': {
    type: 'AIC',
    brand: 'MistralAI-User',
    url: 'https://mistral.ai/mistralai-user-ips.json',
  },
  // https://commoncrawl.org/ccbot
  'ccbot.json': { type: 'AIC', brand: 'CCBot', url: 'https://index.commoncrawl.org/ccbot.json' },
  'duckassistbot.json': {
    type: 'AIC',
    brand: 'DuckAssistBot',
    url: 'https://duckduckgo.com/duckassistbot.json',
  },
};

const NAMES = Object.keys(CRAWLERS_BY_FILE);

/** The shortest document has four addresses. */
const MIN_BYTES = 100;

/**
 * The networks of crawlers, as published by their operators. `creationTime` is the last change of a document and may be
 * years ago. It is not used as the day of a sighting; the day of the copy is.
 */
export const CRAWLERS: List = {
  id: 'crawlers',
  publisher: 'Google, Microsoft, Apple, OpenAI, Anthropic and others',
  licence: {
    name: 'public, of each operator',
    url: 'https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests',
    terms: 'free',
  },
  files: Object.entries(CRAWLERS_BY_FILE).map(([name, crawler]) => crawlerFile(name, crawler)),
  cadence: 'daily (Google), else rarely',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 180,
  layers: ['crawlers'],
  combine: onlyLayer,
  read: async (files, sinkFor) => {
    const inOrder = files.toSorted((a, b) => NAMES.indexOf(a.name) - NAMES.indexOf(b.name));
    await readEach('crawlers', inOrder, (file) => readCrawler(file, sinkFor(file)));
  },
};

function crawlerFile(name: string, { url, otherUrl }: Crawler): PublishedFile {
  const fallback =
    otherUrl === undefined ? {} : { fallback: { url: otherUrl, saveAs: name, minBytes: MIN_BYTES } };
  return plainFile('crawlers', name, { url, minBytes: MIN_BYTES, ...fallback });
}

const DOCUMENT = z.object({ prefixes: z.array(z.unknown()) });
const prefix = z.string().exactOptional();
const ENTRY = z.object({ ipv4Prefix: prefix, ipv6Prefix: prefix });

/**
 * Reads `{creationTime, prefixes: [{ipv4Prefix} or {ipv6Prefix}, …]}`. Positions are the 1-based numbers of
 * entries.
 */
async function readCrawler(file: OpenFile, sink: ListSink): Promise<void> {
  const { type, brand } = CRAWLERS_BY_FILE[file.name]!;
  const claim = sink.intern({ type, provider: brand });
  const prefixes = new PrefixTexts(sink);
  const { prefixes: entries } = await readJsonFile(file, DOCUMENT);
  entries.forEach((entry, index) => {
    const position = index + 1;
    const texts = prefixesOf(entry);
    if (texts.length === 0) sink.reject('json', position, JSON.stringify(entry));
    for (const text of texts) prefixes.add(text, claim, { position });
  });
}

function prefixesOf(entry: unknown): string[] {
  const { ipv4Prefix, ipv6Prefix } = ENTRY.safeParse(entry).data ?? {};
  return [ipv4Prefix, ipv6Prefix].filter((text) => text !== undefined);
}
