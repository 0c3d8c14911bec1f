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

/**
 * Creates ids of which each sorts after the one before it, whatever its prefix: within a millisecond by a counter in place of
 * the first 12 random bits (RFC 9562, section 6.2, method 1).
 *
 * @param now - epoch milliseconds that never go back.
 * @param randomBytes - random bytes that are the caller's to change.
 */
export function createIdGenerator(
	now: () => number,
	randomBytes: (count: number) => Uint8Array,
): (prefix: string) => string {
	let time = 0;
	let counter = 0;
	return (prefix) => {
		const random = randomBytes(RANDOM_BYTES);
		const current = now();
		if (current > time) {
			time = current;
			// The upper half is left for the ids that follow.
			counter = (((random[0] ?? 0) << 8) | (random[1] ?? 0)) & (MAX_COUNTER >> 1);
		} else {
			counter += 1;
			if (counter > MAX_COUNTER) {
				time += 1;
				counter = 0;
			}
		}
		random[0] = counter >> 8;
		random[1] = counter & 255;
		return createId(prefix, time, random);
	};
}

const RANDOM_BYTES = 10;
const MAX_COUNTER = 0xfff;

/** Epoch milliseconds at which an id of {@link createId} was created. Undefined for any other text. */
export function readIdTime(id: string): number | undefined {
	const [, digits] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id) ?? [];
	if (digits === undefined) return undefined;
	return [...digits].reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0);
}
