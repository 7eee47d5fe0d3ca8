/** What benchmarks use of autocannon, which ships no types. */
declare module 'autocannon' {
  export default function autocannon(options: {
    readonly url: string;
    readonly connections?: number;
    /** Seconds. */
    readonly duration?: number;
  }): Promise<{ readonly requests: { readonly average: number } }>;
}
