import { createHash } from "node:crypto";
import type { Random } from "../random.ts";

/** The encryption keys of a deployment, as its operator rotates them. */
export interface EncryptionKeys {
	/** Those of the service that runs now; the first seals. */
	readonly current: readonly string[];
	/** Everything is sealed with the first. */
	markRotated(): void;
	/** For the next start: maybe a new one first; without those that nothing needs any more. Tells how many were dropped. */
	change(): number;
}

const MAX_KEYS = 3;

export function createEncryptionKeys(seed: number, random: Random): EncryptionKeys {
	let created = 0;
	function create(): string {
		created += 1;
		return createHash("sha256").update(`${seed}/${created}`).digest("base64");
	}
	let current = [create()];
	let isRotated = false;
	return {
		get current() {
			return current;
		},
		markRotated() {
			isRotated = true;
		},
		change() {
			const needed = isRotated ? current.slice(0, 1) : current;
			const dropped = current.length - needed.length;
			const isNew = needed.length < MAX_KEYS && random.next() < 0.6;
			current = isNew ? [create(), ...needed] : needed;
			isRotated &&= !isNew;
			return dropped;
		},
	};
}
