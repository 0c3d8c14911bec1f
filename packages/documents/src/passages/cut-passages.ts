import type { ParsedDocument } from "../document-part";
import type { Passage, SourceDocument } from "./passage";
import { toPassageId } from "./passage-id";
import { type PassageUnit, toUnits } from "./passage-units";
import { type Section, toSections } from "./sections";

/** Target length of a passage in words, and its maximum, which is exceeded only where a single sentence is longer. */
const TARGET_WORDS = 250;
const MAX_WORDS = 300;

/**
 * Cuts a document into passages of about 200 to 300 words: what stands under one heading path is joined up to that
 * length, and only a block that is longer by itself is cut, at the ends of sentences or lines.
 */
export function cutPassages(document: SourceDocument, parsed: ParsedDocument): Passage[] {
	return toSections(parsed).flatMap((section) =>
		groupUnits(section.blocks.flatMap((block) => toUnits(block, MAX_WORDS))).map((units) =>
			toPassage(document, section, units),
		),
	);
}

/** Spreads units evenly over passages. */
function groupUnits(units: readonly PassageUnit[]): PassageUnit[][] {
	const total = units.reduce((sum, { words }) => sum + words, 0);
	const target = total / Math.max(1, Math.ceil(total / MAX_WORDS), Math.round(total / TARGET_WORDS));
	const groups: PassageUnit[][] = [];
	let words = Number.POSITIVE_INFINITY;
	for (const unit of units) {
		if (words >= target || words + unit.words > MAX_WORDS) {
			groups.push([]);
			words = 0;
		}
		groups.at(-1)?.push(unit);
		words += unit.words;
	}
	return groups;
}

function toPassage(document: SourceDocument, { headings }: Section, units: readonly PassageUnit[]): Passage {
	const { document_id, title, path } = document;
	const text = units.map(({ text, separator }, index) => (index === 0 ? text : separator + text)).join("");
	const start = Math.min(...units.map((unit) => unit.start));
	const end = Math.max(...units.map((unit) => unit.end));
	const heading = headings.length === 0 ? {} : { heading: headings.join(" › ") };
	const place = { ...heading, start, end };
	return { passage_id: toPassageId(document_id, start), document_id, title, text, place, path };
}
