/** What is no endpoint of `api.md`: health and documents. */
export interface Page {
  readonly path: string;
  readonly operationId: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** HTTP statuses it answers with, in words. */
  readonly statuses: Readonly<Record<string, string>>;
  /** HTTP status and JSON text. */
  readonly render: () => { readonly status: number; readonly json: string };
}
