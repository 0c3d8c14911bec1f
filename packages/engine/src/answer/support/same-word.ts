const GRAM_CHARACTERS = 4;
/** Share of the 4-grams of the shorter word that make another form of it, or a part of a compound. */
const MIN_GRAM_SHARE = 0.6;

/** Compares words by their 4-grams: `refunded` and `refunds`, `Kündigung` and `Kündigungsfrist`, `gekündigt`. */
export function isSameWord(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	if (short.length < GRAM_CHARACTERS) return false;
	// Words of one length that begin in different ways are two words: `scrypt`, `bcrypt`.
	if (long.length - short.length < 2 && short[0] !== long[0]) return false;
	const count = short.length - GRAM_CHARACTERS + 1;
	let shared = 0;
	for (let at = 0; at < count; at++) if (long.includes(short.slice(at, at + GRAM_CHARACTERS))) shared++;
	return shared >= MIN_GRAM_SHARE * count;
}
