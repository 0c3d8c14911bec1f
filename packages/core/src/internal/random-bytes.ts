/** Number of bytes that are asked for at once: few take as long as many. */
const POOL_BYTES = 1_000;

let pool: Uint8Array | undefined;
let usedBytes = 0;

/**
 * Random bytes for ids, at most 1,000, which the caller may change. Not for secrets: React Native and Node 18 have no
 * global `crypto`, and ids there rest on `Math.random`.
 */
export function randomBytes(count: number): Uint8Array {
	if (pool === undefined || usedBytes + count > POOL_BYTES) {
		pool = fill(new Uint8Array(POOL_BYTES));
		usedBytes = 0;
	}
	usedBytes += count;
	return pool.subarray(usedBytes - count, usedBytes);
}

function fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
	const { crypto }: { readonly crypto?: Pick<Crypto, "getRandomValues"> } = globalThis;
	return crypto?.getRandomValues(bytes) ?? bytes.map(() => Math.random() * 256);
}
