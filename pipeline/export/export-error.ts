/** The dataset, the filter or the format does not fit the export. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}
