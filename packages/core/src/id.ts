/** Crockford's base32, in small letters. */
const CODES = new TextEncoder().encode("0123456789abcdefghjkmnpqrstvwxyz");

/** Of an id being made: nothing waits in between. */
const bytes = new Uint8Array(16);

/**
 * A prefixed id that sorts by time: `run_` and a UUIDv7 (RFC 9562, section 5.7) in Crockford's base32, 26 characters.
 *
 * @param now - epoch milliseconds.
 * @param random - 10 random bytes.
 */
export function createId(prefix: string, now: number, random: Uint8Array): string {
	let time = Math.floor(now);
	for (let index = 5; index >= 0; index--) {
		bytes[index] = time % 256;
		time = Math.floor(time / 256);
	}
	bytes.set(random, 6);
	bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
	bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
	return `${prefix}_${toBase32(bytes)}`;
}

/** 128 bits, with two zeros before them. */
function toBase32(source: Uint8Array): string {
	const codes: number[] = [];
	let waiting = 0;
	let count = 2;
	for (const byte of source) {
		waiting = (waiting << 8) | byte;
		count += 8;
		for (; count >= 5; count -= 5) codes.push(CODES[(waiting >> (count - 5)) & 31] ?? 0);
		waiting &= 31;
	}
	return String.fromCharCode(...codes);
}
