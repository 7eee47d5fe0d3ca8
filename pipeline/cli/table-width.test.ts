import t from 'tap';
import { displayWidth } from '../text/display-width.js';
import { ALL_FEEDS, build, copyFeeds, ipatlas, outputFolder } from './testing/command-line.js';

const OUTPUT = outputFolder(t);
const FEEDS = copyFeeds(t);
const built = await build(t, { ...ALL_FEEDS, FEEDS, OUTPUT, SOURCE_DATE_EPOCH: '1795046400' });

/** The lines of tables: those with two spaces between words, without lists of rejected rows and remarks. */
function tableLines(text: string): string[] {
  return text.split('\n').filter((line) => /\S {2,}\S/.test(line) && !/^ {2}\S/.test(line));
}

const COMMANDS = [
  ['releases'],
  ['inspect', '114.114.114.114'],
  ['inspect', '2400:3200::1'],
  ['inspect', '104.28.0.1'],
  ['inspect', '1.1.1.0/24'],
  ['inspect', 'AS4134'],
  ['--help'],
  ['serve', '--help'],
  ['probe-agent', '--help'],
];

t.test('the tables of a build fit 80 columns', (t) => {
  const lines = tableLines(built.stdout);
  t.ok(lines.length > 30);
  t.same(
    lines.filter((line) => displayWidth(line) > 80),
    [],
  );
  t.end();
});

for (const command of COMMANDS) {
  t.test(`the tables of ${command.join(' ')} fit 80 columns`, async (t) => {
    const { code, stdout } = await ipatlas(t, { OUTPUT }, ...command);
    t.equal(code, 0);
    const lines = command.includes('--help') ? stdout.split('\n') : tableLines(stdout);
    t.ok(lines.length > 1);
    t.same(
      lines.filter((line) => displayWidth(line) > 80),
      [],
    );
  });
}
