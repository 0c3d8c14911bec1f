import type { InlineContext, MarkdownConfig } from "@lezer/markdown";

/** Marks of one paragraph that can be emphasis, code or links; those after them are text. Finding their pairs is quadratic. */
const MAX_MARKS = 1_000;
const MARKS = new Set([..."*_~[]!`<&"].map((mark) => mark.charCodeAt(0)));
/** Places at which a parser of inline text can begin, but for addresses of mail: marks, line breaks, addresses of the web. */
const STOP = /[\\&`<*_![\]~]|(?<! ) {2,}\n|www\.|https?:\/\/|mailto:|xmpp:/g;
const MAIL_CHARACTER = /[\w.+-]/;

/** Scan of one paragraph. Offsets count in its text. */
interface Scan {
	readonly context: InlineContext;
	marks: number;
	/** Offset of the next stop. */
	stop: number;
	/** Word before the next `@`, which may be an address of mail, and the end of the `@`. */
	mailStart: number;
	mailEnd: number;
}

/**
 * Takes running text at once: otherwise each character is offered to each parser. Beyond {@link MAX_MARKS}, marks are text
 * too.
 */
export const inlineScan: MarkdownConfig = {
	parseInline: [{ name: "InlineScan", before: "Escape", parse: createParser() }],
};

function createParser(): (context: InlineContext, next: number, position: number) => number {
	let scan: Scan | undefined;
	return (context, next, position) => {
		if (scan?.context !== context) scan = { context, marks: 0, stop: -1, mailStart: -1, mailEnd: -1 };
		if (!MARKS.has(next)) return skipText(scan, position);
		scan.marks += 1;
		return scan.marks <= MAX_MARKS ? -1 : position + 1;
	};
}

/** End of the text at a position; -1 where there is none. */
function skipText(scan: Scan, position: number): number {
	const { text, offset } = scan.context;
	const start = position - offset;
	if (scan.stop < start) scan.stop = findStop(text, start);
	if (scan.mailEnd <= start) findMail(scan, text, start);
	const end = Math.min(scan.stop, scan.mailStart);
	return end > start ? offset + end : -1;
}

function findStop(text: string, start: number): number {
	STOP.lastIndex = start;
	return STOP.exec(text)?.index ?? text.length;
}

function findMail(scan: Scan, text: string, start: number): void {
	const at = text.indexOf("@", start);
	scan.mailEnd = at === -1 ? Number.POSITIVE_INFINITY : at + 1;
	scan.mailStart = at === -1 ? Number.POSITIVE_INFINITY : at;
	while (scan.mailStart > start && MAIL_CHARACTER.test(text[scan.mailStart - 1] ?? "")) scan.mailStart -= 1;
}
