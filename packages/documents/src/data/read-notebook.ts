import type { ParsedDocument } from "../document-part";
import { readMarkdown } from "../markdown/read-markdown";
import { createTextExtraction, type TextExtraction } from "../text-extraction";
import { UnreadableError } from "../unreadable-error";
import { readJson } from "./read-json";

type Fields = Readonly<Record<string, unknown>>;

/** Escape sequences with which terminals are given colors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with the character Escape.
const COLORS = /\u001B\[[0-9;]*m/gu;
/** Maximum length of the text of one output; a longer one is cut. */
const MAX_CELL_OUTPUT_CHARACTERS = 20_000;

/**
 * Reads a Jupyter notebook: the Markdown, code and text outputs of its cells, each with the number of its cell as its place.
 * JSON that is no notebook is read as JSON.
 */
export function readNotebook(source: string): ParsedDocument {
	const notebook = toFields(parse(source));
	const cells = listCells(notebook);
	if (cells === undefined) return readJson(source);
	const extraction = createTextExtraction();
	for (const [index, cell] of cells.entries()) addCell(extraction, toFields(cell), `cell ${index + 1}`);
	const { title } = toFields(notebook.metadata);
	return extraction.finish(typeof title === "string" ? title : undefined);
}

function parse(source: string): unknown {
	try {
		return JSON.parse(source);
	} catch (error) {
		throw new UnreadableError("it is not valid JSON", { cause: error });
	}
}

const toFields = (value: unknown): Fields =>
	typeof value === "object" && value !== null ? { ...value } : {};

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Cells of a notebook; until version 3 of the format they were in worksheets. */
function listCells({ cells, worksheets }: Fields): readonly unknown[] | undefined {
	if (Array.isArray(cells)) return cells;
	if (!Array.isArray(worksheets)) return undefined;
	return worksheets.flatMap((sheet) => toList(toFields(sheet).cells));
}

/** Text that is stored as a whole or as lines. */
const toText = (value: unknown): string =>
	typeof value === "string"
		? value
		: toList(value)
				.filter((line) => typeof line === "string")
				.join("");

function addCell(extraction: TextExtraction, cell: Fields, part: string): void {
	const place = { kind: "part", part } as const;
	const source = toText(cell.source ?? cell.input);
	if (cell.cell_type === "markdown") return extraction.addParts(readMarkdown(source).parts, place, 0);
	const { level } = cell;
	if (cell.cell_type === "heading")
		return extraction.addHeading(typeof level === "number" ? level : 1, { text: source, place });
	const texts = [source, ...toList(cell.outputs).map((output) => toOutputText(toFields(output)))];
	for (const text of texts) if (text.trim() !== "") extraction.addBlock([{ text, place }]);
}

/** Text of an output: what was printed, a value as text, or an error by its name. Pictures and pages have none. */
function toOutputText(output: Fields): string {
	const { "text/markdown": markdown, "text/plain": plain } = toFields(output.data);
	const error = output.output_type === "error" || output.output_type === "pyerr";
	const text = error
		? `${toText(output.ename)}: ${toText(output.evalue)}`
		: toText(output.text ?? markdown ?? plain);
	return text.replace(COLORS, "").slice(0, MAX_CELL_OUTPUT_CHARACTERS);
}
