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
	for (const [index, byte] of random.entries()) {
		bits = (bits << 8) | ((byte & (MASKS[index] ?? 255)) + (MARKS[index] ?? 0));
		for (count += 8; count >= 5; count -= 5) text += ALPHABET[(bits >> (count - 5)) & 31];
	}
	return `${prefix}_${text}`;
}

// The version, 7, and the variant, in their places.
const MASKS = [0x0f, 0xff, 0x3f];
const MARKS = [0x70, 0, 0x80];
