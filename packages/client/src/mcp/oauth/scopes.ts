const split = (scope: string | undefined): readonly string[] => scope?.split(/\s+/).filter(Boolean) ?? [];

/** All scopes of several texts, each once; `undefined` where there is none. */
export const joinScopes = (...scopes: readonly (string | undefined)[]): string | undefined =>
	[...new Set(scopes.flatMap(split))].join(" ") || undefined;

/** Whether all scopes of `asked` are among those of `held`. */
export const hasScopes = (held: string | undefined, asked: string | undefined): boolean =>
	split(asked).every((scope) => split(held).includes(scope));
