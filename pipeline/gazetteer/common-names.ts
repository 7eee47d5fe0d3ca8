/**
 * Names in feeds that differ from those in the sources: official, former and common Chinese names. By country:
 * `<name in the sources>=<names in feeds, separated by />`. For matching only.
 */
export function commonCityNames(
  country: string,
): readonly (readonly [name: string, others: readonly string[]])[] {
  return parse(CITIES[country]);
}

/** Other names of regions in feeds, by ISO 3166-2 code. For matching only. */
export function commonRegionNames(code: string): readonly string[] {
  return (REGIONS[code.slice(0, 2)]?.split('; ') ?? []).flatMap((line) => {
    const [part, names] = line.split('=') as [string, string];
    return part === code.slice(3) ? names.split('/') : [];
  });
}

function parse(lines: string | undefined): [string, string[]][] {
  return (lines?.split('; ') ?? []).map((line) => {
    const [name, others] = line.split('=') as [string, string];
    return [name, others.split('/')];
  });
}

const CITIES: Readonly<Record<string, string>> = {
  AT: 'Vienna=Wien',
  BE: 'Brussels=Bruxelles/Brussel; Antwerp=Antwerpen; Ghent=Gent; Bruges=Brugge; Liège=Luik',
  BG: 'Sofia=Sofiya',
  CA: 'Greater Sudbury=Sudbury; Québec=Quebec City',
  CH: 'Genève=Geneva; Geneva=Genève/Genf; Zürich=Zurich/Zuerich; Bern=Berne; Basel=Bale/Basle; Luzern=Lucerne',
  CN: "Beijing=Peking; Guangzhou=Canton; Ürümqi=Wulumuqi; Hohhot=Huhehaote; Kashgar=Kashi; Lhasa=Lasa; Xi'an=Xian",
  CZ: 'Prague=Praha; Brno=Brunn; Plzeň=Pilsen',
  DE: 'Munich=München/Muenchen; Cologne=Köln/Koeln; Köln=Cologne; Nuremberg=Nürnberg; Nürnberg=Nuremberg; Hanover=Hannover; Hannover=Hanover',
  DK: 'Copenhagen=København/Koebenhavn; Århus=Aarhus; Aarhus=Århus',
  EG: 'Cairo=Al Qahirah; Alexandria=Al Iskandariyah',
  ES: 'Sevilla=Seville; Zaragoza=Saragossa; A Coruña=La Coruña; San Sebastián=Donostia; Valencia=València',
  FI: 'Helsinki=Helsingfors; Turku=Åbo; Espoo=Esbo; Tampere=Tammerfors',
  GB: 'London=Greater London/City of London',
  GR: 'Athens=Athina; Thessaloníki=Salonica; Piraeus=Peiraias',
  HU: 'Budapest=Pest',
  ID: 'Jakarta=Djakarta/Jakarta Raya; Surabaya=Soerabaja; Bandung=Bandoeng; Makassar=Ujung Pandang',
  IN: 'Bengaluru=Bangalore; Mumbai=Bombay; Kolkata=Calcutta; Chennai=Madras; Pune=Poona; Vadodara=Baroda; Gurugram=Gurgaon; Mysore=Mysuru; Mysuru=Mysore; Mangalore=Mangaluru; Thiruvananthapuram=Trivandrum; Kochi=Cochin; Varanasi=Benares; Prayagraj=Allahabad; Allahabad=Prayagraj; Puducherry=Pondicherry; Visakhapatnam=Vizag; Belgaum=Belagavi; Hubli=Hubballi',
  IL: 'Tel Aviv=Tel Aviv-Yafo; Jerusalem=Yerushalayim',
  IR: 'Tehran=Teheran; Isfahan=Esfahan; Mashhad=Meshed',
  IT: 'Rome=Roma; Milan=Milano; Turin=Torino; Florence=Firenze; Naples=Napoli; Venice=Venezia; Genoa=Genova; Padova=Padua; Padua=Padova; Syracuse=Siracusa',
  JP: 'Tokyo=Tōkyō/Tokio; Osaka=Ōsaka-shi; Kyoto=Kyōto-shi',
  KR: 'Seoul=Soul; Busan=Pusan; Daegu=Taegu; Incheon=Inchon; Gwangju=Kwangju; Daejeon=Taejon; Jeju=Cheju/Jeju City; Seongnam-si=Seongnam; Goyang-si=Goyang; Suwon=Suweon',
  KZ: 'Nur-Sultan=Astana; Astana=Nur-Sultan; Almaty=Alma-Ata; Ust-Kamenogorsk=Oskemen; Shymkent=Chimkent',
  MM: 'Yangon=Rangoon; Naypyidaw=Nay Pyi Taw; Nay Pyi Taw=Naypyidaw',
  MN: 'Ulan Bator=Ulaanbaatar; Ulaanbaatar=Ulan Bator',
  MX: 'Mexico City=Ciudad de México/México D.F.; Ciudad Juárez=Juárez; Juárez=Ciudad Juárez; Santiago de Querétaro=Querétaro',
  NL: 'The Hague=Den Haag/s-Gravenhage; Den Bosch=s-Hertogenbosch',
  PH: 'Manila=Metro Manila; Makati City=Makati; Pasig City=Pasig; Quezon City=Quezon; Davao=Davao City',
  PL: 'Warsaw=Warszawa; Kraków=Cracow; Gdańsk=Danzig; Wrocław=Breslau; Łódź=Lodz',
  PT: 'Lisbon=Lisboa; Porto=Oporto',
  RO: 'Bucharest=București; Iaşi=Jassy; Cluj-Napoca=Cluj',
  RS: 'Belgrade=Beograd; Niš=Nish; Novi Sad=Neusatz',
  RU: 'Moscow=Moskva; Saint Petersburg=St Petersburg/Sankt-Peterburg; St Petersburg=Saint Petersburg; Rostov-on-Don=Rostov-na-Donu; Rostov-na-Donu=Rostov-on-Don; Nizhniy Novgorod=Nizhny Novgorod; Yekaterinburg=Ekaterinburg',
  SA: 'Riyadh=Ar Riyad; Mecca=Makkah/Makkah al Mukarramah; Medina=Madinah/Al Madinah; Jeddah=Jiddah',
  SE: 'Gothenburg=Göteborg/Goeteborg; Göteborg=Gothenburg; Malmo=Malmö/Malmoe',
  TH: 'Bangkok=Krung Thep/Krung Thep Maha Nakhon; Chon Buri=Chonburi; Nakhon Ratchasima=Korat; Pattaya=Phatthaya',
  TR: 'Istanbul=Constantinople; Izmir=Smyrna; Ankara=Angora',
  TW: 'Taipei=Taibei/Taipei City; Kaohsiung=Gaoxiong/Kaohsiung City; Taichung=Taizhong/Taichung City; Tainan=Tainan City; Hsinchu=Xinzhu; Keelung=Jilong; Taoyuan=Taoyuan City; New Taipei=New Taipei City/Xinbei',
  UA: 'Kyiv=Kiev; Kiev=Kyiv; Odesa=Odessa; Odessa=Odesa; Kharkiv=Kharkov; Lviv=Lvov; Dnipro=Dnipropetrovsk; Dnipropetrovsk=Dnipro; Zaporizhzhya=Zaporizhia/Zaporizhzhia; Mykolayiv=Mykolaiv; Chernihiv=Chernigov',
  US: 'New York=New York City/NYC; New York City=New York; Washington=Washington DC/Washington D.C.; Washington, D.C.=Washington; Los Angeles=LA; Saint Petersburg=St. Petersburg; Houston=休斯顿; San Diego=圣地亚哥/圣地牙哥; Fremont=费利蒙/弗里蒙特; San Francisco=三藩市; San Jose=圣荷西; Phoenix=凤凰城; Irvine=欧文/尔湾; Honolulu=火奴鲁鲁; Dallas=Dallas-Fort Worth; Mountain View=山景城/山景市; Sunnyvale=桑尼维尔; Buffalo=水牛城',
  UZ: 'Tashkent=Toshkent; Samarkand=Samarqand; Bukhara=Buxoro',
  VN: 'Hanoi=Ha Noi; Ho Chi Minh City=Saigon/Ho Chi Minh; Haiphong=Hai Phong; Da Nang=Danang; Huế=Hue',
};

