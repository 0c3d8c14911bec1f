import { parseEnvelope } from "../encryption/envelope";

/** Encryption key by what envelopes say of it. */
export interface CountedKey {
	readonly id: string;
	/** Another for each key, also where they have the same id. */
	readonly key_check: string;
	/** Number of values that it opens. */
	readonly values: number;
}

/** Count of encrypted values by the key that has encrypted them. */
export interface KeyCount {
	add(envelopes: readonly string[]): void;
	list(): readonly CountedKey[];
}

export function createKeyCount(): KeyCount {
	const keys = new Map<string, CountedKey>();
	return {
		add(envelopes) {
			for (const envelope of envelopes) {
				const parsed = parseEnvelope(envelope);
				if (parsed === undefined) continue;
				const { keyCheck, header } = parsed;
				const values = (keys.get(keyCheck)?.values ?? 0) + 1;
				keys.set(keyCheck, {
					id: decodeURIComponent(header.split(".")[1] ?? ""),
					key_check: keyCheck,
					values,
				});
			}
		},
		list: () => [...keys.values()],
	};
}
