import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { editionsOf } from '../release/editions.js';
import { PROJECT } from '../testing/command-line.js';
import { printableLine } from '../text/printable.js';
import { differenceOf, expectedLines } from './answers.js';
import { ClientError, type Client, type Question } from './client.js';

/** The files of a release by database type, `ipatlas-City` and its editions. */
export type FilesByType = ReadonlyMap<string, string>;

/** What a client answered to a question. */
export interface Reply {
  readonly asked: string;
  readonly type: string;
  /** Why the answer is not the expected one; absent when it is. */
  readonly problem?: string;
}

export interface ClientResult {
  readonly name: string;
  /** Absent when the client is not installed. */
  readonly version?: string;
  readonly replies: readonly Reply[];
}

/** Files for download, by our database type. */
const FILES = [
  ['ipatlas-City', 'geo'],
  ['ipatlas-ASN', 'asn'],
  ['ipatlas-ISP', 'isp'],
] as const;

/** Makes the editions of the files for download of a release with `ipatlas edition`. */
export function makeEditions(releaseDir: string, folder: string, main: string): FilesByType {
  const paths = new Map<string, string>();
  for (const [type, name] of FILES) {
    const file = resolve(releaseDir, 'download', `${name}.mmdb`);
    symlinkSync(file, join(folder, `${type}.mmdb`));
    paths.set(type, join(folder, `${type}.mmdb`));
    for (const edition of editionsOf(type)) {
      const out = join(folder, `${edition}.mmdb`);
      execFileSync(process.execPath, [main, 'edition', file, edition, '-o', out], { stdio: 'pipe' });
      paths.set(edition, out);
    }
  }
  return paths;
}

/** Returns the installed version of a client, or undefined. */
export function versionOf({ from }: Client): string | undefined {
  if ('npm' in from) return npmVersion(from.npm);
  const versions = from.debian.map((name) => {
    const query = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Version}', name], {
      encoding: 'utf8',
    });
    const [status, version] = query.status === 0 ? query.stdout.split(' ') : [];
    return status === 'installed' ? version : undefined;
  });
  return versions.includes(undefined) ? undefined : versions[0];
}

const packageSchema = z.object({ version: z.string() });

function npmVersion(name: string): string {
  return packageSchema.parse(
    JSON.parse(readFileSync(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8')),
  ).version;
}

/** Asks a client all its questions and compares the answers with those of our reader. */
export async function runClient(
  client: Client,
  files: FilesByType,
  addresses: readonly string[],
): Promise<ClientResult> {
  const { name, questions } = client;
  const version = versionOf(client);
  const replies: Reply[] = [];
  if (version === undefined) return { name, replies };
  for (const question of questions)
    for (const type of question.types) {
      const file = files.get(type);
      if (file === undefined) throw new Error(`${name}: no file has the type ${type}`);
      const problem = await problemOf(question, { type, file, addresses });
      replies.push({ asked: question.asked, type, ...(problem !== undefined && { problem }) });
    }
  return { name, version, replies };
}

async function problemOf(
  { ask, fields }: Question,
  {
    type,
    file,
    addresses,
  }: { readonly type: string; readonly file: string; readonly addresses: readonly string[] },
): Promise<string | undefined> {
  const expected = expectedLines(file, fields, addresses);
  const known = [...new Set(expected)].filter((line) => line.trim() !== '');
  if (known.length === 0) return `no asked address has ${fields.join(', ')}`;
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-client-'));
  try {
    return differenceOf(addresses, expected, await ask({ file, type, fields, addresses, known, folder }));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return printableLine(
      error.message.replaceAll(file, `${type}.mmdb`).replaceAll(folder, ''),
      LONGEST_REASON,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LONGEST_REASON = 160;
