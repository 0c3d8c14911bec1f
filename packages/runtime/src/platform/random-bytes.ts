/** Asking for few bytes takes as long as asking for many. */
const POOL_BYTES = 1_000;

let pool = new Uint8Array(0);
let used = 0;

/** Random bytes for ids, at most 1,000. Node 18 has no global `crypto`; ids there rest on `Math.random`. */
export function randomBytes(count: number): Uint8Array {
	if (used + count > pool.length) {
		pool = fill(new Uint8Array(POOL_BYTES));
		used = 0;
	}
	used += count;
	return pool.subarray(used - count, used);
}

function fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
	const { crypto } = globalThis as { readonly crypto?: Pick<Crypto, "getRandomValues"> };
	if (crypto !== undefined) return crypto.getRandomValues(bytes);
	return bytes.map(() => Math.floor(Math.random() * 256));
}
