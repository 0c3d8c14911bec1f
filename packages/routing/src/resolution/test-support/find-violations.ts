/** Invariants that hold for every case, by name. */
export interface Invariants<Case> {
	readonly [invariant: string]: (testCase: Case) => boolean;
}

export interface Violations {
	readonly count: number;
	/** First case that breaks each invariant, as JSON. */
	readonly byInvariant: ReadonlyMap<string, string>;
}

/** Tries every invariant on every case, in one go. */
export function findViolations<Case>(cases: Iterable<Case>, invariants: Invariants<Case>): Violations {
	const byInvariant = new Map<string, string>();
	let count = 0;
	for (const testCase of cases) {
		count += 1;
		for (const [invariant, holds] of Object.entries(invariants))
			if (!byInvariant.has(invariant) && !holds(testCase))
				byInvariant.set(invariant, JSON.stringify(testCase, undefined, 1));
	}
	return { count, byInvariant };
}
