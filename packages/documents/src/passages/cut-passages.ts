import type { ParsedDocument, TextBlock } from "../document-part";
import { joinPlaces } from "../original-place";
import type { Passage, SourceDocument } from "./passage";
import { toPassageId } from "./passage-id";
import { type PassageUnit, toUnits } from "./passage-units";
import { type Section, toSections } from "./sections";

/** Target length of a passage in words, and its maximum, which is exceeded only where a single sentence is longer. */
const TARGET_WORDS = 250;
const MAX_WORDS = 300;
/** Maximum length of a block that a line announces, such as a list, up to which it is not cut. */
const MAX_ANNOUNCED_WORDS = 400;
/** Maximum length of the lines that are repeated before a part of a block: a long header must not fill its passages. */
const MAX_LEAD_CHARACTERS = 500;

/**
 * Cuts a document into passages of about 200 to 300 words: what stands under one heading path is joined up to that
 * length, and only a block that is longer by itself is cut, at the ends of sentences or lines. What a line announces
 * may be longer: the parts of a list of four things answer no question about all four.
 */
export function cutPassages({ document_id, title, path }: SourceDocument, parsed: ParsedDocument): Passage[] {
	return cutContents(parsed).map(({ text, place }) => {
		const passage_id = toPassageId(document_id, place.start);
		return { passage_id, document_id, title, text, place, path };
	});
}

/** Part of a document as {@link cutPassages} cuts it, without what names the document. */
export interface CutContent extends Pick<Passage, "text" | "place"> {
	/** Words of its links, which its text need not have. */
	readonly linkWords: readonly string[];
}

/** Passages of a document without what names it. */
export function cutContents(parsed: ParsedDocument): CutContent[] {
	return toSections(parsed).flatMap((section) =>
		groupUnits(section.blocks.flatMap((block, index) => toLedUnits(block, section.blocks[index - 1]))).map(
			(units) => toContent(section, units),
		),
	);
}

/** Units of a block. A list or table that the block before it announces is not understood without it. */
function toLedUnits(block: TextBlock, previous: TextBlock | undefined): PassageUnit[] {
	if (previous === undefined || !isLeadIn(previous)) return toUnits(block, MAX_WORDS);
	const whole = toUnits(block, MAX_ANNOUNCED_WORDS);
	const units = whole.length === 1 ? whole : toUnits(block, MAX_WORDS);
	return units.map((unit) => ({ ...unit, lead: unit.lead ?? previous.text }));
}

/** Checks whether a text announces what comes after it. */
function isLeadIn({ text }: { readonly text: string }): boolean {
	if (text.length > MAX_LEAD_CHARACTERS) return false;
	const last = text.trimEnd().at(-1);
	return last === ":" || last === "：";
}

/** Spreads units evenly over passages. */
function groupUnits(units: readonly PassageUnit[]): PassageUnit[][] {
	const total = units.reduce((sum, { words }) => sum + words, 0);
	const target = total / Math.max(1, Math.ceil(total / MAX_WORDS), Math.round(total / TARGET_WORDS));
	const groups: PassageUnit[][] = [];
	let words = Number.POSITIVE_INFINITY;
	for (const unit of units) {
		if (words >= target || words + unit.words > toMaxWords(unit)) {
			const led = takeLeadIn(groups.at(-1), unit);
			groups.push(led);
			words = led.reduce((sum, leadIn) => sum + leadIn.words, 0);
		}
		groups.at(-1)?.push(unit);
		words += unit.words;
	}
	return groups;
}

/** Maximum length of a passage that ends with a unit. */
const toMaxWords = ({ words }: PassageUnit): number => (words > MAX_WORDS ? MAX_ANNOUNCED_WORDS : MAX_WORDS);

/** Takes what announces a unit out of the passage that it would be the end of, where both have room in one. */
function takeLeadIn(group: PassageUnit[] | undefined, unit: PassageUnit): PassageUnit[] {
	const last = group?.at(-1);
	if (group === undefined || last === undefined || group.length === 1) return [];
	if (!isLeadIn(last) || last.words + unit.words > toMaxWords(unit)) return [];
	return group.splice(-1);
}

function toContent({ headings }: Section, units: readonly PassageUnit[]): CutContent {
	const text = units.map(toPassageText).join("");
	const start = Math.min(...units.map((unit) => unit.start));
	const end = Math.max(...units.map((unit) => unit.end));
	const heading = headings.length === 0 ? {} : { heading: headings.join(" › ") };
	const place = { ...joinPlaces(units.flatMap(({ places }) => places)), ...heading, start, end };
	return { text, place, linkWords: [...new Set(units.flatMap(({ linkWords }) => linkWords))] };
}

function toPassageText({ text, separator, lead }: PassageUnit, index: number): string {
	if (index > 0) return separator + text;
	return lead === undefined ? text : `${lead.slice(0, MAX_LEAD_CHARACTERS)}\n${text}`;
}
