import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CFB, read, utils } from "@e965/xlsx";
import type { PageBox, Place } from "@stemma/core";
import { expect, it } from "vitest";
import { findFormat } from "../document-format";
import { readDocument } from "../read-document";
import { createRandom, makePlaceFiles, type PlaceFile } from "../test-support/place-files";

/** Tool with PDFium, which has dependencies of its own. */
const tool = fileURLToPath(new URL("../../../../tools/places/", import.meta.url));
const isInstalled = existsSync(join(tool, "node_modules"));

interface OpenedPdf {
	read(box: PageBox): string;
	close(): void;
}
interface PdfText {
	openPdf(bytes: Uint8Array): OpenedPdf;
}

const DRAWN = 100;
/** Share of a passage's words that the place has, in files that other programs made. Headers of tables repeat elsewhere. */
const MIN_SHARE = 0.75;

/** Text at a place of the original, by another library than the reader's. */
type ReadPlace = (place: Place) => string;

const squeeze = (text: string): string =>
	text.normalize("NFKC").replace(/[\s\p{Cc}\p{Cf}\p{Pd}\ufffe]/gu, "");

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];

/** Text of XML, with what it says of pictures. */
const stripTags = (xml: string): string =>
	xml
		.replace(/<[^>]*>/g, (tag) => ` ${/ descr="([^"]*)"/.exec(tag)?.[1] ?? ""} `)
		.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
		.replaceAll("&amp;", "&");

function openTable(bytes: Uint8Array): ReadPlace {
	const book = read(bytes, { type: "buffer", cellDates: false });
	return ({ sheet = book.SheetNames[0] ?? "", cells = "" }) => {
		const { s, e } = utils.decode_range(cells);
		const found: string[] = [];
		for (let r = s.r; r <= e.r; r++)
			for (let c = s.c; c <= e.c; c++) {
				const cell: unknown = book.Sheets[sheet]?.[utils.encode_cell({ r, c })];
				if (typeof cell === "object" && cell !== null) found.push(utils.format_cell(cell as never));
			}
		return found.join(" ");
	};
}

interface ZippedParts {
	readonly paths: readonly string[];
	readPart(path: string): string;
}

function openZipped(bytes: Uint8Array): ZippedParts {
	const container = CFB.read(Buffer.from(bytes), { type: "buffer" });
	return {
		paths: container.FullPaths.map((path: string) => path.replace(/^Root Entry\//, "")),
		readPart: (path) => Buffer.from(CFB.find(container, `/${path}`)?.content ?? []).toString(),
	};
}

const toName = (path: string): string | undefined =>
	path
		.split("/")
		.at(-1)
		?.replace(/\.x?html$/, "");

/** Chapters by their title in the table of contents, else by the name of their file. */
function openBook(bytes: Uint8Array): ReadPlace {
	const { paths, readPart } = openZipped(bytes);
	const contents = paths.filter((path) => /(?:toc|nav)[^/]*\.x?html$/i.test(path)).map(readPart);
	const links = [...contents.join("").matchAll(/<a [^>]*href="([^"#]+)[^"]*"[^>]*>(.*?)<\/a>/gs)];
	return ({ chapter = "" }) => {
		const link = links.find(([, , title = ""]) => squeeze(stripTags(title)) === squeeze(chapter));
		const name = toName(link?.[1] ?? chapter);
		return stripTags(readPart(paths.find((path) => toName(path) === name) ?? ""));
	};
}

function openSlides(bytes: Uint8Array): ReadPlace {
	const { readPart } = openZipped(bytes);
	const ids = [...readPart("ppt/presentation.xml").matchAll(/<p:sldId [^>]*r:id="([^"]+)"/g)];
	const links = readPart("ppt/_rels/presentation.xml.rels");
	return ({ slide = 0 }) => {
		const [link = ""] = new RegExp(`<Relationship [^>]*Id="${ids[slide - 1]?.[1]}"[^>]*>`).exec(links) ?? [];
		const [, target = ""] = /Target="\/?(?:ppt\/)?([^"]+)"/.exec(link) ?? [];
		const notes = readPart(`ppt/slides/_rels/${target.split("/").at(-1)}.rels`);
		const [, notesTarget = ""] = /Target="\.\.\/(notesSlides\/[^"]+)"/.exec(notes) ?? [];
		return stripTags(readPart(`ppt/${target}`)) + stripTags(readPart(`ppt/${notesTarget}`));
	};
}

