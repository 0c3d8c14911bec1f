import type { ParsedDocument } from "../document-part";
import { isCodedTitle } from "./document-properties";
import type { OfficeBlock } from "./office-block";
import { toDocument } from "./to-document";

/** Content of a slide, of any format. */
export interface SlideContent {
	readonly title: string;
	readonly blocks: readonly OfficeBlock[];
	readonly notes: readonly OfficeBlock[];
}

export const MAX_SLIDES = 5_000;

/** Maximum length of a first line that is taken for the title that a slide does not have. */
const MAX_TITLE_CHARACTERS = 100;

/**
 * Makes a document of slides. Each has a heading of its own, so that no passage is of two slides: its title, else its first
 * line where that is short, else its number.
 *
 * @param title - from the properties of the file. Default: the title of the first slide that has one.
 */
export function toSlideDocument(slides: readonly SlideContent[], title?: string): ParsedDocument {
	const headings = new Set<string>();
	const blocks = slides.flatMap((content, index) => {
		const slide = index + 1;
		const { heading, rest } = splitHeading(content, slide);
		if (heading === undefined) return [];
		const unique = headings.has(heading) ? `${heading} (${slide})` : heading;
		headings.add(unique);
		// A heading alone would be joined with the slide before.
		const texts: OfficeBlock[] = rest.length === 0 ? [{ kind: "paragraph", text: heading }] : rest;
		const place = { kind: "slide", slide } as const;
		return [{ kind: "heading", level: 1, text: unique } as const, ...texts].map((block) => ({
			...block,
			place,
		}));
	});
	const isNamed = title !== undefined && !isCodedTitle(title);
	const document = toDocument(blocks, isNamed ? title : undefined, { isTitleInText: false });
	return isNamed
		? document
		: { ...document, title: slides.find((slide) => slide.title.trim() !== "")?.title };
}

function splitHeading({ title, blocks, notes }: SlideContent, slide: number) {
	const all = [...blocks, ...notes].filter((block) => block.kind === "table" || block.text.trim() !== "");
	if (title.trim() !== "") return { heading: title.replace(/\s+/gu, " ").trim(), rest: all };
	const [first, ...others] = all;
	if (first === undefined) return { rest: [] };
	const isLine = first.kind === "paragraph" && first.text.length <= MAX_TITLE_CHARACTERS;
	return isLine
		? { heading: first.text.replace(/\s+/gu, " ").trim(), rest: others }
		: { heading: `Slide ${slide}`, rest: all };
}
