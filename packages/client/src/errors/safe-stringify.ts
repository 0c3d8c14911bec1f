/** Serializes a value as JSON; `undefined` for a value that is nested too deeply or that has no JSON form. */
export function safeStringify(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
