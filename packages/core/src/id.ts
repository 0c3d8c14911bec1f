const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A prefixed id that sorts by time: `run_` and a UUIDv7 (RFC 9562, section 5.7) in Crockford's base32, 26 characters.
 *
 * @param now - epoch milliseconds.
 * @param random - 10 random bytes.
 */
export function createId(prefix: string, now: number, random: Uint8Array): string {
	let text = "";
	// Two zeros and the 48 bits of the time are 10 characters, and the other 80 bits are 16.
	for (let time = now; text.length < 10; time /= 32) text = ALPHABET[Math.floor(time) % 32] + text;
	let bits = 0;
	let count = 0;
	for (let index = 0; index < 10; index++) {
		bits = (bits << 8) | mark(random[index] ?? 0, index);
		for (count += 8; count >= 5; count -= 5) text += ALPHABET[(bits >> (count - 5)) & 31];
	}
	return `${prefix}_${text}`;
}

/** The version, 7, and the variant, in their places. */
function mark(byte: number, index: number): number {
	if (index === 0) return 0x70 | (byte & 0x0f);
	return index === 2 ? 0x80 | (byte & 0x3f) : byte;
}
