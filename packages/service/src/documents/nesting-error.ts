/** A document whose parts are nested too deeply to be read. */
export class NestingError extends Error {
	/** @param parts - what is nested, in the plural. */
	constructor(parts: string) {
		super(`its ${parts} are nested too deeply`);
	}
}
