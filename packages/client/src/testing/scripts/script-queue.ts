/** Queue of scripts, which answer in turn; the last one is repeated. */
export interface ScriptQueue<Script> {
	/** Replaces all scripts of a name. */
	set(name: string, scripts: readonly Script[]): void;
	next(name: string): Script | undefined;
}

export function createScriptQueue<Script>(): ScriptQueue<Script> {
	const scripts = new Map<string, Script[]>();
	return {
		set: (name, queued) => void scripts.set(name, [...queued]),
		next(name) {
			const remaining = scripts.get(name) ?? [];
			return remaining.length > 1 ? remaining.shift() : remaining[0];
		},
	};
}
