import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MapSource } from '../../pipeline/html/world-map.js';
import type { Asset } from '../http/site.js';

/** Names of the assets in the code. */
export type AssetName = string;

/** The files that pages load, from the folder that `write-assets` has made. */
export class Assets {
  readonly #byName: ReadonlyMap<string, Asset>;

  private constructor(byName: ReadonlyMap<string, Asset>) {
    this.#byName = byName;
  }

  /** Reads all assets. Throws a system error if the folder is missing. */
  static read(dir: string = ASSET_DIR): Assets {
    const files = readdirSync(dir).map((file): [string, Asset] => {
      const [, name, extension] = HASHED.exec(file) ?? [];
      const type = TYPES[extension ?? ''];
      if (name === undefined || type === undefined) throw new Error(`unexpected asset ${file}`);
      const body = readFileSync(join(dir, file));
      return [`${name}.${extension!}`, { path: `/assets/${file}`, body, type, caching: FOR_EVER }];
    });
    return new Assets(new Map(files));
  }

  /** Returns the outlines of the countries in the world map. */
  get outlines(): MapSource {
    const { path, body } = this.#byName.get('world.svg')!;
    const countries = [...body.toString().matchAll(/ id="([A-Z]{2})"/g)].map(([, country]) => country!);
    return { countries, outlineOf: (country) => `${path}#${country}` };
  }

  get all(): readonly Asset[] {
    return [...this.#byName.values()];
  }

  /** Returns the path of an asset: `/assets/style-1f00ba4d.css` for `style.css`. Throws if there is none. */
  pathOf(name: AssetName): string {
    const asset = this.#byName.get(name);
    if (asset === undefined) throw new Error(`no asset ${name}`);
    return asset.path;
  }
}

/** The folder of the assets; this file is compiled to `dist/server/pages`. */
export const ASSET_DIR = join(import.meta.dirname, 'assets');

/** `style-1f00ba4d.css`: a name, the digest of the content, the extension. */
const HASHED = /^([a-z-]+)-[0-9a-f]{8}\.([a-z0-9]+)$/;

/** The path of an asset changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
