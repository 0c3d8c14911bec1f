/** The first bits of the fractional parts of roots of the first primes (FIPS 180-4, sections 4.2.2 and 5.3.3). */
function createConstants(): { readonly rounds: readonly number[]; readonly start: readonly number[] } {
	const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;
	const primes: number[] = [];
	for (let candidate = 2; primes.length < 64; candidate++)
		if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
	return {
		rounds: primes.map((prime) => fraction(Math.cbrt(prime))),
		start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
	};
}

const CONSTANTS = /* @__PURE__ */ createConstants();

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** SHA-256 of a text's UTF-8, hexadecimal. Browsers have their own on secure pages only, React Native has none. */
export function sha256(text: string): string {
	const words = toPaddedWords(text);
	let state = [...CONSTANTS.start];
	for (let offset = 0; offset < words.length; offset += 16)
		state = addBlock(state, words.slice(offset, offset + 16));
	return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Big-endian, with a one, zeros, and the length in bits. */
function toPaddedWords(text: string): number[] {
	// Halves of characters have no UTF-8.
	const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
	const words: number[] = [];
	let length = 0;
	const push = (byte: number): void => {
		words[length >> 2] = (words[length >> 2] ?? 0) | (byte << (24 - (length % 4) * 8));
		length += 1;
	};
	for (let offset = 0; offset < escaped.length; offset++) {
		if (escaped[offset] === "%") {
			push(Number.parseInt(escaped.slice(offset + 1, offset + 3), 16));
			offset += 2;
		} else push(escaped.charCodeAt(offset));
	}
	const bits = length * 8;
	push(0x80);
	while (length % 64 !== 56) push(0);
	words.push(Math.floor(bits / 2 ** 32), bits | 0);
	return words;
}

function addBlock(state: readonly number[], block: readonly number[]): number[] {
	const words = [...block];
	const { rounds } = CONSTANTS;
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (let round = 0; round < 64; round++) {
		if (round >= 16) {
			const early = words[round - 15] ?? 0;
			const late = words[round - 2] ?? 0;
			const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
			const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
			words[round] = ((words[round - 16] ?? 0) + small + (words[round - 7] ?? 0) + large) | 0;
		}
		const choice = (e & f) ^ (~e & g);
		const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
		const one = (h + mixed + choice + (rounds[round] ?? 0) + (words[round] ?? 0)) | 0;
		const majority = (a & b) ^ (a & c) ^ (b & c);
		const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
		[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
	}
	return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] ?? 0)) | 0);
}
