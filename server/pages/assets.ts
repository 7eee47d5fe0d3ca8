import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MapSource } from '../../pipeline/html/world-map.js';
import type { Asset } from '../http/site.js';

/** The files that pages load, from the folder that `write-assets` has made. */
export class Assets {
  readonly #byName: ReadonlyMap<string, Asset>;
  /** The outlines of the countries in the world map. */
  readonly outlines: MapSource;
  /** The middle of each country on the map, in its units. */
  readonly centres: ReadonlyMap<string, readonly [number, number]>;

  private constructor(byName: ReadonlyMap<string, Asset>) {
    this.#byName = byName;
    const { path, body } = byName.get('world.svg')!;
    const world = body.toString();
    const countries = Array.from(world.matchAll(/ id="([A-Z]{2})"/g), ([, country]) => country!);
    this.outlines = { countries, outlineOf: (country) => `${path}#${country}` };
    this.centres = new Map(
      Array.from(world.matchAll(CENTRES), ([, country, x, y]) => [country!, [Number(x), Number(y)]]),
    );
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

  get all(): readonly Asset[] {
    return [...this.#byName.values()];
  }

  /** Returns the path of an asset: `/assets/style-1f00ba4d.css` for `style.css`. Throws if there is none. */
  pathOf(name: string): string {
    const asset = this.#byName.get(name);
    if (asset === undefined) throw new Error(`no asset ${name}`);
    return asset.path;
  }
}

const CENTRES = / id="([A-Z]{2})" data-x="([\d.-]+)" data-y="([\d.-]+)"/g;

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
