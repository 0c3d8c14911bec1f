const split = (scope: string | undefined): readonly string[] => scope?.split(/\s+/).filter(Boolean) ?? [];

/** All scopes of several texts, each once; `undefined` where there is none. */
export const joinScopes = (...scopes: readonly (string | undefined)[]): string | undefined =>
	[...new Set(scopes.flatMap(split))].join(" ") || undefined;

/** Checks whether all scopes of `requested` are among those of `granted`. */
export const hasScopes = (granted: string | undefined, requested: string | undefined): boolean =>
	split(requested).every((scope) => split(granted).includes(scope));
