/** How many services and runtimes a run came through, as it is told to the next one; nothing where that is not known. */
export const toDepthHeader = (depth: number | undefined): Readonly<Record<string, string>> =>
	depth === undefined ? {} : { "stemma-depth": String(depth) };
