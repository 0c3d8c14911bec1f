/** Address of a file or folder of the official test vectors: `sse/vectors.json`, `sigv4/`, `eventstream/`. */
export const vectorUrl = (path: string): URL => new URL(`../vectors/${path}`, import.meta.url);
