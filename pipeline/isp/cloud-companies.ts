import type { Carrier } from './carriers.js';

/**
 * Companies that run clouds and appear under many names, in the shape of carriers. Their own ASes outrank the names of
 * Chinese feeds, which often remember the previous owner of the space.
 */
export const CLOUD_COMPANIES: readonly Carrier[] = [
  {
    id: 'alibaba',
    en: 'Alibaba Cloud',
    zh: '阿里云',
    short: '阿里云',
    spellings: ['阿里巴巴', '淘宝'],
    names: /\balibaba\b(?![- ]travel)|\baliyun\b|\balicloud\b|\btaobao\b/i,
    asns: [37963, 45102, 134963],
  },
  {
    id: 'tencent',
    en: 'Tencent Cloud',
    zh: '腾讯云',
    short: '腾讯云',
    spellings: ['腾讯', '腾讯网络'],
    names: /\btencent(?:cloud)?\b/i,
    asns: [45090, 132203, 132591, 133478],
  },
  {
    id: 'huawei',
    en: 'Huawei Cloud',
    zh: '华为云',
    short: '华为云',
    spellings: [],
    names: /\bhuawei (?:public )?clouds?\b|\bhwclouds\b/i,
    asns: [55990, 136907],
  },
  {
    id: 'baidu',
    en: 'Baidu',
    zh: '百度',
    short: '百度',
    spellings: ['百度云'],
    names: /\bbaidu\b/i,
    asns: [38365, 55967],
  },
  {
    // Sinnet and Western Cloud Data run the Chinese regions of Amazon.
    id: 'sinnet',
    en: 'Sinnet',
    zh: '光环新网',
    short: '光环新网',
    spellings: [],
    names: /\bguanghuan xinwang\b|\bbeijing sinnet\b/i,
    asns: [55960],
  },
  {
    id: 'westcloud',
    en: 'Ningxia Western Cloud Data',
    zh: '西云数据',
    short: '西云数据',
    spellings: [],
    names: /\bningxia west(?:ern)? cloud\b/i,
    asns: [135629],
  },
  {
    // Runs the Chinese regions of Microsoft.
    id: 'bluecloud',
    en: '21Vianet Blue Cloud',
    zh: '世纪互联蓝云',
    short: '蓝云',
    spellings: [],
    names: /\bshanghai blue cloud\b/i,
    asns: [58593],
  },
  {
    id: 'amazon',
    en: 'Amazon',
    zh: '亚马逊',
    short: '亚马逊',
    spellings: ['亚马逊云'],
    names: /^amazon-(?:\d|a|fc)|\bamazon\.com\b|\bamazon (?:data|technologies|web|corporate) ?/i,
    asns: [7224, 8987, 14618, 16509],
  },
  {
    id: 'microsoft',
    en: 'Microsoft',
    zh: '微软',
    short: '微软',
    spellings: [],
    names: /\bmicrosoft\b/i,
    asns: [8068, 8069, 8075],
  },
  {
    id: 'google',
    en: 'Google',
    zh: '谷歌',
    short: '谷歌',
    spellings: ['谷歌云'],
    names: /^google\b(?![- ]?fiber)|\bgoogle (?:llc|inc|cloud|asia pacific)\b/i,
    asns: [15169, 19527, 396982],
  },
  {
    id: 'apple',
    en: 'Apple',
    zh: '苹果',
    short: '苹果',
    spellings: ['苹果公司'],
    names: /^apple-(?:engineering|austin|cdn|retail)\b|\bapple,? inc\b|\bapple computer\b/i,
    asns: [714, 6185],
  },
];
