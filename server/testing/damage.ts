import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../pipeline/release/contract.js';
import { encodeManifest, MANIFEST, readManifest } from '../../pipeline/release/release-store.js';
import { createHash } from 'node:crypto';

/** Copies a release under another id, also in its manifest. Returns the new folder. */
export async function copyRelease(dir: string, id: string): Promise<string> {
  const copy = join(dirname(dir), id);
  rmSync(copy, { recursive: true, force: true });
  cpSync(dir, copy, { recursive: true });
  writeFileSync(join(copy, MANIFEST), encodeManifest({ ...(await readManifest(dir)), id }));
  return copy;
}

/** Replaces the bytes of a file of a release, and updates its entry in the manifest. */
export async function replaceFile(dir: string, name: string, bytes: Buffer): Promise<void> {
  writeFileSync(join(dir, name), bytes);
  const digest = { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  await editManifest(dir, (manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => (file.name === name ? { ...file, ...digest } : file)),
    indexes: (manifest.indexes ?? []).map((file) => (file.name === name ? { ...file, ...digest } : file)),
  }));
}

/** Changes the manifest of a release folder. */
export async function editManifest(dir: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  writeFileSync(join(dir, MANIFEST), encodeManifest(change(await readManifest(dir))));
}

/** Changes bytes of a file in place. */
export function damageFile(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)));
}

/** Points `current` to another path. */
export function linkCurrent(outputDir: string, target: string): void {
  rmSync(join(outputDir, 'current'), { recursive: true, force: true });
  symlinkSync(target, join(outputDir, 'current'));
}
