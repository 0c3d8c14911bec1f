const DAY_MS = 86_400_000;

/**
 * How far another clock is ahead of this one, in milliseconds, by the date of an answer that has just come. Undefined
 * where it is not written as HTTP writes dates (RFC 9110, section 5.6.7: IMF-fixdate), or a day or more away: no clock is
 * that wrong, and nothing is signed for then.
 */
export function readClockOffset(date: string | null): number | undefined {
	const time = new Date(date ?? "");
	const offsetMs = time.getTime() - Date.now();
	return time.toUTCString() === date && Math.abs(offsetMs) < DAY_MS ? offsetMs : undefined;
}
