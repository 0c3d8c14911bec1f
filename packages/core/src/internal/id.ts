const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A prefixed id that sorts by time: `run_` and a UUIDv7 (RFC 9562, section 5.7) in Crockford's base32, 26 characters.
 *
 * @param now - epoch milliseconds.
 * @param random - 10 random bytes.
 */
export function createId(prefix: string, now: number, random: Uint8Array): string {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0] = random;
	// The version, 7, and the variant, in their places.
	const first = ((a & 0x0f) << 12) | 0x70000 | (b << 4);
	const variant = (c & 0x3f) | 0x80;
	return `${prefix}_${encodeTime(now)}${encode(first | (variant >> 4))}${encode(((variant & 15) << 16) | (d << 8) | e)}${encode((f << 12) | (g << 4) | (h >> 4))}${encode(((h & 15) << 16) | (i << 8) | j)}`;
}

/** Four characters of 20 bits. */
const encode = (bits: number): string =>
	String.fromCharCode(
		ALPHABET.charCodeAt(bits >> 15),
		ALPHABET.charCodeAt((bits >> 10) & 31),
		ALPHABET.charCodeAt((bits >> 5) & 31),
		ALPHABET.charCodeAt(bits & 31),
	);

let lastTime = 0;
let lastTimeText = "";

/** Ten characters of two zeros and the 48 bits of a time. Ids come many to a millisecond. */
function encodeTime(now: number): string {
	if (now === lastTime && lastTimeText !== "") return lastTimeText;
	lastTime = now;
	lastTimeText = "";
	for (let time = now; lastTimeText.length < 10; time /= 32)
		lastTimeText = ALPHABET.charAt(Math.floor(time) % 32) + lastTimeText;
	return lastTimeText;
}

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
