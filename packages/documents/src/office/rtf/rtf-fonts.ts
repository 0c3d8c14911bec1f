import { DEFAULT_RTF_ENCODING, findCharsetEncoding, findCodepageEncoding } from "./rtf-charsets";

/** Fonts of an RTF file, which say in which encoding the text is. */
export class RtfFonts {
	readonly #encodings = new Map<number, string>();
	#codepage = DEFAULT_RTF_ENCODING;
	#default: number | undefined;
	/** Font that is being defined. */
	#current = 0;

	setCodepage(codepage: number | undefined): void {
		this.#codepage = findCodepageEncoding(codepage) ?? this.#codepage;
	}

	setDefault(font: number | undefined): void {
		this.#default = font;
	}

	/** A word in the table of fonts. */
	define(word: string, value: number | undefined): void {
		if (word === "f") this.#current = value ?? 0;
		const encoding = word === "fcharset" ? findCharsetEncoding(value) : undefined;
		const own = word === "cpg" ? findCodepageEncoding(value) : encoding;
		if (own !== undefined) this.#encodings.set(this.#current, own);
	}

	findEncoding(font = this.#default): string {
		return this.#encodings.get(font ?? -1) ?? this.#codepage;
	}
}
