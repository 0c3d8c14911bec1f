/** A file or document cannot be read; the message says why, in half a sentence. */
export class UnreadableError extends Error {}

/** @param parts - what is nested, in the plural. */
export const nestingError = (parts: string): UnreadableError =>
	new UnreadableError(`its ${parts} are nested too deeply`);
