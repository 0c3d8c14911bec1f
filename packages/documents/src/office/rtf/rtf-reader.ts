import { nestingError } from "../../unreadable-error";
import type { OfficeBlock } from "../office-block";
import { RtfBody, type RtfParagraph } from "./rtf-body";
import { createRtfDecoder } from "./rtf-decoder";
import { RtfFonts } from "./rtf-fonts";
import { type RtfStyle, toHeadingLevel } from "./rtf-styles";
import type { RtfToken } from "./rtf-tokens";
import { CHARACTERS, DESTINATIONS, OPTIONAL_TEXT, type RtfDestination, SYMBOLS } from "./rtf-words";

/** Codepage of files of old Macs (`\mac`). */
const MAC_CODEPAGE = 10_000;
/** Maximum depth of groups. */
export const MAX_RTF_DEPTH = 1_000;

/** Properties that end with the group in which they were set. */
interface RtfGroup {
	destination: RtfDestination;
	isHidden: boolean;
	font: number | undefined;
	/** Number of characters after `\u` that are for readers that do not know it. */
	fallbackLength: number;
	style: number | undefined;
	outline: number | undefined;
	isInTable: boolean;
	listLevel: number | undefined;
}

const START: RtfGroup = {
	destination: "text",
	isHidden: false,
	font: undefined,
	fallbackLength: 1,
	style: undefined,
	outline: undefined,
	isInTable: false,
	listLevel: undefined,
};

/** Reads the tokens of an RTF file, one after the other. */
export class RtfReader {
	readonly #body = new RtfBody();
	readonly #fonts = new RtfFonts();
	readonly #styles = new Map<number, RtfStyle>();
	readonly #decoder = createRtfDecoder((text) => this.#addText(text));
	readonly #groups: RtfGroup[] = [];
	#group: RtfGroup = { ...START };
	#title = "";
	#mark = "";
	#note = "";
	/** Characters to skip after `\u`. */
	#skipped = 0;
	/** Set after `\*`: the group is for those who know its word. */
	#isOptional = false;

	read(token: RtfToken): void {
		if (token.kind === "text") return this.#readText(token.text);
		if (token.kind === "symbol") return this.#readSymbol(token.symbol);
		if (token.kind === "word" && token.name === "u") return this.#readUnicode(token.value ?? 0);
		this.#decoder.flush();
		if (token.kind === "open") this.#open();
		else if (token.kind === "close") this.#close();
		else this.#readWord(token.name, token.value);
	}

	finish(): { blocks: OfficeBlock[]; title: string } {
		this.#decoder.flush();
		return { blocks: this.#body.finish(this.#toParagraph()), title: this.#title.trim() };
	}

	#readText(text: string): void {
		const rest = text.slice(this.#skipped);
		this.#skipped -= text.length - rest.length;
		if (rest !== "") this.#decoder.add(rest, this.#fonts.findEncoding(this.#group.font));
	}

	#readSymbol(symbol: string): void {
		if (symbol === "*") {
			this.#isOptional = true;
			return;
		}
		this.#decoder.flush();
		if (this.#skipped > 0) this.#skipped -= 1;
		else if (symbol === "\n" || symbol === "\r") this.#endParagraph();
		else this.#addText(SYMBOLS[symbol] ?? "");
	}

	#readUnicode(value: number): void {
		this.#decoder.flush();
		const code = value & 0xffff;
		// Symbol fonts have their characters in the private area.
		this.#addText(code >= 0xe000 && code <= 0xf8ff ? "•" : String.fromCharCode(code));
		this.#skipped = this.#group.fallbackLength;
	}

	#open(): void {
		if (this.#groups.length >= MAX_RTF_DEPTH) throw nestingError("groups");
		this.#groups.push(this.#group);
		this.#group = { ...this.#group };
		this.#skipped = 0;
		this.#isOptional = false;
	}

