import type { Heading, ParsedDocument, TextBlock } from "../document-part";

/** The blocks under one heading path. */
export interface Section {
	/** Outermost first, without the document's title. */
	readonly headings: readonly string[];
	readonly blocks: readonly TextBlock[];
}

/** Characters of a title or a heading: each passage has its own copy of the headings above it. */
const MAX_HEADING_CHARACTERS = 300;

const shorten = (text: string): string =>
	text.length <= MAX_HEADING_CHARACTERS ? text : `${text.slice(0, MAX_HEADING_CHARACTERS).trimEnd()}…`;

/** The document's title: its first top heading, else what it calls itself, else its file name. */
export function findTitle({ parts, title }: ParsedDocument, fileName: string): string {
	return shorten(findTopHeading(parts)?.text ?? title ?? fileName);
}

const findTopHeading = (parts: ParsedDocument["parts"]): Heading | undefined =>
	parts.find((part): part is Heading => part.kind === "heading" && part.level === 1);

/** Sorts the blocks under their headings. A heading with nothing below it counts as a block of the one above it. */
export function toSections({ parts }: ParsedDocument): Section[] {
	const sections: { headings: string[]; blocks: TextBlock[] }[] = [{ headings: [], blocks: [] }];
	const path: Heading[] = [];
	const titleHeading = findTopHeading(parts);
	const openSection = () => {
		const headings = path.filter((heading) => heading !== titleHeading).map(({ text }) => shorten(text));
		sections.push({ headings, blocks: [] });
	};
	for (const [index, part] of parts.entries()) {
		if (part.kind === "block") {
			sections.at(-1)?.blocks.push(part);
			continue;
		}
		while ((path.at(-1)?.level ?? 0) >= part.level) path.pop();
		const isEmpty = isEmptyHeading(part, parts[index + 1]) && part !== titleHeading;
		if (!isEmpty) path.push(part);
		openSection();
		if (isEmpty) sections.at(-1)?.blocks.push(toBlock(part));
	}
	return mergeAdjacent(sections.filter(({ blocks }) => blocks.length > 0));
}

const isEmptyHeading = (heading: Heading, next: ParsedDocument["parts"][number] | undefined): boolean =>
	next === undefined || (next.kind === "heading" && next.level <= heading.level);

const toBlock = ({ text, place, start, end }: Heading): TextBlock => ({
	kind: "block",
	text,
	runs: [{ offset: 0, length: text.length, start, end, place }],
	start,
	end,
});

/** Several headings in a row with nothing below them end up under the same path. */
function mergeAdjacent(sections: readonly Section[]): Section[] {
	const joined: { headings: readonly string[]; blocks: TextBlock[] }[] = [];
	for (const { headings, blocks } of sections) {
		const last = joined.at(-1);
		if (last === undefined || last.headings.join("\n") !== headings.join("\n"))
			joined.push({ headings, blocks: [...blocks] });
		else for (const block of blocks) last.blocks.push(block);
	}
	return joined;
}
