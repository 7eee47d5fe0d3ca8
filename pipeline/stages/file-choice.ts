import { posix } from 'node:path';
import type { FeedError } from '../feeds/feed-error.js';
import type { ManifestRefusal } from '../release/contract.js';
import { hasMembers, isFamily, isInFolders, isMember, isSameMember, isSuccessor } from './file-series.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';
import type { InputFile } from './sources.js';

/** A file of the last release's inputs, for when tonight's is refused. */
export interface LastGoodFile extends SnapshotFile {
  /** Rows it was read as, to notice a snapshot that shrank. */
  readonly rows: number;
  /** Whether the copy that is kept is still what was good: all of it is read. */
  readonly isWhole: () => Promise<boolean>;
}

/** What to read and where to turn when it is refused. */
export interface Snapshots {
  readonly patterns: readonly InputFile[];
  readonly tonight: readonly SnapshotFile[];
  readonly lastGood: readonly LastGoodFile[];
  /** Copies that come with the project, for when a file is refused and there is no last good one. */
  readonly bundled?: readonly SnapshotFile[];
  /** Files that could not be downloaded tonight: told as refusals, an earlier night's is taken instead. */
  readonly notFetched?: readonly NotFetched[];
}

/** The files to read, while one after the other turns out to be missing or unusable. */
export class FileChoice {
  readonly #lastGood = new Set<string>();
  #files: readonly SnapshotFile[];
  readonly #snapshots: Snapshots;
  readonly #refusals: ManifestRefusal[];
  /** Ids of files that are no longer tonight's. */
  readonly #replaced = new Set<string>();
  /** Patterns of files whose download failed: that has been told, they are not missing as well. */
  readonly #told = new Set<number>();

  constructor(snapshots: Snapshots, refusals: ManifestRefusal[]) {
    this.#snapshots = snapshots;
    this.#files = snapshots.tonight;
    this.#refusals = refusals;
  }

  get files(): readonly SnapshotFile[] {
    return this.#files;
  }

  /** Last good copies, those among them that stand where downloads are kept. */
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

