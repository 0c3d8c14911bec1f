import { type FileContent, sizeOf } from "./upload-content";
import type { UploadPart, UploadParts } from "./upload-request";

/** A piece of the form: a file, or the text between files. */
export type MultipartContent = Pick<UploadPart, "content" | "field">;

/** `multipart/form-data` as the HTML standard encodes it, part after part. */
export function toMultipart({ files, fields }: UploadParts, boundary: string): readonly MultipartContent[] {
	const encoder = new TextEncoder();
	const text = (content: string): MultipartContent => ({ content: encoder.encode(content), field: "form" });
	const head = (disposition: string): string =>
		`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
	return [
		...files.flatMap(({ name, content, field }) => [
			text(`${head(`name="file"; filename="${escapeName(name)}"`)}content-type: ${typeOf(content)}\r\n\r\n`),
			{ content, field },
			text("\r\n"),
		]),
		...fields.map(([name, value]) =>
			text(`${head(`name="${name}"`)}\r\n${value.replace(/\r\n?|\n/g, "\r\n")}\r\n`),
		),
		text(`--${boundary}--\r\n`),
	];
}

const ESCAPED: Readonly<Record<string, string>> = { '"': "%22", "\r": "%0D", "\n": "%0A" };

const escapeName = (name: string): string =>
	name.replace(/["\r\n]/g, (character) => ESCAPED[character] ?? "");

const typeOf = (content: FileContent): string =>
	("type" in content ? content.type : "") || "application/octet-stream";

/** Sums the sizes of all parts, in bytes; `undefined` where a part has no known size. */
export function sumSizes(contents: readonly MultipartContent[]): number | undefined {
	let sum = 0;
	for (const { content } of contents) {
		const size = sizeOf(content);
		if (size === undefined) return undefined;
		sum += size;
	}
	return sum;
}
