import type { PlaceNames } from './place.js';

/** A prefecture-level unit of China: a prefecture-level city, or a prefecture with its seat. */
export interface ChinesePrefecture {
  /** ISO 3166-2 of the province. */
  readonly region: string;
  /** The Chinese display name of the city. */
  readonly city: string;
  /** The Chinese name of the prefecture if it differs, for matching. */
  readonly prefecture: string | undefined;
  /** The English spellings of the city. */
  readonly spellings: readonly string[];
  /** The GeoNames id of the city, if listed. */
  readonly id: number | undefined;
}

/** Display names of the first-level units of CN and TW, by ISO 3166-2 code. They have precedence over every source. */
export const CHINESE_REGIONS: Readonly<Record<string, PlaceNames>> = {
  'CN-BJ': { en: 'Beijing', 'zh-CN': '北京市' },
  'CN-TJ': { en: 'Tianjin', 'zh-CN': '天津市' },
  'CN-SH': { en: 'Shanghai', 'zh-CN': '上海市' },
  'CN-CQ': { en: 'Chongqing', 'zh-CN': '重庆市' },
  'CN-HE': { en: 'Hebei', 'zh-CN': '河北省' },
  'CN-SX': { en: 'Shanxi', 'zh-CN': '山西省' },
  'CN-NM': { en: 'Inner Mongolia', 'zh-CN': '内蒙古自治区' },
  'CN-LN': { en: 'Liaoning', 'zh-CN': '辽宁省' },
  'CN-JL': { en: 'Jilin', 'zh-CN': '吉林省' },
  'CN-HL': { en: 'Heilongjiang', 'zh-CN': '黑龙江省' },
  'CN-JS': { en: 'Jiangsu', 'zh-CN': '江苏省' },
  'CN-ZJ': { en: 'Zhejiang', 'zh-CN': '浙江省' },
  'CN-AH': { en: 'Anhui', 'zh-CN': '安徽省' },
  'CN-FJ': { en: 'Fujian', 'zh-CN': '福建省' },
  'CN-JX': { en: 'Jiangxi', 'zh-CN': '江西省' },
  'CN-SD': { en: 'Shandong', 'zh-CN': '山东省' },
  'CN-HA': { en: 'Henan', 'zh-CN': '河南省' },
  'CN-HB': { en: 'Hubei', 'zh-CN': '湖北省' },
  'CN-HN': { en: 'Hunan', 'zh-CN': '湖南省' },
  'CN-GD': { en: 'Guangdong', 'zh-CN': '广东省' },
  'CN-GX': { en: 'Guangxi', 'zh-CN': '广西壮族自治区' },
  'CN-HI': { en: 'Hainan', 'zh-CN': '海南省' },
  'CN-SC': { en: 'Sichuan', 'zh-CN': '四川省' },
  'CN-GZ': { en: 'Guizhou', 'zh-CN': '贵州省' },
  'CN-YN': { en: 'Yunnan', 'zh-CN': '云南省' },
  'CN-XZ': { en: 'Tibet', 'zh-CN': '西藏自治区' },
  'CN-SN': { en: 'Shaanxi', 'zh-CN': '陕西省' },
  'CN-GS': { en: 'Gansu', 'zh-CN': '甘肃省' },
  'CN-QH': { en: 'Qinghai', 'zh-CN': '青海省' },
  'CN-NX': { en: 'Ningxia', 'zh-CN': '宁夏回族自治区' },
  'CN-XJ': { en: 'Xinjiang', 'zh-CN': '新疆维吾尔自治区' },
  'TW-CHA': { en: 'Changhua County', 'zh-CN': '彰化县' },
  'TW-CYI': { en: 'Chiayi City', 'zh-CN': '嘉义市' },
  'TW-CYQ': { en: 'Chiayi County', 'zh-CN': '嘉义县' },
  'TW-HSQ': { en: 'Hsinchu County', 'zh-CN': '新竹县' },
  'TW-HSZ': { en: 'Hsinchu City', 'zh-CN': '新竹市' },
  'TW-HUA': { en: 'Hualien County', 'zh-CN': '花莲县' },
  'TW-ILA': { en: 'Yilan County', 'zh-CN': '宜兰县' },
  'TW-KEE': { en: 'Keelung City', 'zh-CN': '基隆市' },
  'TW-KHH': { en: 'Kaohsiung City', 'zh-CN': '高雄市' },
  'TW-KIN': { en: 'Kinmen County', 'zh-CN': '金门县' },
  'TW-LIE': { en: 'Lienchiang County', 'zh-CN': '连江县' },
  'TW-MIA': { en: 'Miaoli County', 'zh-CN': '苗栗县' },
  'TW-NAN': { en: 'Nantou County', 'zh-CN': '南投县' },
  'TW-NWT': { en: 'New Taipei City', 'zh-CN': '新北市' },
  'TW-PEN': { en: 'Penghu County', 'zh-CN': '澎湖县' },
  'TW-PIF': { en: 'Pingtung County', 'zh-CN': '屏东县' },
  'TW-TAO': { en: 'Taoyuan City', 'zh-CN': '桃园市' },
  'TW-TNN': { en: 'Tainan City', 'zh-CN': '台南市' },
  'TW-TPE': { en: 'Taipei City', 'zh-CN': '台北市' },
  'TW-TTT': { en: 'Taitung County', 'zh-CN': '台东县' },
  'TW-TXG': { en: 'Taichung City', 'zh-CN': '台中市' },
  'TW-YUN': { en: 'Yunlin County', 'zh-CN': '云林县' },
};

