import type { ParsedDocument } from "../../document-part";
import { UnreadableError } from "../../unreadable-error";
import { findChild, listChildren, listDescendants, parseXml } from "../../xml/xml-tree";
import { openZip, type ZipContainer } from "../../zip/open-zip";
import { findCoreTitle } from "../document-properties";
import type { OfficeBlock } from "../office-block";
import { findMainPart, listRelationships } from "../ooxml/relationships";
import { MAX_SLIDES, type SlideContent, toSlideDocument } from "../slides";
import { readShapes } from "./read-shapes";
import { toTextBlocks } from "./text-body";

/** Reads a PowerPoint file (OOXML): each slide with its title as heading, its text and tables, and its notes. */
export async function readPptx(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openZip(bytes);
	const slides: SlideContent[] = [];
	for (const part of await listSlides(zip)) slides.push(await readSlide(zip, part));
	return toSlideDocument(slides, await findCoreTitle(zip));
}

/** Names of the slides in the order in which they are shown. */
async function listSlides(zip: ZipContainer): Promise<string[]> {
	const main = await findMainPart(zip, "ppt/presentation.xml");
	const targets = new Map((await listRelationships(zip, main)).map(({ id, target }) => [id, target]));
	const list = findChild(parseXml(await zip.get(main)), "p:sldIdLst");
	const names = new Set(
		listChildren(list, "p:sldId").flatMap(({ attributes }) => targets.get(attributes["r:id"] ?? "") ?? []),
	);
	if (names.size > MAX_SLIDES)
		throw new UnreadableError(`it has more than ${MAX_SLIDES.toLocaleString("en")} slides`, {
			code: "too_complex",
		});
	return [...names];
}

async function readSlide(zip: ZipContainer, part: string): Promise<SlideContent> {
	const bytes = await zip.find(part);
	if (bytes === undefined) return { title: "", blocks: [], notes: [] };
	const related = await listRelationships(zip, part);
	const tree = findChild(findChild(parseXml(bytes), "p:cSld"), "p:spTree");
	const { title, blocks } = readShapes(tree);
	for (const { type, target } of related)
		if (type === "diagramData") blocks.push(...(await readDiagram(zip, target)));
	const notes = related.find(({ type }) => type === "notesSlide")?.target;
	return { title, blocks, notes: await readNotes(zip, notes) };
}

/** Text of a diagram (SmartArt), which is in a part of its own. */
async function readDiagram(zip: ZipContainer, part: string): Promise<OfficeBlock[]> {
	const bytes = await zip.find(part);
	if (bytes === undefined) return [];
	return listDescendants(parseXml(bytes), "dgm:t").flatMap((body) => toTextBlocks(body, "list"));
}

async function readNotes(zip: ZipContainer, part: string | undefined): Promise<OfficeBlock[]> {
	const bytes = part === undefined ? undefined : await zip.find(part);
	if (bytes === undefined) return [];
	const tree = findChild(findChild(parseXml(bytes), "p:cSld"), "p:spTree");
	return readShapes(tree, { ofNotes: true }).blocks;
}