const toPlaceReader = ({ format, bytes }: PlaceFile, { openPdf }: PdfText): ReadPlace | undefined => {
	switch (format) {
		case "pdf": {
			const pdf = openPdf(bytes);
			return ({ boxes = [] }) => boxes.map((box) => pdf.read(box)).join(" ");
		}
		case "xlsx":
		case "ods":
		case "csv":
			return openTable(bytes);
		case "pptx":
			return openSlides(bytes);
		case "epub":
			return openBook(bytes);
		case "markdown":
			return ({ start, end }) => bytes.toString().slice(start, end);
		default:
			return undefined;
	}
};

const listFiles = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));

/** Files of other programs, where `STEMMA_DATA` names a folder with some. */
const readSharedFiles = (): PlaceFile[] =>
	(process.env.STEMMA_DATA === undefined
		? []
		: listFiles(join(process.env.STEMMA_DATA, "folder-mixed"))
	).flatMap((name) => {
		const format = findFormat(name)?.apiName;
		const isPlaced = /^\.(?:pdf|xlsx|ods|pptx|epub)$/.test(extname(name));
		return format !== undefined && isPlaced ? [{ name, format, bytes: readFileSync(name) }] : [];
	});

interface PlacedPassage {
	readonly name: string;
	readonly format: string;
	readonly place: Place;
	readonly text: string;
	readonly readPlace: ReadPlace;
}

async function readPassages(file: PlaceFile, pdf: PdfText): Promise<PlacedPassage[]> {
	const readPlace = toPlaceReader(file, pdf);
	if (readPlace === undefined) return [];
	const { bytes, format, name } = file;
	const { passages } = await readDocument({ bytes, format, fileName: name, source: null });
	return passages.map(({ place, text }) => ({ name, format, place, text, readPlace }));
}

/** Draws passages, as many of each format as of the others where there are enough. */
function draw(passages: readonly PlacedPassage[], random: () => number): PlacedPassage[] {
	const byFormat = Object.values(Object.groupBy(passages, ({ format }) => format));
	const shuffled = byFormat.map((list = []) =>
		list.map((passage) => ({ passage, at: random() })).sort((one, other) => one.at - other.at),
	);
	const drawn: PlacedPassage[] = [];
	for (let index = 0; drawn.length < DRAWN && shuffled.some((list) => index < list.length); index++)
		drawn.push(...shuffled.flatMap((list) => list[index]?.passage ?? []));
	return drawn.slice(0, DRAWN);
}

/** Share of a passage's words that are at its place. */
function shareAtPlace({ text, place, readPlace }: PlacedPassage): number {
	const there = squeeze(readPlace(place));
	const words = wordsOf(text);
	const found = words.filter((word) => there.includes(squeeze(word)));
	return words.length === 0 ? 1 : found.length / words.length;
}

async function drawFrom(toFiles: (random: () => number) => Promise<readonly PlaceFile[]>) {
	const seed = Number(process.env.STEMMA_SEED ?? 1);
	const random = createRandom(seed);
	const pdf = (await import(join(tool, "programs/pdf-text.mjs"))) as PdfText;
	const passages: PlacedPassage[] = [];
	for (const file of await toFiles(random)) passages.push(...(await readPassages(file, pdf)));
	return { seed, drawn: draw(passages, random) };
}

const describePassage = ({ name, place, text, readPlace }: PlacedPassage): object => ({
	...{ name, place, text: text.slice(0, 300), there: readPlace(place).slice(0, 300) },
});

it.skipIf(!isInstalled)(
	"100 passages drawn at random are where their places say, by other libraries",
	async () => {
		const { seed, drawn } = await drawFrom(makePlaceFiles);
		expect(drawn).toHaveLength(DRAWN);
		expect(new Set(drawn.map(({ format }) => format)).size).toBe(7);
		for (const passage of drawn) {
			const label = `seed ${seed}: ${JSON.stringify(describePassage(passage))}`;
			const { place, text, readPlace, format } = passage;
			// The header of a table is in each of its passages, and at the place of the first alone.
			const isTable = place.cells !== undefined;
			const own = isTable ? text.split("\n").slice(1).join("\n") : text;
			const there = readPlace(place);
			expect(shareAtPlace({ ...passage, text: own }), label).toBe(1);
			// Slides and chapters are places for several passages.
			if (format === "pptx" || format === "epub") continue;
			const more = wordsOf(there).filter((word) => !squeeze(text).includes(squeeze(word)));
			expect(more, label).toEqual([]);
		}
	},
);

it.skipIf(!isInstalled || process.env.STEMMA_DATA === undefined)(
	"100 passages of files that other programs made are where their places say",
	async () => {
		const { seed, drawn } = await drawFrom(async () => readSharedFiles());
		const wrong = drawn.filter((passage) => shareAtPlace(passage) < MIN_SHARE).map(describePassage);
		expect(wrong, `seed ${seed}`).toEqual([]);
	},
	600_000,
);
