/** File that a reader may not expect, and what has to come of it. */
export interface OddFile {
	readonly name: string;
	readonly bytes: Uint8Array;
	/** Text that its passages have, or the code with which it fails. */
	readonly outcome: Text | Code;
}

interface Text {
	readonly text: string;
}

interface Code {
	readonly code: "needs_ocr" | "no_text" | "password_protected" | "too_complex" | "unreadable";
}

/** Text of the files, unless they are about something else. It has letters that encodings differ in. */
export const SENTENCE = "A parcel to Köln costs 4 €.";
export const SAYS: Text = { text: SENTENCE };
export const NO_TEXT: Code = { code: "no_text" };
export const UNREADABLE: Code = { code: "unreadable" };
export const PASSWORD_PROTECTED: Code = { code: "password_protected" };
export const TOO_COMPLEX: Code = { code: "too_complex" };
export const NEEDS_OCR: Code = { code: "needs_ocr" };

/** A file by what is odd about it: `<format>/<oddity>.<extension>`. */
export const toOddFile = (
	extension: string,
	oddity: string,
	content: string | Uint8Array,
	outcome: OddFile["outcome"] = SAYS,
): OddFile => ({ name: `${extension}/${oddity}.${extension}`, bytes: Buffer.from(content), outcome });

/** Oddities by name: the content, and what comes of it where that is not {@link SENTENCE}. */
export type Oddities = Readonly<
	Record<string, string | Uint8Array | readonly [content: string | Uint8Array, outcome: OddFile["outcome"]]>
>;

export const toOddFiles = (extension: string, oddities: Oddities): readonly OddFile[] =>
	Object.entries(oddities).map(([oddity, described]) =>
		typeof described === "string" || described instanceof Uint8Array
			? toOddFile(extension, oddity, described)
			: toOddFile(extension, oddity, ...described),
	);
