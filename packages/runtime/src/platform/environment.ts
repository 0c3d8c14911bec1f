/** Global object of a platform that may have an environment. Nothing is read before it is needed. */
interface Platform {
	readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** A variable of the environment; `undefined` where there is none, or where Deno forbids to look. */
export function readEnvironment(name: string): string | undefined {
	try {
		return (globalThis as Platform).process?.env?.[name];
	} catch {
		return undefined;
	}
}
