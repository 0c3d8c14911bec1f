/** Titles that programs give by themselves. */
const PLACEHOLDER =
	/^(?:\(?anonymous|\(unspecified|untitled|title|document\s?\d*|microsoft word|microsoft powerpoint|powerpoint presentation|slide 1|noname|print|scan)\b/iu;
const FILE_NAME = /\.(?:docx?|pdf|indd|tex|dvi|qxd|pptx?|xlsx?|rtf|odt|html?|ps|eps|fm|pub|p65)$/iu;

/** Title of a file's metadata where a person wrote it; programs put file names and placeholders there. */
export function toSensibleTitle(title: unknown): string | undefined {
	if (typeof title !== "string") return undefined;
	const text = title.replace(/\s+/gu, " ").trim();
	const isSensible = /\p{L}{3}|\p{Lo}{2}/u.test(text) && !PLACEHOLDER.test(text) && !FILE_NAME.test(text);
	return isSensible ? text : undefined;
}
