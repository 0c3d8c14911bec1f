const SHARED = "#shared=";

/** Checks whether the address is a link to a run. */
export const isShareLink = (): boolean => globalThis.location.hash.startsWith(SHARED);

/** Token of the link to a run that the page was opened with. It stays in the address, so that the page can be reloaded. */
export const readShareToken = (): string | undefined =>
	isShareLink() ? globalThis.location.hash.slice(SHARED.length) : undefined;
