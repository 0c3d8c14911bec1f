/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2). */
const ROUND_CONSTANTS = new Uint32Array(
	findPrimes(64).map((prime) => Math.floor((Math.cbrt(prime) % 1) * 2 ** 32)),
);
/** Initial hash values: fractional bits of the square roots of primes (section 5.3.3). */
const START = findPrimes(8).map((prime) => Math.floor((Math.sqrt(prime) % 1) * 2 ** 32));

/**
 * SHA-256 (FIPS 180-4) in hex, of bytes or of text as UTF-8. At once, and everywhere: the platform's own is
 * asynchronous, and missing in Node 18.
 */
export function sha256(data: Uint8Array | string): string {
	const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
	const blocks = pad(bytes);
	const state = Uint32Array.from(START);
	const words = new Uint32Array(64);
	for (let offset = 0; offset < blocks.byteLength; offset += 64) {
		for (let index = 0; index < 16; index++) words[index] = blocks.getUint32(offset + index * 4);
		mixBlock(state, words);
	}
	return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** A one, zeros, and the length in bits, to whole blocks of 64 bytes. */
function pad(bytes: Uint8Array): DataView {
	const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
	padded.set(bytes);
	padded[bytes.length] = 0x80;
	const view = new DataView(padded.buffer);
	view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
	return view;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Written out, as it is run a thousand times before it is compiled. */
function mixBlock(state: Uint32Array, words: Uint32Array): void {
	for (let index = 16; index < 64; index++) {
		const early = words[index - 15] as number;
		const late = words[index - 2] as number;
		const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
		const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
		words[index] = (words[index - 16] as number) + first + (words[index - 7] as number) + second;
	}
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (let index = 0; index < 64; index++) {
		const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
		const chosen = (e & f) ^ (~e & g);
		const first = (h + sumE + chosen + (ROUND_CONSTANTS[index] as number) + (words[index] as number)) | 0;
		const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
		const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + first) | 0;
		d = c;
		c = b;
		b = a;
		a = (first + second) | 0;
	}
	const mixed = [a, b, c, d, e, f, g, h];
	for (let index = 0; index < 8; index++) state[index] = (state[index] ?? 0) + (mixed[index] ?? 0);
}

function findPrimes(count: number): number[] {
	const primes: number[] = [];
	for (let candidate = 2; primes.length < count; candidate++)
		if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
	return primes;
}