/** Returns the prefecture-level units of the 31 provinces, and the county-level cities directly below a province. */
export function chinesePrefectures(): ChinesePrefecture[] {
  return Object.entries(PREFECTURES).flatMap(([province, lines]) =>
    lines.split('; ').map((line) => {
      const [names, spellings, id] = line.split(':') as [string, string, string | undefined];
      const [first, seat] = names.split('=') as [string, string | undefined];
      return {
        region: `CN-${province}`,
        city: seat ?? first,
        prefecture: seat === undefined ? undefined : first,
        spellings: spellings.split('/'),
        id: id === undefined ? undefined : Number(id),
      };
    }),
  );
}

/**
 * `<prefecture>[=<city>]:<spellings, separated by />[:<GeoNames id>]` by province. Without an id, the city is the place
 * with that spelling in the province.
 */
const PREFECTURES: Readonly<Record<string, string>> = {
  BJ: '北京市:Beijing:1816670',
  TJ: '天津市:Tianjin:1792947',
  SH: '上海市:Shanghai:1796236',
  CQ: '重庆市:Chongqing:1814906',
  HE:
    '石家庄市:Shijiazhuang:1795270; 唐山市:Tangshan:1793346; 秦皇岛市:Qinhuangdao:1797595; ' +
    '邯郸市:Handan:1808963; 邢台市:Xingtai:1788927; 保定市:Baoding:1816971; ' +
    '张家口市:Zhangjiakou:2033196; 承德市:Chengde:2038087; 沧州市:Cangzhou:1816080; ' +
    '廊坊市:Langfang:1804540; 衡水市:Hengshui:1808392',
  SX:
    '太原市:Taiyuan:1793511; 大同市:Datong:2037799; 阳泉市:Yangquan:1787351; ' +
    '长治市:Changzhi:1808956; 晋城市:Jincheng:1805741; 朔州市:Shuozhou:1794328; ' +
    '晋中市:Jinzhong/Yuci:10942283; 运城市:Yuncheng:1785738; 忻州市:Xinzhou:1788450; ' +
    '临汾市:Linfen:1803567; 吕梁市:Lüliang/Lishi',
  NM:
    '呼和浩特市:Hohhot:2036892; 包头市:Baotou:2038432; 乌海市:Wuhai:1791249; 赤峰市:Chifeng:2038067; ' +
    '通辽市:Tongliao:2034400; 鄂尔多斯市:Ordos/Dongsheng:8347664; ' +
    '呼伦贝尔市:Hulunbuir/Hailar:2037078; 巴彦淖尔市:Bayannur/Linhe:11838258; ' +
    '乌兰察布市:Ulanqab/Jining:2036458; 兴安盟=乌兰浩特市:Ulanhot:2034312; ' +
    '锡林郭勒盟=锡林浩特市:Xilinhot:2033824; 阿拉善盟=巴彦浩特镇:Alxa/Bayan Hot',
  LN:
    '沈阳市:Shenyang:2034937; 大连市:Dalian:1814087; 鞍山市:Anshan:2038632; 抚顺市:Fushun:2037355; ' +
    '本溪市:Benxi:2038300; 丹东市:Dandong:2037886; 锦州市:Jinzhou:2036427; 营口市:Yingkou:2033370; ' +
    '阜新市:Fuxin:2037346; 辽阳市:Liaoyang:2036113; 盘锦市:Panjin/Panshan:2035513; ' +
    '铁岭市:Tieling:2034439; 朝阳市:Chaoyang:2038120; 葫芦岛市:Huludao:2036434',
  JL:
    '长春市:Changchun:2038180; 吉林市:Jilin:2036502; 四平市:Siping:2034714; ' +
    '辽源市:Liaoyuan:2036109; 通化市:Tonghua:2034414; 白山市:Baishan/Hunjiang:2038584; ' +
    '松原市:Songyuan:2035399; 白城市:Baicheng:2038569; 延边朝鲜族自治州=延吉市:Yanji:2033467',
  HL:
    '哈尔滨市:Harbin:2037013; 齐齐哈尔市:Qiqihar:2035265; 鸡西市:Jixi:2036389; 鹤岗市:Hegang:2036986; ' +
    '双鸭山市:Shuangyashan:2034786; 大庆市:Daqing:2037860; 伊春市:Yichun:2033413; ' +
    '佳木斯市:Jiamusi:2036581; 七台河市:Qitaihe:2035261; 牡丹江市:Mudanjiang:2035715; ' +
    '黑河市:Heihe:2036973; 绥化市:Suihua:2034655; 大兴安岭地区=加格达奇区:Jiagedaqi:2036597',
  JS:
    '南京市:Nanjing:1799962; 无锡市:Wuxi:1790923; 徐州市:Xuzhou:1787824; 常州市:Changzhou:1815456; ' +
    '苏州市:Suzhou:1886760; 南通市:Nantong:1799722; 连云港市:Lianyungang/Xinpu:1788694; ' +
    "淮安市:Huaian/Huai'an/Huaiyin:1797873; 盐城市:Yancheng:1787746; 扬州市:Yangzhou:1787227; " +
    '镇江市:Zhenjiang:1784642; 泰州市:Taizhou:1793505; 宿迁市:Suqian/Sucheng:1793771',
  ZJ:
    '杭州市:Hangzhou:1808926; 宁波市:Ningbo:1799397; 温州市:Wenzhou:1791388; ' +
    '嘉兴市:Jiaxing:1805953; 湖州市:Huzhou:1806535; 绍兴市:Shaoxing:1795855; 金华市:Jinhua:1805528; ' +
    '衢州市:Quzhou:1797264; 舟山市:Zhoushan/Dinghai:1886762; 台州市:Taizhou/Jiaojiang:8400694; ' +
    '丽水市:Lishui:1803245',
  AH:
    '合肥市:Hefei:1808722; 芜湖市:Wuhu:1791236; 蚌埠市:Bengbu:1816440; 淮南市:Huainan:1807681; ' +
    "马鞍山市:Maanshan/Ma'anshan:1801620; 淮北市:Huaibei:1807700; 铜陵市:Tongling:1792621; " +
    '安庆市:Anqing:1817993; 黄山市:Huangshan/Tunxi:1792359; 滁州市:Chuzhou:1814757; ' +
    "阜阳市:Fuyang:1810845; 宿州市:Suzhou:1793743; 六安市:Luan/Lu'an/Lu'an:1802206; " +
    '亳州市:Bozhou:1816234; 池州市:Chizhou:1814934; 宣城市:Xuancheng/Xuanzhou:1788081',
  FJ:
    '福州市:Fuzhou:1810821; 厦门市:Xiamen:1790645; 莆田市:Putian:1798449; 三明市:Sanming:1796663; ' +
    '泉州市:Quanzhou:1797353; 漳州市:Zhangzhou:1785018; 南平市:Nanping:1799846; ' +
    '龙岩市:Longyan:1802276; 宁德市:Ningde:1806097',
  JX:
    '南昌市:Nanchang:1800163; 景德镇市:Jingdezhen:1805680; 萍乡市:Pingxiang:1798654; ' +
    '九江市:Jiujiang:1805179; 新余市:Xinyu:1788508; 鹰潭市:Yingtan:1786577; 赣州市:Ganzhou:1810638; ' +
    "吉安市:Ji'an/Jian:1806445; 宜春市:Yichun:1786746; 抚州市:Fuzhou/Linchuan:1810820; " +
    '上饶市:Shangrao:1787858',
  SD:
    '济南市:Jinan:1805753; 青岛市:Qingdao:1797929; 淄博市:Zibo/Zhangdian:1785286; ' +
    '枣庄市:Zaozhuang:1785453; 东营市:Dongying:1812101; 烟台市:Yantai:1787093; ' +
    "潍坊市:Weifang:1791681; 济宁市:Jining:1805518; 泰安市:Tai'an/Tai'an/Taian:1793724; " +
    '威海市:Weihai:1791673; 日照市:Rizhao:1797132; 临沂市:Linyi:1803318; 德州市:Dezhou:1812955; ' +
    '聊城市:Liaocheng:1803834; 滨州市:Binzhou:1816336; 菏泽市:Heze:1808198',
  HA:
    '郑州市:Zhengzhou:1784658; 开封市:Kaifeng:1804879; 洛阳市:Luoyang:1801792; ' +
    '平顶山市:Pingdingshan:1798827; 安阳市:Anyang:1785294; 鹤壁市:Hebi:1808770; ' +
    '新乡市:Xinxiang:1788572; 焦作市:Jiaozuo:1805987; 濮阳市:Puyang:9181182; ' +
    '许昌市:Xuchang:1788046; 漯河市:Luohe:1801934; 三门峡市:Sanmenxia:1796669; ' +
    '南阳市:Nanyang:1799629; 商丘市:Shangqiu:1783934; 信阳市:Xinyang:1788534; ' +
    '周口市:Zhoukou:1784130; 驻马店市:Zhumadian:1783873; 济源市:Jiyuan:1805012',
  HB:
    '武汉市:Wuhan:1791247; 黄石市:Huangshi:1807234; 十堰市:Shiyan:1794903; 宜昌市:Yichang:1786764; ' +
    '襄阳市:Xiangyang/Xiangfan:1790587; 鄂州市:Ezhou:1811619; 荆门市:Jingmen:1805611; ' +
    '孝感市:Xiaogan:1790254; 荆州市:Jingzhou/Shashi:1805540; 黄冈市:Huanggang/Huangzhou:1807112; ' +
    '咸宁市:Xianning:1790396; 随州市:Suizhou:1793879; 恩施土家族苗族自治州=恩施市:Enshi:1811720; ' +
    '仙桃市:Xiantao:1790371; 潜江市:Qianjiang:1786067; 天门市:Tianmen:1805618; ' +
    '神农架林区:Shennongjia/Songbai',
  HN:
    '长沙市:Changsha:1815577; 株洲市:Zhuzhou:1783763; 湘潭市:Xiangtan:1790492; ' +
    '衡阳市:Hengyang:1808370; 邵阳市:Shaoyang:1816920; 岳阳市:Yueyang:1927639; ' +
    '常德市:Changde:1791121; 张家界市:Zhangjiajie:1813171; 益阳市:Yiyang:1808316; ' +
    '郴州市:Chenzhou:1815059; 永州市:Yongzhou/Lengshuitan:1786217; 怀化市:Huaihua:1807689; ' +
    '娄底市:Loudi:1802238; 湘西土家族苗族自治州=吉首市:Jishou:1805270',
  GD:
    '广州市:Guangzhou:1809858; 韶关市:Shaoguan:1795874; 深圳市:Shenzhen:1795565; ' +
    '珠海市:Zhuhai:1790437; 汕头市:Shantou:1795940; 佛山市:Foshan:1811103; 江门市:Jiangmen:1806299; ' +
    '湛江市:Zhanjiang:1784990; 茂名市:Maoming:1801180; 肇庆市:Zhaoqing:1784853; ' +
    '惠州市:Huizhou:1806776; 梅州市:Meizhou:1800779; 汕尾市:Shanwei:1795928; 河源市:Heyuan:1786112; ' +
    '阳江市:Yangjiang:1806408; 清远市:Qingyuan:1797945; 东莞市:Dongguan:1812545; ' +
    '中山市:Zhongshan/Shiqi:6986104; 潮州市:Chaozhou:1815395; 揭阳市:Jieyang:1797121; ' +
    '云浮市:Yunfu:1785725',
  GX:
    '南宁市:Nanning:1799869; 柳州市:Liuzhou:1803300; 桂林市:Guilin:1809498; 梧州市:Wuzhou:1790840; ' +
    '北海市:Beihai:1816705; 防城港市:Fangchenggang; 钦州市:Qinzhou:1797551; 贵港市:Guigang:1809532; ' +
    '玉林市:Yulin:1785781; 百色市:Baise/Bose:1816269; 贺州市:Hezhou/Babu:1817858; ' +
    '河池市:Hechi/Jinchengjiang:12358476; 来宾市:Laibin:1804609; 崇左市:Chongzuo',
  HI: '海口市:Haikou:1809078; 三亚市:Sanya:1796556; 三沙市:Sansha; 儋州市:Danzhou/Nada:1800234',
  SC:
    '成都市:Chengdu:1815286; 自贡市:Zigong:1783745; 攀枝花市:Panzhihua:1798998; ' +
    '泸州市:Luzhou:1801640; 德阳市:Deyang:1812961; 绵阳市:Mianyang:1800627; ' +
    '广元市:Guangyuan:1806466; 遂宁市:Suining:1793900; 内江市:Neijiang:1799491; ' +
    '乐山市:Leshan:1804153; 南充市:Nanchong:1800146; 眉山市:Meishan:1800818; 宜宾市:Yibin:1786770; ' +
    "广安市:Guang'an/Guangan:1799194; 达州市:Dazhou:1813325; 雅安市:Ya'an/Yaan:1787816; " +
    '巴中市:Bazhong:11995100; 资阳市:Ziyang:1783683; ' +
    "阿坝藏族羌族自治州=马尔康市:Ma'erkang/Barkam/Maerkang; 甘孜藏族自治州=康定市:Kangding:1802171; " +
    '凉山彝族自治州=西昌市:Xichang:1789647',
  GZ:
    '贵阳市:Guiyang:1809461; 六盘水市:Liupanshui:8533133; 遵义市:Zunyi:1783621; ' +
    '安顺市:Anshun:1817968; 毕节市:Bijie:1816373; 铜仁市:Tongren:1792592; ' +
    '黔西南布依族苗族自治州=兴义市:Xingyi:1807566; 黔东南苗族侗族自治州=凯里市:Kaili:1804866; ' +
    '黔南布依族苗族自治州=都匀市:Duyun:1811764',
  YN:
    '昆明市:Kunming:1804651; 曲靖市:Qujing:1797318; 玉溪市:Yuxi:1784185; 保山市:Baoshan:1281673; ' +
    "昭通市:Zhaotong:1784841; 丽江市:Lijiang:1813253; 普洱市:Pu'er/Puer/Simao:1794209; " +
    '临沧市:Lincang; 楚雄彝族自治州=楚雄市:Chuxiong; 红河哈尼族彝族自治州=个旧市:Mengzi/Gejiu:1810240; ' +
    '文山壮族苗族自治州=文山市:Wenshan:8505006; 西双版纳傣族自治州=景洪市:Jinghong:1785710; ' +
    '大理白族自治州=大理市:Dali:1814093; 德宏傣族景颇族自治州=芒市:Mangshi/Luxi; 怒江傈僳族自治州=泸水市:Lushui/Liuku; ' +
    '迪庆藏族自治州=香格里拉市:Shangri-La/Zhongdian:7910932',
  XZ:
    '拉萨市:Lhasa:1280737; 日喀则市:Rikaze/Shigatse:1279715; 昌都市:Qamdo/Chamdo:1280281; ' +
    '林芝市:Nyingchi/Bayi; 山南市:Tsetang/Shannan/Nêdong; 那曲市:Nagqu:1280517; ' +
    '阿里地区=狮泉河镇:Shiquanhe/Gar',
  SN:
    "西安市:Xi'an/Xi'an/Xian:1790630; 铜川市:Tongchuan:1795196; 宝鸡市:Baoji; " +
    "咸阳市:Xianyang:1790353; 渭南市:Weinan:1791636; 延安市:Yan'an/Yanan:1787765; " +
    '汉中市:Hanzhong:1808857; 榆林市:Yulin:1785777; 安康市:Ankang:1789065; 商洛市:Shangluo/Shangzhou',
  GS:
    '兰州市:Lanzhou:1804430; 嘉峪关市:Jiayuguan:1280957; 金昌市:Jinchang:1805733; ' +
    '白银市:Baiyin:1817240; 天水市:Tianshui:1792892; 武威市:Wuwei:1803936; 张掖市:Zhangye:1785036; ' +
    '平凉市:Pingliang:1798760; 酒泉市:Jiuquan:1279945; 庆阳市:Qingyang/Xifeng; ' +
    '定西市:Dingxi:1812749; 陇南市:Longnan/Wudu; 临夏回族自治州=临夏市:Linxia:1803331; ' +
    '甘南藏族自治州=合作市:Hezuo:1808181',
  QH:
    "西宁市:Xining:1788852; 海东市:Haidong/Ping'an; 海北藏族自治州=西海镇:Haiyan/Xihai; " +
    '黄南藏族自治州=同仁市:Tongren/Rongwo; 海南藏族自治州=共和县:Gonghe/Qabqa; 果洛藏族自治州=玛沁县:Maqên/Dawu; ' +
    '玉树藏族自治州=玉树市:Yushu/Gyêgu/Jiegu:1281105; 海西蒙古族藏族自治州=德令哈市:Delingha/Delhi',
  NX:
    '银川市:Yinchuan:1786657; 石嘴山市:Shizuishan/Dawukou:1794806; 吴忠市:Wuzhong:1790842; ' +
    '固原市:Guyuan:1809152; 中卫市:Zhongwei:1784285',
  XJ:
    '乌鲁木齐市:Ürümqi:1529102; 克拉玛依市:Karamay:1529401; 吐鲁番市:Turpan:1529114; ' +
    '哈密市:Hami/Kumul:1529484; 昌吉回族自治州=昌吉市:Changji:1529569; 博尔塔拉蒙古自治州=博乐市:Bole; ' +
    '巴音郭楞蒙古自治州=库尔勒市:Korla:1529376; 阿克苏地区=阿克苏市:Aksu:1529660; 克孜勒苏柯尔克孜自治州=阿图什市:Artux; ' +
    '喀什地区=喀什市:Kashgar/Kashi:1280849; 和田地区=和田市:Hotan:1281019; ' +
    '伊犁哈萨克自治州=伊宁市:Yining/Ghulja; 塔城地区=塔城市:Tacheng/Qoqek:1529167; ' +
    '阿勒泰地区=阿勒泰市:Altay:1529651; 石河子市:Shihezi:1529195',
};
