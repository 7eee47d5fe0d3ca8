import { posix } from 'node:path';
import type { FeedError } from '../input/feed-error.js';
import type { ManifestRefusal } from '../release/contract.js';
import { hasMembers, isFamily, isInFolders, isMember, isSameMember, isSuccessor } from './file-series.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';
import type { InputFile } from './sources.js';

/** An input file of the last release, used if tonight's file is refused. */
export interface LastGoodFile extends SnapshotFile {
  /** Rows in the last release, to detect a snapshot that shrank. */
  readonly rows: number;
  /** Reads the whole copy and returns whether its digest still matches. */
  readonly isWhole: () => Promise<boolean>;
}

/** The files to read, and their possible replacements. */
export interface Snapshots {
  readonly patterns: readonly InputFile[];
  readonly tonight: readonly SnapshotFile[];
  readonly lastGood: readonly LastGoodFile[];
  /** Bundled copies, used if a file is refused and has no last good copy. */
  readonly bundled?: readonly SnapshotFile[];
  /** Files that could not be downloaded. Each one is reported as a refusal and replaced by an earlier copy. */
  readonly notFetched?: readonly NotFetched[];
}

/** The current choice of files while missing or unusable files are replaced one by one. */
export class FileChoice {
  readonly #lastGood = new Set<string>();
  #files: readonly SnapshotFile[];
  readonly #snapshots: Snapshots;
  readonly #refusals: ManifestRefusal[];
  /** Ids of files that are no longer tonight's files. */
  readonly #replaced = new Set<string>();
  /** Patterns of files with a failed download. They are reported already, so they are not reported as missing too. */
  readonly #reported = new Set<number>();

  constructor(snapshots: Snapshots, refusals: ManifestRefusal[]) {
    this.#snapshots = snapshots;
    this.#files = snapshots.tonight;
    this.#refusals = refusals;
  }

  get files(): readonly SnapshotFile[] {
    return this.#files;
  }

