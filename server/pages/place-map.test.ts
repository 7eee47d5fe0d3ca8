import t from 'tap';
import { Assets } from './assets.js';
import { placeMap, type PlacedVerdict } from './place-map.js';

const legend = { pin: 'answer', agrees: 'agreeing', differs: 'differing' };
const assets = Assets.read();
const at = (name: string, longitude: number, differs = false): PlacedVerdict => ({
  ...{ name, latitude: 50, longitude },
  differs,
});

t.test(
  'verdicts at nearly one point are one mark with all names, and a differing one has another shape',
  (t) => {
    const pin = { latitude: 50, longitude: 8 };
    const verdicts = [at('one', 8), at('two', 8.1), at('three', 20, true)];
    const { text } = placeMap(assets, { label: 'map', pin, verdicts, legend });
    t.match(text, /<title>one, two<\/title>\s*<circle class="agrees"/);
    t.match(text, /<title>three<\/title>\s*<path class="differs"/);
    t.ok(text.indexOf('class="pin"') > text.indexOf('class="agrees"'), 'the ring is over the dots');
    t.match(text, /<\/svg\s*>answer.*<\/svg\s*>agreeing.*<\/svg\s*>differing/s);
    t.end();
  },
);

t.test('the legend has only the marks of the map', (t) => {
  const { text } = placeMap(assets, { label: 'map', verdicts: [at('one', 8)], legend });
  t.match(text, />agreeing/);
  t.notMatch(text, />answer|>differing|class="pin"|class="differs"/);
  t.end();
});
