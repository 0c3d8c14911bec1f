import { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { ApiError } from "../http/api-error";
import { tooLarge } from "../http/read-body";
import type { ServiceContext } from "../http/service-app";

/** A form of files, whole. */
export interface UploadForm {
	readonly files: readonly FormFile[];
	/** By name, in their order. */
	readonly fields: { readonly [name: string]: readonly string[] };
}

export interface FormFile {
	/** Without a path and without control characters. */
	readonly fileName: string;
	readonly mediaType: string;
	readonly content: Uint8Array;
}

const MEBIBYTE = 1024 * 1024;
/** All of it is in memory until the store has it. */
const MAX_FORM_BYTES = 64 * MEBIBYTE;
const MAX_FILES = 100;

/**
 * @param maxFileBytes - for each file; all together may have 64 MiB.
 * @throws ApiError `body_too_large`, `invalid_request`.
 */
export async function readUploadForm(context: ServiceContext, maxFileBytes: number): Promise<UploadForm> {
	const { body, headers } = context.req.raw;
	if (Number(headers.get("content-length") ?? 0) > MAX_FORM_BYTES) throw tooLarge(MAX_FORM_BYTES);
	if (body === null) throw malformed("it is empty");
	const busboy = openForm(headers.get("content-type") ?? "", maxFileBytes);
	const source = Readable.fromWeb(body as import("node:stream/web").ReadableStream);
	try {
		return await collect(source, busboy, maxFileBytes);
	} finally {
		source.unpipe(busboy);
		source.destroy();
	}
}

function openForm(contentType: string, maxFileBytes: number): BusboyInstance {
	try {
		return new Busboy({
			headers: { "content-type": contentType },
			limits: { fileSize: maxFileBytes, files: MAX_FILES, fields: 2 * MAX_FILES, fieldSize: MEBIBYTE },
		});
	} catch (error) {
		throw malformed(String(error instanceof Error ? error.message : error));
	}
}

function collect(source: Readable, busboy: BusboyInstance, maxFileBytes: number): Promise<UploadForm> {
	const files: Promise<FormFile>[] = [];
	const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
	let size = 0;
	return new Promise((resolve, reject) => {
		busboy.on("file", (name, stream, fileName: string | undefined, _, mediaType) => {
			if (name !== "file") return reject(unknownPart(name));
			if (!fileName) return reject(malformed('a part "file" has no file name'));
			const file = readFile(stream, toLabel(fileName), mediaType, maxFileBytes);
			file.catch(reject);
			files.push(file);
		});
		busboy.on("field", (name, value, _, isCut) => {
			if (isCut) return reject(tooLarge(MEBIBYTE));
			fields[name] = [...(fields[name] ?? []), value];
		});
		busboy.on("filesLimit", () => reject(malformed(`it has more than ${MAX_FILES} files`)));
		busboy.on("fieldsLimit", () => reject(malformed("it has too many fields")));
		busboy.on("error", (error) => reject(malformed(String(error))));
		busboy.on("finish", () => Promise.all(files).then((read) => resolve({ files: read, fields }), reject));
		source.on("data", (chunk: Uint8Array) => {
			size += chunk.byteLength;
			if (size > MAX_FORM_BYTES) reject(tooLarge(MAX_FORM_BYTES));
		});
		// A client that goes away half-way is no failure of the service.
		source.on("error", () => reject(malformed("it broke off")));
		source.pipe(busboy);
	});
}

async function readFile(
	stream: BusboyFileStream,
	fileName: string,
	mediaType: string,
	maxFileBytes: number,
): Promise<FormFile> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk as Uint8Array);
	if (stream.truncated)
		throw new ApiError(
			413,
			"body_too_large",
			`The file "${fileName}" is larger than ${maxFileBytes.toLocaleString("en")} bytes.`,
			{ hint: "Split it into smaller documents.", details: { max_bytes: maxFileBytes } },
		);
	return { fileName, mediaType, content: Buffer.concat(chunks) };
}

/** A file name is only shown, never opened. */
const toLabel = (fileName: string): string => fileName.replace(/\p{Cc}/gu, "").slice(-255) || "file";

const unknownPart = (name: string): ApiError =>
	new ApiError(400, "unknown_field", `The form has a file in the part "${name}"; files go into "file".`, {
		param: name,
	});

const malformed = (reason: string): ApiError =>
	new ApiError(400, "invalid_request", `The form cannot be read: ${reason}.`);
