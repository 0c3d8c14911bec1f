const SHOWN_CHARACTERS = 64;

/** A text in quotes, for a message; cut where it is long, since anything may be in it. */
export const quote = (text: string): string =>
	JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
