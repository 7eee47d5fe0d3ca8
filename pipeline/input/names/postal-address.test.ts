import t from 'tap';
import { isLegalForm, isPostalAddress } from './postal-address.js';

t.test('addresses of many countries are recognised', (t) => {
  const ADDRESSES = [
    'No.31,Jin-rong Street',
    '1065-A Zhaojiabang Road',
    '113 Bank Street',
    'Level 5, 100 Harris St',
    'Level 23',
    'Unit 2, 172 Milperra Road',
    'PLOT NO: 3A, SECTOR 126, SEZ, NOIDA',
    '3rd Floor, Wenbo Building, No.A2 Gaoyuan Street',
    '8F.,Sino Favour Centre ,1 OnYip StreetChaiWan',
    'NetEase Building No.16 Ke Yun Road',
    'Tencent Building, Kejizhongyi Avenue',
    'Jagran Building',
    'PO Box 848',
    'Postfach 53',
    'Gutenbergstrasse 8',
    'Hermann-Glockner-Str. 7',
    'Kieselstr.6-8',
    'ul. Marynarska 12',
    'Via Pietro Ronzoni 18',
    '70 rue Balard',
    'Str. Doamna Ghica, Nr. 83 Bl. 63',
    'Viilor, Nr. 800',
    'Iuliu Maniu 612-614',
    'Smartinska 140',
    'Kongensgade 27, 1, DK-5000 Odense C, Denmark',
    'Am Kanal 4a, 14467 Potsdam',
    '38-B, Komsomolsky prospekt',
    'Jl. Raya Pasar Minggu no 99D',
  ];
  for (const text of ADDRESSES) t.ok(isPostalAddress(text), text);
  t.end();
});

t.test('postcodes and places are addresses', (t) => {
  const PLACES = [
    'D-66119 Saarbruecken',
    '04107 Leipzig',
    'LT-01115, Vilnius',
    'Wolsztyn 64-200',
    'Jinan,250000',
    'NINGBO, ZHEJIANG Province, P.R.China.',
    'KuanggongLu, Pingdingshan, Henan, China',
    'Moscow, Russia',
    'St.Petersburg, Russia',
    'OSLO, NORWAY',
    'Poland, Lublin',
    'the Netherlands',
    'Germany',
  ];
  for (const text of PLACES) t.ok(isPostalAddress(text), text);
  t.end();
});

t.test('names of organisations are not addresses, even with numbers, places and buildings', (t) => {
  const NAMES = [
    'Level 3 Communications',
    'Level48 Ltd',
    'Floortje B.V.',
    '3BB',
    'Silk Road',
    'Avenue 5 Telecom',
    'Cloudflare, Inc.',
    'Classroom 2000',
    'Universitas 17 Agustus 1945 Banyuwangi',
    'Nationwide Building Society',
    'Hong Kong Education City Ltd',
    'American Tower do Brasil-Comunicacao Multimidia LT',
    'The State Information Center of P.R.China',
    'BBC Internet Services, UK',
    'SURFnet, The Netherlands',
    'University of Vienna, Austria',
    'China Unicom IP network China169 Guangdong province',
    'Capricorn Space Pty Ltd 346 South Road',
    'PT Hutchison 3 Indonesia',
    'Axtel, S.A.B. de C.V.',
    'Tribunal Regional do Trabalho da 2a Regiao',
    'LUIS DA SILVA SIQUEIRA JUNIOR 01962174581',
    'SOUTHPOINT-1114-6TH-AVE',
    'RMH-14',
    '\u963f\u91cc\u4e91',
    '',
  ];
  for (const text of NAMES) t.notOk(isPostalAddress(text), text);
  t.end();
});

t.test('long texts are not read as addresses', (t) => {
  const start = performance.now();
  for (const part of ['1', 'a ', 'str. ', '1 a', ', ', "a.'-?"])
    t.notOk(isPostalAddress(part.repeat(100_000)));
  for (const part of ['1', 'a ', 'str. ', '1 a', ', ', "a.'-?"])
    isPostalAddress(part.repeat(200).slice(0, 200));
  t.ok(performance.now() - start < 2000, 'no pattern takes exponential time');
  t.end();
});

t.test('legal forms alone are recognised', (t) => {
  for (const text of ['LTDA', 'BV', 'S.A.', 'GmbH', 's.r.o.']) t.ok(isLegalForm(text), text);
  for (const text of ['Orange SA', 'Telecom', '']) t.notOk(isLegalForm(text), text);
  t.end();
});
