/** The first fields of a row as ranges of a text. Reused for every row, so that no field becomes a string of its own. */
export class FieldRanges {
  /** Contains the fields. Characters after Latin-1 may be present as the bytes of their UTF-8. */
  text = '';
  /** The start of each field in the text. */
  readonly starts: Int32Array;
  /** The end of each field in the text, exclusive. */
  readonly ends: Int32Array;

  /** `columns` is the number of fields. */
  constructor(columns: number) {
    this.starts = new Int32Array(columns);
    this.ends = new Int32Array(columns);
  }

  get columns(): number {
    return this.starts.length;
  }

  /** Sets the fields to the first of `fields`, which has at least as many. */
  set(fields: readonly string[]): void {
    this.text = '';
    for (let column = 0; column < this.columns; column++) {
      this.starts[column] = this.text.length;
      this.text += fields[column]!;
      this.ends[column] = this.text.length;
    }
  }

  /** Returns a field as a string. */
  textOf(column: number): string {
    return this.text.slice(this.starts[column], this.ends[column]);
  }
}
