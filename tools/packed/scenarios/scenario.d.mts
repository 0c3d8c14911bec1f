/** What {@link scenario} must give everywhere. */
export const expected: Readonly<Record<string, unknown>>;

/** Runs a graph with an edge of each mode over the packages that it is handed. */
export function scenario(packages: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
