/** As JSON; `undefined` for what is nested too deep to be written, and for what has none. */
export function safeStringify(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
