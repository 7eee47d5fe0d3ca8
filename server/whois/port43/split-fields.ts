/** A label with its value. */
export interface Field {
  /** Lower case, without dots and colon: `domain name`. */
  readonly label: string;
  /** Never empty. */
  readonly value: string;
  /** The label of its section, `''` outside sections. */
  readonly section: string;
  /** Number of the paragraph. Empty lines separate paragraphs. */
  readonly paragraph: number;
}

/**
 * Splits text into fields: `Label: value`, `Label....: value`, `[Label] value`, `Label<tab>value`, and values on lines
 * below a label. A label without a value starts a section.
 */
export function splitFields(text: string): readonly Field[] {
  const reader = new FieldReader();
  const lines = text.split('\n', MAX_LINES);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.slice(0, MAX_LINE).trimEnd();
    if (line.startsWith('>>>')) break;
    reader.line(line, lines[i + 1] ?? '');
  }
  return reader.fields;
}

/** Limits of lines and characters. Real records are shorter; the rest is ignored. */
const MAX_LINES = 5000;
const MAX_LINE = 1000;
const MAX_LABEL = 48;
const LABEL = /^[\p{L}\p{N}][\p{L}\p{N} \-_/()&'#]*$/u;
/** Comment lines, except the asterisks one server writes before labels. */
const COMMENT = /^\s*(?:[%#;]|\*{3})/;
/** Headings without a colon whose lines are not indented. */
const BARE_HEADINGS: ReadonlySet<string> = new Set([
  'name servers',
  'nameservers',
  'registrar',
  'registrant',
]);

interface Section {
  readonly label: string;
  readonly indent: number;
  hasLines: boolean;
}

interface Labelled {
  readonly label: string;
  readonly value: string;
}

class FieldReader {
  readonly fields: Field[] = [];
  #paragraph = 0;
  #section: Section | undefined;
  /** The label above and its indentation, for continuation lines. */
  #last: { readonly label: string; readonly indent: number } | undefined;

  line(line: string, next: string): void {
    if (line === '') this.#blank();
    else if (!COMMENT.test(line)) this.#content(line.replace(/^\*\* /, ''), next);
  }

  #blank(): void {
    this.#paragraph++;
    this.#last = undefined;
  }

  #content(line: string, next: string): void {
    const indent = indentOf(line);
    const text = line.trimStart();
    const labelled = readLabel(text);
    this.#leaveSection(indent, labelled);
    if (!labelled) this.#bare(text, indent, next);
    else if (labelled.value === '') this.#open(labelled.label, indent);
    else {
      this.#add(labelled.label, labelled.value, this.#section?.label ?? '');
      this.#last = { label: labelled.label, indent };
    }
  }

  /** Unindented lines directly below a label without a value still belong to its section. */
  #leaveSection(indent: number, labelled: Labelled | undefined): void {
    const section = this.#section;
    if (!section || indent > section.indent) return;
    const isBelow = labelled === undefined && indent === section.indent && this.#isOpenFor(section);
    if (!isBelow) this.#section = undefined;
  }

  /** An empty line may precede the first line of a section, but not separate the others. */
  #isOpenFor(section: Section): boolean {
    return !section.hasLines || this.fields.at(-1)?.paragraph === this.#paragraph;
  }

  #bare(text: string, indent: number, next: string): void {
    if (this.#section) this.#add(this.#section.label, text, '');
    else if (isHeading(text, indent, next)) this.#open(text.toLowerCase(), indent);
    else if (this.#last && indent > this.#last.indent) this.#add(this.#last.label, text, '');
  }

  #open(label: string, indent: number): void {
    // A nested label without a value does not start another section.
    if (this.#section) return;
    this.#section = { label, indent, hasLines: false };
    this.#last = undefined;
  }

  #add(label: string, value: string, section: string): void {
    this.fields.push({ label, value, section, paragraph: this.#paragraph });
    if (this.#section) this.#section.hasLines = true;
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function readLabel(text: string): Labelled | undefined {
  return readBracketLabel(text) ?? readLabelBefore(text, ':') ?? readLabelBefore(text, '\t');
}

/** Reads `[State]  Connected`, optionally with a field letter: `a. [Domain Name]  EXAMPLE.JP`. */
function readBracketLabel(text: string): Labelled | undefined {
  const start = /^(?:[a-z]\. )?\[/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const end = text.indexOf(']', start);
  return end < 0 ? undefined : labelled(text.slice(start, end), text.slice(end + 1));
}

function readLabelBefore(text: string, mark: string): Labelled | undefined {
  const end = text.indexOf(mark);
  return end <= 0 || text.startsWith('//', end + 1)
    ? undefined
    : labelled(text.slice(0, end), text.slice(end + 1));
}

function labelled(label: string, value: string): Labelled | undefined {
  const name = withoutDots(label.trim()).trim();
  if (name.length > MAX_LABEL || !LABEL.test(name)) return undefined;
  return { label: name.toLowerCase(), value: value.trim() };
}

function withoutDots(label: string): string {
  let end = label.length;
  while (end > 0 && label[end - 1] === '.') end--;
  return label.slice(0, end);
}

/** Returns whether a line is a heading: a known one, or a short line followed by an indented one. */
function isHeading(text: string, indent: number, next: string): boolean {
  if (text.length > MAX_LABEL || !LABEL.test(text)) return false;
  return (
    BARE_HEADINGS.has(text.toLowerCase()) ||
    (next.trim() !== '' && indentOf(next.slice(0, MAX_LABEL)) > indent)
  );
}
