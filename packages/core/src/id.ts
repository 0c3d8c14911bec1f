const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A prefixed id that sorts by time: `run_` and a UUIDv7 (RFC 9562, section 5.7) in Crockford's base32, 26 characters.
 *
 * @param now - epoch milliseconds.
 * @param random - 10 random bytes.
 */
export function createId(prefix: string, now: number, random: Uint8Array): string {
	let bits = BigInt(Math.floor(now)) << 80n;
	for (let index = 0; index < 10; index++) bits |= BigInt(random[index] ?? 0) << BigInt(8 * (9 - index));
	bits = (bits & ~(0xfn << 76n)) | (7n << 76n);
	bits = (bits & ~(3n << 62n)) | (2n << 62n);
	let text = "";
	for (let shift = 125n; shift >= 0n; shift -= 5n) text += ALPHABET[Number((bits >> shift) & 31n)];
	return `${prefix}_${text}`;
}
