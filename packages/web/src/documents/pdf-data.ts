/** Addresses of the fonts and character maps that PDF files may leave out, by the paths of their files. */
const ADDRESSES: Readonly<Record<string, string>> = import.meta.glob(
	["../../node_modules/pdfjs-dist/cmaps/*.bcmap", "../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}"],
	{ query: "?url", import: "default", eager: true },
);

const BY_NAME = new Map(
	Object.entries(ADDRESSES).map(([path, address]) => [path.slice(path.lastIndexOf("/") + 1), address]),
);

/** Fonts and character maps for PDF.js, from the service: a factory of its option `BinaryDataFactory`. */
export class PdfData {
	/** @throws Error for a file that is not of this build. */
	async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
		const address = BY_NAME.get(filename);
		const response = address === undefined ? undefined : await globalThis.fetch(address);
		if (!response?.ok) throw new Error(`PDF.js asks for ${filename}, which is not there.`);
		return new Uint8Array(await response.arrayBuffer());
	}
}
