const DAY_MS = 86_400_000;

/**
 * Returns how far another clock is ahead of this one, in milliseconds, by the date of a response that has just arrived.
 * Undefined where the date is not written as HTTP writes dates (RFC 9110, section 5.6.7: IMF-fixdate), or is a day or
 * more away: no clock is that wrong, and nothing is signed for that time.
 */
export function readClockOffset(date: string | null): number | undefined {
	const time = new Date(date ?? "");
	const offsetMs = time.getTime() - Date.now();
	return time.toUTCString() === date && Math.abs(offsetMs) < DAY_MS ? offsetMs : undefined;
}
