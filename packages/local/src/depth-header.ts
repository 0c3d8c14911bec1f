/**
 * Returns the header that sends the number of services and runtimes a run came through to the next one; empty where the
 * number is not known.
 */
export const toDepthHeader = (depth: number | undefined): Readonly<Record<string, string>> =>
	depth === undefined ? {} : { "stemma-depth": String(depth) };
