/** Queue of scripts, which answer in turn; the last one is repeated. */
export class ScriptQueue<Script> {
	#scripts: readonly Script[] = [];

	/** Replaces all scripts. */
	set(scripts: readonly Script[]): void {
		this.#scripts = scripts;
	}

	next(): Script | undefined {
		const [first, ...later] = this.#scripts;
		if (later.length > 0) this.#scripts = later;
		return first;
	}
}