const REGIONS: Readonly<Record<string, string>> = {
  IN: 'HR=哈里亚纳; KA=卡纳塔克; TN=泰米尔纳德; MH=马哈拉施特拉; GJ=古吉拉特; DL=德里/德里国家首都辖区; RJ=拉贾斯坦; KL=喀拉拉; AP=安得拉/安德拉; WB=西孟加拉; OR=奥里萨/奥迪萨; OD=奥里萨/奥迪萨; UT=北阿坎德; UK=北阿坎德; TG=特伦甘地/特伦甘纳; TS=特伦甘地/特伦甘纳; CT=恰蒂斯加尔; CG=恰蒂斯加尔; UP=北方邦; MP=中央邦; PB=旁遮普; BR=比哈尔; AS=阿萨姆; JH=贾坎德; GA=果阿',
  MY: '07=槟州/槟城/Penang; 04=马六甲/Malacca; 14=吉隆坡',
  PE: 'LMA=Lima Province/Metropolitan Lima',
  US: 'AL=阿拉巴马/亚拉巴马; AK=阿拉斯加; AZ=亚利桑那; AR=阿肯色; CA=加利福尼亚/加州/加利福利亚/南加州/北加州; CO=科罗拉多; CT=康涅狄格/康乃狄克; DE=特拉华; DC=哥伦比亚特区/华盛顿特区/Washington D.C.; FL=佛罗里达/佛州; GA=佐治亚/乔治亚; HI=夏威夷; ID=爱达荷; IL=伊利诺伊/伊利诺斯; IN=印第安纳; IA=艾奥瓦/爱荷华/衣阿华; KS=堪萨斯; KY=肯塔基; LA=路易斯安那/路易斯安纳; ME=缅因; MD=马里兰; MA=马萨诸塞/麻省/麻萨诸塞; MI=密歇根/密西根; MN=明尼苏达; MS=密西西比; MO=密苏里; MT=蒙大拿/蒙大纳; NE=内布拉斯加; NV=内华达; NH=新罕布什尔; NJ=新泽西/纽泽西; NM=新墨西哥; NY=纽约州/纽约/纽约下州; NC=北卡罗来纳/北卡罗莱纳/北卡; ND=北达科他/北达科塔; OH=俄亥俄; OK=俄克拉何马/俄克拉荷马; OR=俄勒冈; PA=宾夕法尼亚/宾州; RI=罗得岛/罗德岛; SC=南卡罗来纳/南卡罗来那/南卡罗莱纳; SD=南达科他/南达科塔; TN=田纳西; TX=得克萨斯/德克萨斯/德州/得州; UT=犹他; VT=佛蒙特; VA=弗吉尼亚/维吉尼亚; WA=华盛顿/华盛顿州; WV=西弗吉尼亚; WI=威斯康星/威斯康辛; WY=怀俄明',
};
