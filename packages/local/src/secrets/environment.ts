/** Global object of a platform that may have an environment. Nothing is read before it is needed. */
interface Platform {
	readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** A variable of the environment; `undefined` in browsers and React Native. Deno may forbid to look. */
export function readEnvironment(name: string): string | undefined {
	try {
		return (globalThis as unknown as Platform).process?.env?.[name];
	} catch {
		return undefined;
	}
}
