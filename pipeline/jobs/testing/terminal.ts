import { Writable } from 'node:stream';
import xterm from '@xterm/headless';
import type { Terminal } from '../progress-block.js';

/** A terminal of this process that shows what a user would see. */
export interface Screen {
  readonly stream: Terminal;
  /** Returns all lines, those that have scrolled out of sight first, without empty lines at the end. */
  lines(): Promise<string[]>;
  /** Returns the number of lines that have scrolled out of sight. */
  scrolled(): number;
  resize(columns: number, rows: number): void;
}

/** Opens a terminal of a size in characters: xterm without a window. */
export function openScreen(columns: number, rows: number): Screen {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const stream = Object.assign(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        terminal.write(chunk, done);
      },
    }),
    { columns, rows },
  );
  return {
    stream,
    lines: async () => {
      await new Promise<void>((resolve) => {
        stream.write('', () => {
          resolve();
        });
      });
      const { active } = terminal.buffer;
      const lines = Array.from({ length: active.length }, (_, row) =>
        active.getLine(row)!.translateToString(true),
      );
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
    },
    scrolled: () => terminal.buffer.active.baseY,
    resize: (width, height) => {
      terminal.resize(width, height);
      Object.assign(stream, { columns: width, rows: height });
    },
  };
}
