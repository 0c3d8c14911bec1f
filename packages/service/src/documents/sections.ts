import type { Heading, ParsedDocument, TextBlock } from "./document-part";

/** The blocks under one heading path. */
export interface Section {
	/** Outermost first, without the document's title. */
	readonly headings: readonly string[];
	readonly blocks: readonly TextBlock[];
}

/** The document's title: its first top heading, else what it calls itself, else its file name. */
export function findTitle({ parts, title }: ParsedDocument, fileName: string): string {
	return findTopHeading(parts)?.text ?? title ?? fileName;
}

const findTopHeading = (parts: ParsedDocument["parts"]): Heading | undefined =>
	parts.find((part): part is Heading => part.kind === "heading" && part.level === 1);

/** Sorts the blocks under their headings. A heading with nothing below it counts as a block of the one above it. */
export function toSections({ parts }: ParsedDocument): Section[] {
	const sections: { headings: string[]; blocks: TextBlock[] }[] = [{ headings: [], blocks: [] }];
	const path: Heading[] = [];
	const titleHeading = findTopHeading(parts);
	const open = () => {
		const headings = path.filter((heading) => heading !== titleHeading).map(({ text }) => text);
		sections.push({ headings, blocks: [] });
	};
	for (const [index, part] of parts.entries()) {
		if (part.kind === "block") {
			sections.at(-1)?.blocks.push(part);
			continue;
		}
		while ((path.at(-1)?.level ?? 0) >= part.level) path.pop();
		const isEmpty = isBare(part, parts[index + 1]) && part !== titleHeading;
		if (!isEmpty) path.push(part);
		open();
		if (isEmpty) sections.at(-1)?.blocks.push(toBlock(part));
	}
	return joinNeighbours(sections.filter(({ blocks }) => blocks.length > 0));
}

const isBare = (heading: Heading, next: ParsedDocument["parts"][number] | undefined): boolean =>
	next === undefined || (next.kind === "heading" && next.level <= heading.level);

const toBlock = ({ text, start, end }: Heading): TextBlock => ({
	kind: "block",
	text,
	runs: [{ at: 0, length: text.length, start, end }],
	start,
	end,
});

/** Several headings in a row with nothing below them end up under the same path. */
function joinNeighbours(sections: readonly Section[]): Section[] {
	const joined: Section[] = [];
	for (const section of sections) {
		const last = joined.at(-1);
		if (last !== undefined && last.headings.join("\n") === section.headings.join("\n"))
			joined[joined.length - 1] = { headings: last.headings, blocks: [...last.blocks, ...section.blocks] };
		else joined.push(section);
	}
	return joined;
}
