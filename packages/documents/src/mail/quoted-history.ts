/** Body of a message in two: what its sender wrote, and the earlier messages below it. */
export interface SplitBody {
	readonly newest: string;
	/** Empty where there is none. */
	readonly quoted: string;
}

/** Lines are longer in no mail program's marks. */
const MAX_MARK_CHARACTERS = 300;
const ORIGINAL_MESSAGE =
	/^-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d[’']origine|message transféré|mensaje original|mensaje reenviado|messaggio originale|oorspronkelijk bericht|mensagem original)\s*-{2,}$/iu;
const ATTRIBUTION =
	/^(?:On|Am|Le|El|Il|Op|Den|Em|W dniu)\s.*\b(?:wrote|schrieb|écrit|escribió|scritto|schreef|skrev|escreveu|napisał)\b.*:$/iu;
const OUTLOOK_FROM = /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od):\*?\s\S/u;
const OUTLOOK_SENT =
	/^\*?(?:Sent|Gesendet|Envoyé|Enviado|Inviato|Verzonden|Skickat|Sendt|Date|Datum):\*?\s\S/u;
/** Lines after `From:` in which `Sent:` stands. */
const OUTLOOK_LINES = 3;

const isMarked = (line: string): boolean => line.startsWith(">");
const isBlank = (line: string): boolean => line.trim() === "";

/**
 * Splits plain text where the earlier messages begin that a mail program has put below the new one. Quotations between
 * the paragraphs of an answer belong to it.
 */
export function splitText(text: string): SplitBody {
	const lines = text.split(/\r?\n/u);
	const start = findHistory(lines);
	const history = lines.slice(start).map((line) => line.replace(/^(?:>[ \t]?)+/u, ""));
	return { newest: lines.slice(0, start).join("\n"), quoted: history.join("\n") };
}

function findHistory(lines: readonly string[]): number {
	const marked = findTrailingMarks(lines);
	for (const [index, raw] of lines.entries()) {
		const line = raw.trim();
		if (index >= marked) break;
		if (line.length > MAX_MARK_CHARACTERS) continue;
		if (ORIGINAL_MESSAGE.test(line) || isOutlookHeader(lines, index)) return index;
		if (isAttribution(lines, index) && !hasAnswersBetween(lines, index)) return index;
	}
	return marked;
}

/** Index of the first line of those at the end that are all marked, or the number of lines. */
function findTrailingMarks(lines: readonly string[]): number {
	let start = lines.length;
	for (let index = lines.length - 1; index >= 0; index--) {
		const line = lines[index] ?? "";
		if (isMarked(line)) start = index;
		else if (!isBlank(line)) break;
	}
	return start;
}

const isOutlookHeader = (lines: readonly string[], index: number): boolean =>
	OUTLOOK_FROM.test(lines[index]?.trim() ?? "") &&
	lines.slice(index + 1, index + 1 + OUTLOOK_LINES).some((line) => OUTLOOK_SENT.test(line.trim()));

/** Line that says who wrote what follows; mail programs break it in two. */
function isAttribution(lines: readonly string[], index: number): boolean {
	const line = lines[index]?.trim() ?? "";
	const next = lines[index + 1]?.trim() ?? "";
	return (
		ATTRIBUTION.test(line) || (next.length <= MAX_MARK_CHARACTERS && ATTRIBUTION.test(`${line} ${next}`))
	);
}

/** Checks for text of the sender after or between marked lines, up to the signature. */
function hasAnswersBetween(lines: readonly string[], start: number): boolean {
	const rest = lines.slice(start + 2);
	const signature = rest.findIndex((line) => /^-- ?$/u.test(line));
	const body = signature === -1 ? rest : rest.slice(0, signature);
	return (
		body.some(isMarked) &&
		body.slice(body.findIndex(isMarked)).some((line) => !isMarked(line) && !isBlank(line))
	);
}

/** Elements that mail programs put around earlier messages. Their attributes are looked through up to 500 characters. */
const HTML_HISTORY = [
	/<(?:div|blockquote)\b[^>]{0,500}\bclass\s*=\s*["']?[^"'>]{0,200}\b(?:gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote)\b/iu,
	/<blockquote\b[^>]{0,500}\btype\s*=\s*["']?cite/iu,
	/<(?:div|span|hr|a)\b[^>]{0,500}\b(?:id|name)\s*=\s*["']?(?:divRplyFwdMsg|appendonsend|stopSpelling|_MailOriginal|OLK_SRC_BODY_SECTION)/iu,
	/<div\b[^>]{0,500}\bborder:\s*none;\s*border-top:\s*solid #(?:E1E1E1|B5C4DF) 1\.0pt/iu,
];

/** Splits HTML where a mail program has put the earlier messages. */
export function splitHtml(html: string): SplitBody {
	const starts = HTML_HISTORY.map((pattern) => html.search(pattern)).filter((start) => start !== -1);
	const start = starts.reduce((one, other) => Math.min(one, other), html.length);
	return { newest: html.slice(0, start), quoted: html.slice(start) };
}