	#close(): void {
		const { destination } = this.#group;
		this.#group = this.#groups.pop() ?? this.#group;
		this.#skipped = 0;
		if (destination === "note" && this.#group.destination !== "note") {
			this.#body.addNote(this.#note);
			this.#note = "";
		}
	}

	#readWord(name: string, value: number | undefined): void {
		const isOptional = this.#isOptional;
		this.#isOptional = false;
		const { destination } = this.#group;
		const own = DESTINATIONS.get(name) ?? (isOptional && !OPTIONAL_TEXT.has(name) ? "nowhere" : undefined);
		// Titles are in the file's properties, Unicode beside its fallback.
		const isFound = destination !== "nowhere" || own === "title" || name === "ud";
		if (own !== undefined && isFound) this.#group.destination = own;
		else if (destination === "fonts") this.#fonts.define(name, value);
		else if (destination === "styles") this.#defineStyle(name, value);
		else if (CHARACTERS[name] !== undefined) this.#addText(CHARACTERS[name]);
		else if (!this.#setCharacters(name, value) && destination === "text") {
			this.#setParagraph(name, value);
			this.#setTable(name);
		}
	}

	#defineStyle(name: string, value = 0): void {
		if (name === "s") {
			this.#group.style = value;
			this.#styles.set(value, { name: "", outline: undefined });
		}
		const style = this.#styles.get(this.#group.style ?? -1);
		if (name === "outlinelevel" && style !== undefined) style.outline = value;
	}

	/** @returns false for a word that says nothing about characters. */
	#setCharacters(name: string, value: number | undefined): boolean {
		switch (name) {
			case "ansicpg":
				this.#fonts.setCodepage(value);
				return true;
			case "mac":
				this.#fonts.setCodepage(MAC_CODEPAGE);
				return true;
			case "deff":
				this.#fonts.setDefault(value);
				return true;
			case "f":
				this.#group.font = value;
				return true;
			case "uc":
				this.#group.fallbackLength = Math.min(Math.max(value ?? 1, 0), 100);
				return true;
			case "v":
			case "deleted":
				this.#group.isHidden = value !== 0;
				return true;
			case "plain":
				this.#group.isHidden = false;
				this.#group.font = undefined;
				return true;
			default:
				return false;
		}
	}

	#setParagraph(name: string, value: number | undefined): void {
		const group = this.#group;
		if (name === "par" || name === "sect") this.#endParagraph();
		else if (name === "s") group.style = value;
		else if (name === "outlinelevel") group.outline = value;
		else if (name === "intbl") group.isInTable = true;
		else if (name === "ls") group.listLevel ??= 0;
		else if (name === "ilvl") group.listLevel = Math.min(Math.max(value ?? 0, 0), 8);
		else if (name === "pard") {
			const { style, outline, isInTable, listLevel } = START;
			this.#group = { ...group, style, outline, isInTable, listLevel };
		}
	}

	#setTable(name: string): void {
		if (name === "cell") {
			this.#body.endCell();
			this.#mark = "";
		} else if (name === "row") this.#body.endRow();
		else if (name === "trowd") this.#body.startRow();
		else if (name === "trhdr") this.#body.markHeader();
		else if (name === "cellx") this.#body.defineCell();
		else if (name === "clvmrg") this.#body.mergeCell({ continuesAbove: true });
		else if (name === "clmrg") this.#body.mergeCell({ continuesLeft: true });
	}

	#addText(text: string): void {
		const { destination, isHidden, style } = this.#group;
		if (destination === "title") this.#title += text;
		else if (destination === "mark") this.#mark += text;
		else if (destination === "note") this.#note += isHidden ? "" : text;
		else if (destination === "styles") {
			const named = this.#styles.get(style ?? -1);
			if (named !== undefined) named.name += text.replace(";", "");
		} else if (destination === "text" && !isHidden) this.#body.addText(text);
	}

	#endParagraph(): void {
		if (this.#group.destination === "note") this.#note += " ";
		if (this.#group.destination !== "text") return;
		this.#body.endParagraph(this.#toParagraph());
		this.#mark = "";
	}

	#toParagraph(): RtfParagraph {
		const { style, outline, isInTable, listLevel } = this.#group;
		const headingLevel = toHeadingLevel(this.#styles.get(style ?? -1), outline);
		return { headingLevel, isInTable, listLevel, mark: this.#mark.trim() };
	}
}
