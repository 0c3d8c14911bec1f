/** Milliseconds since 1970, finer than `Date.now`, and the same for all processes of this machine. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** This moment, as text for {@link readStamps}. */
export const writeStamp = (): string => `${preciseNow().toFixed(3)};`;

/** The moments in a text. */
export const readStamps = (text: string): number[] =>
	[...text.matchAll(/(\d+\.\d{3});/g)].map(([, stamp]) => Number(stamp));
