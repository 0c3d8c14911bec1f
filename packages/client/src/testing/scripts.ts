/** What answers, in turn: the last one stays. */
export interface Scripts<Script> {
	/** Instead of all that was there for this name. */
	set(name: string, scripts: readonly Script[]): void;
	take(name: string): Script | undefined;
}

export function createScripts<Script>(): Scripts<Script> {
	const scripts = new Map<string, Script[]>();
	return {
		set: (name, given) => void scripts.set(name, [...given]),
		take(name) {
			const left = scripts.get(name) ?? [];
			return left.length > 1 ? left.shift() : left[0];
		},
	};
}
