const fraction = (value: number): number => (value % 1) * 2 ** 32;

/** First bits of the fractional parts of roots of the first primes (FIPS 180-4, sections 4.2.2 and 5.3.3). */
function createConstants(): { readonly rounds: Int32Array; readonly start: Int32Array } {
	const primes: number[] = [];
	for (let candidate = 2; primes.length < 64; candidate++)
		if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
	return {
		rounds: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
		start: Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
	};
}

const CONSTANTS = /* @__PURE__ */ createConstants();

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/**
 * SHA-256 of bytes, or of a text's UTF-8, in hexadecimal. Synchronous, and everywhere: browsers have their own on secure
 * pages only, React Native and Node 18 have none.
 */
export function sha256(data: Uint8Array | string): string {
	const blocks = pad(typeof data === "string" ? toUtf8(data) : data);
	const state = CONSTANTS.start.slice();
	const words = new Int32Array(64);
	for (let offset = 0; offset < blocks.byteLength; offset += 64) {
		for (let index = 0; index < 16; index++) words[index] = blocks.getInt32(offset + index * 4);
		addBlock(state, words);
	}
	return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Encodes text without `TextEncoder`, which React Native may lack. Halves of characters have no UTF-8. */
function toUtf8(text: string): Uint8Array {
	const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
	const bytes = new Uint8Array(escaped.length);
	let length = 0;
	for (let at = 0; at < escaped.length; at++)
		if (escaped[at] === "%") {
			bytes[length++] = Number.parseInt(escaped.slice(at + 1, at + 3), 16);
			at += 2;
		} else bytes[length++] = escaped.charCodeAt(at);
	return bytes.subarray(0, length);
}

/** Appends a one, zeros, and the length in bits, up to whole blocks of 64 bytes. */
function pad(bytes: Uint8Array): DataView {
	const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
	padded.set(bytes);
	padded[bytes.length] = 0x80;
	const view = new DataView(padded.buffer);
	view.setUint32(padded.length - 8, bytes.length / 2 ** 29);
	view.setUint32(padded.length - 4, bytes.length << 3);
	return view;
}

/** Mixes a block into the state. Written out, as it is run a thousand times before it is compiled. */
function addBlock(state: Int32Array, words: Int32Array): void {
	const word = (index: number): number => words[index] ?? 0;
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (let index = 0; index < 64; index++) {
		if (index >= 16) {
			const early = word(index - 15);
			const late = word(index - 2);
			const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
			const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
			words[index] = word(index - 16) + small + word(index - 7) + large;
		}
		const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
		const one = (h + mixed + ((e & f) ^ (~e & g)) + (CONSTANTS.rounds[index] ?? 0) + word(index)) | 0;
		const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		h = g;
		g = f;
		f = e;
		e = (d + one) | 0;
		d = c;
		c = b;
		b = a;
		a = (one + two) | 0;
	}
	for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value;
}
