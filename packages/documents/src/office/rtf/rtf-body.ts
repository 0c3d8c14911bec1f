import type { OfficeBlock, OfficeCell, OfficeRow } from "../office-block";

/** Cell of a row as it is defined before the row. */
interface CellDefinition {
	readonly continuesAbove: boolean;
	readonly continuesLeft: boolean;
}

/** Properties of a paragraph when it ends. */
export interface RtfParagraph {
	readonly headingLevel: number | undefined;
	readonly isInTable: boolean;
	/** Level in a list, from 0; none outside of lists. */
	readonly listLevel: number | undefined;
	/** Number or bullet that the file has for it. */
	readonly mark: string;
}

/** Paragraphs and rows of an RTF file as they end, one after the other. */
export class RtfBody {
	readonly #blocks: OfficeBlock[] = [];
	#text = "";
	#notes: string[] = [];
	#cells: string[] = [];
	#rows: OfficeRow[] = [];
	#definitions: CellDefinition[] = [];
	#next: CellDefinition = { continuesAbove: false, continuesLeft: false };
	#isHeader = false;

	addText(text: string): void {
		this.#text += text;
	}

	addNote(text: string): void {
		if (text.trim() !== "") this.#notes.push(text.trim());
	}

	endParagraph(paragraph: RtfParagraph): void {
		if (paragraph.isInTable) {
			this.#text += "\n";
			return;
		}
		this.#endTable();
		const text = this.#text;
		this.#text = "";
		const { headingLevel, listLevel, mark } = paragraph;
		if (headingLevel !== undefined)
			this.#blocks.push({
				kind: "heading",
				level: headingLevel,
				text: /\d/u.test(mark) ? `${mark} ${text}` : text,
			});
		else if (mark !== "" || listLevel !== undefined)
			this.#blocks.push({ kind: "item", level: listLevel ?? 0, mark: toMark(mark), text });
		else this.#blocks.push({ kind: "paragraph", text });
		this.#addNotes();
	}

	endCell(): void {
		this.#cells.push(this.#text.trim());
		this.#text = "";
	}

	/** Starts the definition of a row; rows without one are like the row before. */
	startRow(): void {
		this.#definitions = [];
		this.#isHeader = false;
	}

	markHeader(): void {
		this.#isHeader = true;
	}

	mergeCell(merge: Partial<CellDefinition>): void {
		this.#next = { ...this.#next, ...merge };
	}

	/** Ends the definition of a cell. */
	defineCell(): void {
		this.#definitions.push(this.#next);
		this.#next = { continuesAbove: false, continuesLeft: false };
	}

	endRow(): void {
		if (this.#cells.length === 0) return;
		const cells: OfficeCell[] = [];
		for (const [index, text] of this.#cells.entries()) {
			const { continuesAbove = false, continuesLeft = false } = this.#definitions[index] ?? {};
			const last = cells.at(-1);
			if (continuesLeft && last !== undefined)
				cells[cells.length - 1] = { ...last, columns: last.columns + 1 };
			else cells.push({ text, columns: 1, continuesAbove });
		}
		this.#rows.push({ cells, isHeader: this.#isHeader });
		this.#cells = [];
	}

	finish(paragraph: RtfParagraph): OfficeBlock[] {
		if (this.#text.trim() !== "") this.endParagraph({ ...paragraph, isInTable: false });
		this.#endTable();
		this.#addNotes();
		return this.#blocks;
	}

	#endTable(): void {
		// A file that ends within a row, or a paragraph after its last cell.
		if (this.#cells.length > 0) this.endRow();
		const rows = this.#rows;
		this.#rows = [];
		if (rows.length === 0) return;
		if (rows.some(({ cells }) => cells.length > 1)) this.#blocks.push({ kind: "table", rows });
		else for (const { cells } of rows) this.#blocks.push({ kind: "paragraph", text: cells[0]?.text ?? "" });
		this.#addNotes();
	}

	#addNotes(): void {
		for (const note of this.#notes) this.#blocks.push({ kind: "paragraph", text: `* ${note}` });
		this.#notes = [];
	}
}

/** Bullets are characters of symbol fonts. */
const toMark = (mark: string): string => (/[\p{L}\p{N}]/u.test(mark) ? mark : "-");
