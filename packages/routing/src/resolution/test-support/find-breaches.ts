/** What must hold of every case, by name. */
export interface Laws<Case> {
	readonly [law: string]: (one: Case) => boolean;
}

export interface Breaches {
	readonly count: number;
	/** Of each law the first case that breaks it, as JSON. */
	readonly byLaw: ReadonlyMap<string, string>;
}

/** Tries every law on every case, in one go. */
export function findBreaches<Case>(cases: Iterable<Case>, laws: Laws<Case>): Breaches {
	const byLaw = new Map<string, string>();
	let count = 0;
	for (const one of cases) {
		count += 1;
		for (const [law, holds] of Object.entries(laws))
			if (!byLaw.has(law) && !holds(one)) byLaw.set(law, JSON.stringify(one, undefined, 1));
	}
	return { count, byLaw };
}
