/**
 * Maximum number of characters of a result, about 25,000 tokens: longer ones push the rest of the conversation out of
 * the model's context.
 */
const MAX_CHARACTERS = 100_000;

/** A text as a model is given it: too long a one ends with a mark that tells how much of it is missing. */
export function truncateText(text: string): string {
	if (text.length <= MAX_CHARACTERS) return text;
	// Half of a character at the end is refused by vendors.
	const kept = text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
	const [missing, total] = [text.length - kept.length, text.length].map((count) =>
		count.toLocaleString("en"),
	);
	return `${kept}… [cut: ${missing} of ${total} characters]`;
}
