import { readSentence, type Sentence } from "./sentence";
import { splitSentences } from "./split-sentences";
import { readTableRow, type TableRow } from "./table-row";

/** A passage as claims are compared with it. */
export interface Evidence {
	/** All of it, with the title of its document and its heading. */
	readonly whole: Sentence;
	/** Sentences and rows, each with what is around it: title, headings, the header of the table. */
	readonly windows: readonly Window[];
	/** Nouns have capital letters in its language, as in German: a capital letter makes no name. */
	readonly isNounCase: boolean;
}

/** A sentence that may support a claim. */
export interface Window extends Sentence {
	readonly context: Sentence;
	readonly row: TableRow | undefined;
}

/** Part of a passage that can support a claim. */
export interface EvidencePassage {
	readonly text: string;
	readonly title?: string;
	readonly place?: { readonly heading?: string };
}

/** A passage may be cited a thousand times, and long: it is read once. */
const knownEvidence = new WeakMap<EvidencePassage, Evidence>();
/** A passage with more sentences than this is compared as a whole. */
const MAX_SENTENCES = 200;
/** Words of German, which writes all nouns with a capital letter. */
const GERMAN_WORDS = "der die das und ist nicht ein eine den dem mit von werden wird im auf fur zu".split(
	" ",
);
const MIN_GERMAN_WORDS = 3;
/** Pronouns that begin a sentence which goes on with the one before. */
const PRONOUN = /^\s*(?:It|They|This|These|He|She|Es|Sie|Er|Dies\p{L}*|Il|Elle|Ils|Elles|Он|Она|Оно|Они)\s/u;

export function readEvidence(passage: EvidencePassage): Evidence {
	const known = knownEvidence.get(passage);
	if (known !== undefined) return known;
	const { title = "", place, text } = passage;
	const head = `${title}\n${place?.heading ?? ""}`;
	const whole = readSentence(`${head}\n${text}`);
	const parts = splitSentences(text);
	const evidence: Evidence = {
		whole,
		windows:
			parts.length > MAX_SENTENCES ? [{ ...whole, context: whole, row: undefined }] : toWindows(head, parts),
		isNounCase: isNounCase(whole),
	};
	knownEvidence.set(passage, evidence);
	return evidence;
}

const isNounCase = ({ words }: Sentence): boolean =>
	GERMAN_WORDS.filter((word) => words.has(word)).length >= MIN_GERMAN_WORDS;

/** Sentences with the lines that introduce them: a heading, the sentence before a list, the header of a table. */
function toWindows(head: string, parts: readonly string[]): Window[] {
	let introduction = "";
	let header = "";
	/** Text around each window; most share it. */
	const contexts = new Map<string, Sentence>();
	return parts.map((part, index) => {
		const isRow = /^\s*\|/.test(part);
		if (!isRow) header = "";
		else if (header === "") header = part;
		const previous = PRONOUN.test(part) ? (parts[index - 1] ?? "") : "";
		const around = [head, introduction, previous, header].join("\n");
		const context = contexts.get(around) ?? readSentence(around);
		contexts.set(around, context);
		if (/^\s*#|[:：]\s*$/.test(part)) introduction = part;
		return { ...readSentence(part), context, row: isRow ? readTableRow(part, header) : undefined };
	});
}
