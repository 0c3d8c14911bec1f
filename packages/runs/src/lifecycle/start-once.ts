interface Entry<Started> {
	readonly started: Promise<Started>;
	/** Fingerprint of what was asked for. */
	readonly fingerprint: string;
}

/** Starts once for each key: a second start under the same key returns what the first one returned. */
export class StartOnce<Started> {
	readonly #entries = new Map<string, Entry<Started>>();

	/** Starts it, unless it was started under that key. A start that fails frees its key. */
	async start(key: string, start: () => Promise<Started>, fingerprint = ""): Promise<Started> {
		const known = this.#entries.get(key);
		if (known !== undefined) return known.started;
		const started = start();
		this.#entries.set(key, { started, fingerprint });
		try {
			return await started;
		} catch (error) {
			this.#entries.delete(key);
			throw error;
		}
	}

	find(key: string): Entry<Started> | undefined {
		return this.#entries.get(key);
	}

	forget(key: string): void {
		this.#entries.delete(key);
	}
}
