/** Words of a link that its text need not have, and where in the text of its block it stands. */
export interface LinkWords {
	readonly offset: number;
	readonly words: readonly string[];
}

/** Host of an address of the web, without user and port. */
const HOST = /^\s*(?:https?:)?\/\/(?:[^/?#@\s]*@)?([^/?#:@\s]+)/i;
/** Shorter parts of a host say nothing: `co` of `co.uk`, `m` of a page for phones. */
const MIN_WORD_CHARACTERS = 3;

/**
 * Words of the site that a link leads to, in lower case, without its top-level domain: `cncf` of `https://cncf.io/about`.
 * Nothing for addresses within a site.
 */
export function toLinkWords(address: string): string[] {
	const [, host = ""] = HOST.exec(address) ?? [];
	return host
		.toLowerCase()
		.split(".")
		.slice(0, -1)
		.filter((label) => label !== "www" && isWord(label));
}

/** Checks for a part of a host that can be a name: no number, nothing encoded. */
const isWord = (label: string): boolean =>
	label.length >= MIN_WORD_CHARACTERS && /\p{L}/u.test(label) && !label.startsWith("xn--");