  /** Ids of the last good copies in use, including stale files in the downloads folder. */
  get lastGood(): ReadonlySet<string> {
    const stale = this.#files.filter((file) => file.stale === true && !this.#isBundled(file));
    return new Set([...this.#lastGood, ...stale.map(({ id }) => id)]);
  }

  get withdrawn(): string[] {
    const { patterns, tonight, lastGood } = this.#snapshots;
    const gone = lastGood.filter(
      (kept) => !this.#replaced.has(kept.id) && !tonight.some((file) => isSuccessor(file, kept, patterns)),
    );
    return gone.filter(({ pattern }) => hasMembers(patterns[pattern]!)).map(({ id }) => id);
  }

  /** Whether every required file exists, and at least one file of the source itself. */
  get isReadable(): boolean {
    const { patterns } = this.#snapshots;
    return (
      patterns.every((_file, pattern) => this.#hasRequired(pattern)) &&
      this.#files.some((file) => this.#isOwn(file))
    );
  }

  /** Adds last good copies for missing files. */
  async fillGaps(): Promise<void> {
    for (const missed of this.#snapshots.notFetched ?? []) await this.#fillNotFetched(missed);
    if (!(await this.#fillRequired())) return;
    await this.#fillSource();
    await this.#fillOptional();
  }

  /** Replaces a refused file by another copy, or removes it. */
  async replace(refused: SnapshotFile, { refusal, found }: FeedError): Promise<void> {
    const kept = this.#replaced.has(refused.id) ? undefined : lastGoodOf(refused, this.#snapshots);
    this.#files = this.#files.filter((file) => file !== refused);
    await this.#useInstead({ file: refused.id, refusal, found }, kept ? [kept] : this.#otherForms(refused));
  }

  async #fillNotFetched({ file, refusal, found, patterns, held }: NotFetched): Promise<void> {
    for (const pattern of patterns) this.#reported.add(pattern);
    const missing = patterns.filter((pattern) => !this.#has(pattern, file));
    if (held || missing.length === 0) {
      const isBundled = this.#files.some((one) => one.id === file && this.#isBundled(one));
      const usedInstead = isBundled ? 'bundled copy' : held ? 'last good copy' : 'nothing';
      this.#refusals.push({ file, refusal, found, usedInstead });
      return;
    }
    const kept = this.#snapshots.lastGood.filter(
      ({ id, pattern }) => missing.includes(pattern) && this.#standsFor(id, file, pattern),
    );
    await this.#useInstead({ file, refusal, found }, kept);
  }

  /** Returns false if a required file is missing and has no good copy. */
  async #fillRequired(): Promise<boolean> {
    const { patterns, lastGood } = this.#snapshots;
    for (const [pattern, { folder, name }] of patterns.entries()) {
      if (this.#hasRequired(pattern)) continue;
      if (this.#reported.has(pattern)) return false;
      const kept = lastGood.filter((file) => file.pattern === pattern);
      await this.#useInstead({ file: `${folder}/${name}`, refusal: 'missing', found: 'no such file' }, kept);
      if (!this.#hasRequired(pattern)) return false;
    }
    return true;
  }

  async #fillSource(): Promise<void> {
    const { patterns, lastGood } = this.#snapshots;
    const own = patterns.filter(({ shared }) => shared !== true);
    if (own.length === 0 || this.#files.some((file) => this.#isOwn(file)) || this.#reported.size > 0) return;
    const found = 'none of its files exists';
    const missing = { file: nameTogether(own), refusal: 'missing', found } as const;
    await this.#useInstead(
      missing,
      lastGood.filter((file) => this.#isOwn(file)),
    );
  }

  async #fillOptional(): Promise<void> {
    const { patterns, lastGood } = this.#snapshots;
    for (const [pattern, expected] of patterns.entries()) {
      const kept = lastGood.filter((file) => file.pattern === pattern);
      if (this.#reported.has(pattern)) continue;
      if (isInFolders(expected)) await this.#fillFolders(kept);
      else if (!this.#has(pattern) && !this.#hasAlternative(pattern)) await this.#fillFile(expected, kept);
    }
  }

  /** Each folder has its own publisher. A folder without any file counts as missing. */
  async #fillFolders(kept: readonly LastGoodFile[]): Promise<void> {
    for (const one of kept) {
      const folder = posix.dirname(one.id);
      if (this.#files.some(({ id }) => posix.dirname(id) === folder)) continue;
      const found = `no file in ${folder}`;
      await this.#useInstead({ file: one.id, refusal: 'missing', found }, [one]);
    }
  }

  async #fillFile(expected: InputFile, kept: readonly LastGoodFile[]): Promise<void> {
    // A single member may have been withdrawn. If a whole family is missing, its folder was not delivered.
    const fewest = isFamily(expected) ? 2 : 1;
    if (kept.length < fewest) return;
    const id = `${expected.folder}/${expected.name}`;
    const found = `no such file; the last release had ${kept.length}`;
    await this.#useInstead({ file: id, refusal: 'missing', found }, kept);
  }

  #hasRequired(pattern: number): boolean {
    return this.#snapshots.patterns[pattern]?.required !== true || this.#has(pattern);
  }

  /** Whether a file of this declaration exists. With `member`: whether that member exists. */
  #has(pattern: number, member?: string): boolean {
    return this.#files.some(
      (file) =>
        file.pattern === pattern && (member === undefined || this.#standsFor(file.id, member, pattern)),
    );
  }

  /** Whether the same content exists in another form. Two snapshots of it would keep withdrawn rows alive. */
  #hasAlternative(pattern: number): boolean {
    return this.#files.some((file) => this.#isAlternative(file.pattern, pattern));
  }

  /** Returns last good copies of other forms of a refused file; none if another form exists or was tried already. */
  #otherForms({ pattern }: SnapshotFile): LastGoodFile[] {
    if (this.#hasAlternative(pattern)) return [];
    const forms = this.#snapshots.lastGood.filter((kept) => this.#isAlternative(kept.pattern, pattern));
    return forms.filter(({ id }) => !this.#replaced.has(id));
  }

  #isAlternative(pattern: number, other: number): boolean {
    const { patterns } = this.#snapshots;
    return patterns[other]?.alternatives?.includes(patterns[pattern]!.name) ?? false;
  }

  /** Whether a file found under a declaration is the member `id`, or `id` means all members. */
  #standsFor(found: string, id: string, pattern: number): boolean {
    const declared = this.#snapshots.patterns[pattern]!;
    return !isMember(id, declared) || isSameMember(found, id, declared);
  }

  /** Whether the file belongs to this source. IANA's registries are shared by all feeds. */
  #isOwn({ pattern }: SnapshotFile): boolean {
    return this.#snapshots.patterns[pattern]?.shared !== true;
  }

  /** Whether a file is the bundled copy. */
  #isBundled({ id, sha256 }: SnapshotFile): boolean {
    return this.#snapshots.bundled?.some((file) => file.id === id && file.sha256 === sha256) ?? false;
  }

  /** Uses the copies that are undamaged, else the bundled copy, and reports the refusal. */
  async #useInstead(refused: Refused, copies: readonly LastGoodFile[]): Promise<void> {
    const whole: LastGoodFile[] = [];
    for (const copy of copies) if (await copy.isWhole()) whole.push(copy);
    const bundled = this.#bundledFor(refused.file, whole);
    const taken = bundled ? [bundled] : whole;
    this.#files = [...this.#files, ...taken];
    for (const { id } of taken) this.#replaced.add(id);
    if (!bundled) for (const { id } of whole) this.#lastGood.add(id);
    const damaged = copies.length - whole.length;
    const found =
      damaged === 0 ? refused.found : `${refused.found}; last good copies that are damaged: ${damaged}`;
    const usedInstead = bundled ? 'bundled copy' : whole.length > 0 ? 'last good copy' : 'nothing';
    this.#refusals.push({ ...refused, found, usedInstead });
  }

  /**
   * Returns the bundled copy of a file if there is no last good copy, or if the last release used the bundled copy too.
   * Returns undefined if it was tried already.
   */
  #bundledFor(id: string, [lastGood]: readonly LastGoodFile[]): SnapshotFile | undefined {
    if (this.#replaced.has(id)) return undefined;
    const bundled = this.#snapshots.bundled?.find((file) => file.id === id);
    return lastGood === undefined || lastGood.sha256 === bundled?.sha256 ? bundled : undefined;
  }
}

/** Names a group of files: a few by their names, many by their folder (several sources may share a folder). */
function nameTogether(files: readonly InputFile[]): string {
  const [{ folder, name }] = files as [InputFile];
  const names = files.filter((file) => file.folder === folder).map((file) => file.name);
  if (files.length > NAMED_TOGETHER) return folder;
  return names.length === 1 ? `${folder}/${name}` : `${folder}/{${names.join(',')}}`;
}

const NAMED_TOGETHER = 3;

type Refused = Omit<ManifestRefusal, 'usedInstead'>;

/** Returns the last good copy of a file: of the same name, or of the same series if names contain dates. */
function lastGoodOf(file: SnapshotFile, { patterns, lastGood }: Snapshots): LastGoodFile | undefined {
  return lastGood.find((kept) => kept.sha256 !== file.sha256 && isSuccessor(file, kept, patterns));
}
