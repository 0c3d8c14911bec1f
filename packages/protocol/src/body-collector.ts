import { bodyTooLarge } from "./json-body";

/** Collects the body of a request in memory, up to a size. */
export class BodyCollector {
	readonly #maxBytes: number;
	#chunks: Uint8Array[] = [];
	#size = 0;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** @throws DomainError `body_too_large`; nothing is kept then. */
	add(chunk: Uint8Array): void {
		this.#size += chunk.byteLength;
		this.#chunks.push(chunk);
		if (this.#size <= this.#maxBytes) return;
		this.clear();
		throw bodyTooLarge(this.#maxBytes);
	}

	/** Forgets what was collected. */
	clear(): void {
		this.#chunks = [];
	}

	/** Returns the whole body. */
	toBytes(): Uint8Array {
		const [first] = this.#chunks;
		if (first !== undefined && this.#chunks.length === 1) return first;
		const bytes = new Uint8Array(this.#size);
		let offset = 0;
		for (const chunk of this.#chunks) {
			bytes.set(chunk, offset);
			offset += chunk.byteLength;
		}
		return bytes;
	}
}

/** Bytes of each body that no budget counts: small requests are accepted whatever large ones are in flight. */
export const MAX_UNCOUNTED_BODY_BYTES = 16 * 1024;

/**
 * Creates what counts the bytes of one body, as they come, towards a budget for bodies in memory.
 *
 * @param charge - takes bytes of the budget; what it throws refuses the body.
 */
export function createBodyMeter(charge: (bytes: number) => void): (bytes: number) => void {
	let size = 0;
	return (bytes) => {
		const counted = Math.max(0, size - MAX_UNCOUNTED_BODY_BYTES);
		size += bytes;
		const more = Math.max(0, size - MAX_UNCOUNTED_BODY_BYTES) - counted;
		if (more > 0) charge(more);
	};
}
