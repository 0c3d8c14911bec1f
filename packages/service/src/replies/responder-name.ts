/** Agent or knowledge base that a request names as its model. */
export interface ResponderName {
	readonly kind: "agent" | "knowledge_base";
	/** Id or slug. */
	readonly idOrSlug: string;
}

const PREFIXES = { agent: "agent:", knowledge_base: "kb:" } as const;

/** Parses `agent:<slug>` and `kb:<slug>`; `undefined` for the name of a model. */
export function parseResponderName(model: string): ResponderName | undefined {
	for (const kind of ["agent", "knowledge_base"] as const) {
		const prefix = PREFIXES[kind];
		if (model.startsWith(prefix)) return { kind, idOrSlug: model.slice(prefix.length) };
	}
	return undefined;
}

export const formatResponderName = (kind: ResponderName["kind"], slug: string): string =>
	PREFIXES[kind] + slug;
