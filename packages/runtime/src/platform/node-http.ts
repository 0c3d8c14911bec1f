type Http = typeof import("node:http");

/**
 * Node's HTTP. An `import` would read all that the module exports, and with it load `fetch` and what is behind it: 14 MB and
 * 40 milliseconds. Before Node 20.16 there is nothing else.
 */
export const loadHttp = async (): Promise<Http> =>
	(process.getBuiltinModule as typeof process.getBuiltinModule | undefined)?.("node:http") ??
	(await import("node:http"));