  /** Whether every required file is there, and any of the source's own. */
  get isReadable(): boolean {
    const { patterns } = this.#snapshots;
    return (
      patterns.every((_file, pattern) => this.#hasRequired(pattern)) &&
      this.#files.some((file) => this.#isOwn(file))
    );
  }

  /** Puts last good copies where files are missing. */
  async fillGaps(): Promise<void> {
    for (const missed of this.#snapshots.notFetched ?? []) await this.#fillNotFetched(missed);
    if (!(await this.#fillRequired())) return;
    await this.#fillSource();
    await this.#fillOptional();
  }

  /** Puts another copy in the place of a refused file, or nothing. */
  async replace(refused: SnapshotFile, { refusal, found }: FeedError): Promise<void> {
    const kept = this.#replaced.has(refused.id) ? undefined : lastGoodOf(refused, this.#snapshots);
    this.#files = this.#files.filter((file) => file !== refused);
    await this.#useInstead({ file: refused.id, refusal, found }, kept ? [kept] : this.#otherForms(refused));
  }

  async #fillNotFetched({ file, refusal, found, patterns, held }: NotFetched): Promise<void> {
    for (const pattern of patterns) this.#told.add(pattern);
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

  /** False when a required file is not there and no good copy of it is. */
  async #fillRequired(): Promise<boolean> {
    const { patterns, lastGood } = this.#snapshots;
    for (const [pattern, { folder, name }] of patterns.entries()) {
      if (this.#hasRequired(pattern)) continue;
      if (this.#told.has(pattern)) return false;
      const kept = lastGood.filter((file) => file.pattern === pattern);
      await this.#useInstead({ file: `${folder}/${name}`, refusal: 'missing', found: 'no such file' }, kept);
      if (!this.#hasRequired(pattern)) return false;
    }
    return true;
  }

  async #fillSource(): Promise<void> {
    const { patterns, lastGood } = this.#snapshots;
    const own = patterns.filter(({ shared }) => shared !== true);
    if (own.length === 0 || this.#files.some((file) => this.#isOwn(file)) || this.#told.size > 0) return;
    const found = 'none of its files is there';
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
      if (this.#told.has(pattern)) continue;
      if (isInFolders(expected)) await this.#fillFolders(kept);
      else if (!this.#has(pattern) && !this.#hasAlternative(pattern)) await this.#fillFile(expected, kept);
    }
  }

  /** Each folder has its own publisher, who is missed when nothing came of him. */
  async #fillFolders(kept: readonly LastGoodFile[]): Promise<void> {
    for (const one of kept) {
      const folder = posix.dirname(one.id);
      if (this.#files.some(({ id }) => posix.dirname(id) === folder)) continue;
      const found = `nothing is in ${folder}`;
      await this.#useInstead({ file: one.id, refusal: 'missing', found }, [one]);
    }
  }

  async #fillFile(expected: InputFile, kept: readonly LastGoodFile[]): Promise<void> {
    // One member may have been withdrawn; a family of which nothing is left is a folder that did not come.
    const fewest = isFamily(expected) ? 2 : 1;
    if (kept.length < fewest) return;
    const id = `${expected.folder}/${expected.name}`;
    const found = `no such file, the last release had ${kept.length}`;
    await this.#useInstead({ file: id, refusal: 'missing', found }, kept);
  }

  #hasRequired(pattern: number): boolean {
    return this.#snapshots.patterns[pattern]?.required !== true || this.#has(pattern);
  }

  /** Whether a file of this declaration is there; where it has members and `member` is one, that very member. */
  #has(pattern: number, member?: string): boolean {
    return this.#files.some(
      (file) =>
        file.pattern === pattern && (member === undefined || this.#standsFor(file.id, member, pattern)),
    );
  }

  /** Whether what the file holds is there in another form: two snapshots of it would keep alive what is withdrawn. */
  #hasAlternative(pattern: number): boolean {
    return this.#files.some((file) => this.#isAlternative(file.pattern, pattern));
  }

  /** Last good copies of the forms a refused file had before; none where a form of it is there or has been tried. */
  #otherForms({ pattern }: SnapshotFile): LastGoodFile[] {
    if (this.#hasAlternative(pattern)) return [];
    const forms = this.#snapshots.lastGood.filter((kept) => this.#isAlternative(kept.pattern, pattern));
    return forms.filter(({ id }) => !this.#replaced.has(id));
  }

  #isAlternative(pattern: number, other: number): boolean {
    const { patterns } = this.#snapshots;
    return patterns[other]?.alternatives?.includes(patterns[pattern]!.name) ?? false;
  }

  /** Whether a file found under a declaration is what `id`, a member of it or all of it, stands for. */
  #standsFor(found: string, id: string, pattern: number): boolean {
    const declared = this.#snapshots.patterns[pattern]!;
    return !isMember(id, declared) || isSameMember(found, id, declared);
  }

  /** IANA's registries are read with every feed and belong to none. */
  #isOwn({ pattern }: SnapshotFile): boolean {
    return this.#snapshots.patterns[pattern]?.shared !== true;
  }

  /** Whether a file is the one that comes with the project. */
  #isBundled({ id, sha256 }: SnapshotFile): boolean {
    return this.#snapshots.bundled?.some((file) => file.id === id && file.sha256 === sha256) ?? false;
  }

  /** Takes the copies that are still whole, or else the bundled one, and reports why. */
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
   * The bundled copy of a file where there is no last good one, or where that is the bundled one itself: the last
   * release had to use it too, and the night is told as that one was. Absent when it has been tried.
   */
  #bundledFor(id: string, [lastGood]: readonly LastGoodFile[]): SnapshotFile | undefined {
    if (this.#replaced.has(id)) return undefined;
    const bundled = this.#snapshots.bundled?.find((file) => file.id === id);
    return lastGood === undefined || lastGood.sha256 === bundled?.sha256 ? bundled : undefined;
  }
}

/** Several sources may share a folder: few files are told by their names. */
function nameTogether(files: readonly InputFile[]): string {
  const [{ folder, name }] = files as [InputFile];
  const names = files.filter((file) => file.folder === folder).map((file) => file.name);
  if (files.length > NAMED_TOGETHER) return folder;
  return names.length === 1 ? `${folder}/${name}` : `${folder}/{${names.join(',')}}`;
}

const NAMED_TOGETHER = 3;

type Refused = Omit<ManifestRefusal, 'usedInstead'>;

/** The last good copy of a file: the one of the same name, or of the same series where names carry dates. */
function lastGoodOf(file: SnapshotFile, { patterns, lastGood }: Snapshots): LastGoodFile | undefined {
  return lastGood.find((kept) => kept.sha256 !== file.sha256 && isSuccessor(file, kept, patterns));
}
