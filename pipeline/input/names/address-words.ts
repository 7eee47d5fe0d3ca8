/** Parts of regular expressions for the words of postal addresses and company names. All ignore case. */

/** Legal forms of companies that do not occur in addresses. */
export const LEGAL_FORMS = oneOf(
  'ltda? limited\\d* llc llp inc corp corporation plc pty pvt pte sdn bhd berhad eireli',
  'gmbh ehf bvba m\\.?b\\.?h kg b\\.?v\\.? n\\.?v\\.? e\\.?v\\. aps a\\/s oyj? kft zrt nyrt ooo oao zao p?jsc cjsc ojsc',
  's\\.?a\\.?s s\\.?a\\.?r\\.?l s\\.?r\\.?l s\\.?p\\.?a s\\.?r\\.?o d\\.?o\\.?o z\\.?\\s?o\\.?\\s?o uab de\\sc\\.?v joint[\\s-]stock',
  'public\\scompany private\\scompany',
);

/** Legal forms that are also words of addresses, and therefore count only at the end of a name. */
export const FINAL_LEGAL_FORMS = oneOf('s\\.?[al] a\\.?s a\\.?g a\\.?b c\\.?a lda co company ead sp');

/** Words for the activity or the kind of an organisation. They also occur in the names of buildings. */
export const ACTIVITIES = oneOf(
  '(?:inter)?net(?:work(?:s|ing)?)? \\w*tele[ck]*om\\w* com+unica\\w+ broadband wireless fib(?:er|re|ra) banda',
  'cable(?:com)? mobile online digital data hosting cloud isp servi[cç]\\w* solu[tc]\\w+ systems? soft(?:ware)?',
  'te[ck]hnolog\\w+ tecnolog\\w+ comput\\w+ informa[tz]i?\\w* media radio tv core ixp? peering transit upstreams?',
  'customers? backbone autonomous operator provider provedor\\w* test(?:ing)? vlan ipv[46] asn? as-?\\d+ as',
  'announce\\w* advertis\\w+ accept bank\\w* insurance society univer[sc]i\\w+ univ colleg\\w+ school academy',
  'institut\\w* research hospital ministr?\\w+ government council authority agency associa\\w+ fo?unda[ct]\\w+',
  'tribunal reseau regional group\\w* holdings? exchange forum program(?:me)? gaming games? electronics? global',
);

/** Words that name streets in no other sense, in the languages of the registrations. */
export const STREETS = oneOf(
  'street road avenue ave blvd(?:-?ul)? boulevard bulevard(?:ul)? b-?dul bdl bvd highway parkway quay crescent',
  'stra(?:ss|ß)e chaussee shosse shousse rue quai calle avda avenida paseo rua viale v\\.le corso strada calea aleea',
  'soseaua splaiul p-ta piata ulica ulitsa cesta prospekt prosp utca korut gatve jalan lorong cad(?:desi)? mah',
);

/** Abbreviations of streets, which are words only before a full stop. */
export const DOTTED_STREETS = oneOf('str ul sos bd bld nab pl al av jl rd blvd ave prosp intr tr');

/** Words that name streets, and have other senses. They count beside a house number. */
export const POSSIBLE_STREETS = oneOf(
  'st rd av bd lane drive square sq terrace alley court way str platz weg via piazza galleria l\\.go sos sts',
  'p-?ta intr ul trg plac pl al nab per pst u tr nam g gata(?:n)? vej sok jl moo drumul drum put',
);

/** Endings of street names that are one word: Gutenbergstrasse, Mikonkatu, Kongensgade, Smartinska. */
export const STREET_ENDINGS = oneOf(
  'stra(?:ss|ß)e str\\.? weg platz allee gasse damm ring ufer graben anlage wall straat laan plein kade gat(?:e|a|an)',
  'gade vej veien v(?:a|ä)gen katu tie gotu tori skiego kiego [cs]k[ai] (?:e|o|i)va (?:u|i)lui ilor ior',
);

/** Words for buildings and sites. */
export const BUILDINGS = oneOf(
  'building(?!\\ssociety) bldg tower plaza mansion house cent(?:er|re) complex apartments? condominium',
  '(?:business|industrial|industry|it|science)\\spark estate campus',
);

/** Words before the number of a room, a floor or a plot. */
export const ROOMS = oneOf('room rm suite unit flat(?:rm)? plot lot floor shop block sector');

/** Joins words that are separated by spaces. */
function oneOf(...lines: readonly string[]): string {
  return `(?:${lines.join(' ').replaceAll(' ', '|')})`;
}
