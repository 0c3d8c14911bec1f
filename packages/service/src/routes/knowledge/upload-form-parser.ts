import { setImmediate as nextTurn } from "node:timers/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { bodyTooLarge } from "@stemma/protocol";
import { DomainError } from "../../errors/domain-error";

/** Parses a form piece by piece and keeps no content that was taken. */
export interface UploadFormParser {
	/** Files in their order. */
	readonly files: readonly ParsedFile[];
	/** Values by field name, in their order. */
	readonly fields: { readonly [name: string]: readonly string[] };
	/**
	 * Parses the next piece. Other requests have a turn meanwhile.
	 *
	 * @throws DomainError for the first thing that is wrong; nothing after it is parsed.
	 */
	push(piece: Uint8Array): Promise<void>;
	/** Ends the form. @throws DomainError for one that is cut off */
	end(): Promise<void>;
}

export interface ParsedFile {
	/** Name of the file, without a path and without control characters. */
	readonly fileName: string;
	readonly mediaType: string;
	readonly isEnded: boolean;
	/** Takes the content that has come since it was last taken. */
	take(): readonly Uint8Array[];
}

const KIBIBYTE = 1024;
export const MAX_FILES = 100;
/** Fields of a form beside its files: a `source` for each, and some more. */
export const MAX_FIELDS = 2 * MAX_FILES;
export const MAX_PARTS = MAX_FILES + MAX_FIELDS;
export const MAX_FIELD_BYTES = 256 * KIBIBYTE;
export const MAX_FIELDS_CHARACTERS = 512 * KIBIBYTE;
/** Maximum characters of the name of a part. */
export const MAX_PART_NAME_CHARACTERS = 200;
/** Bytes of the headers of a part, and their number. */
export const MAX_PART_HEADER_BYTES = 16 * KIBIBYTE;
export const MAX_PART_HEADERS = 32;
/** Number of bytes that are parsed before errors are checked. */
const SLICE_BYTES = 8 * KIBIBYTE;

/**
 * Creates the parser of an upload form.
 *
 * @throws DomainError for a content type that is not a form's.
 */
export function createUploadFormParser(contentType: string, maxFileBytes: number): UploadFormParser {
	const busboy = openBusboy(contentType, maxFileBytes);
	const { failed, fail, throwIfFailed } = createFirstFailure();
	const files = collectFiles(busboy, maxFileBytes, fail);
	const fields = collectFields(busboy, fail);
	busboy.on("partsLimit", () => fail(malformed(`it has more than ${MAX_PARTS} parts`)));
	busboy.on("filesLimit", () => fail(malformed(`it has more than ${MAX_FILES} files`)));
	busboy.on("fieldsLimit", () => fail(malformed(`it has more than ${MAX_FIELDS} fields`)));
	busboy.on("error", (error) => fail(malformed(error instanceof Error ? error.message : String(error))));
	const finished = new Promise<void>((resolve) => busboy.once("finish", resolve));

	async function parse(slice: Uint8Array): Promise<void> {
		await Promise.race([new Promise<void>((resolve) => busboy.write(slice, () => resolve())), failed]);
		throwIfFailed();
	}

	return {
		files,
		fields,
		async push(piece) {
			for (let start = 0; start < piece.byteLength; start += SLICE_BYTES)
				await parse(piece.subarray(start, start + SLICE_BYTES));
			await nextTurn();
			throwIfFailed();
		},
		async end() {
			busboy.end();
			await Promise.race([finished, failed]);
		},
	};
}

type Fail = (error: unknown) => void;

/** Keeps the first failure of a form. */
function createFirstFailure() {
	let failure: unknown;
	const { promise: failed, reject } = Promise.withResolvers<never>();
	failed.catch(() => undefined);
	return {
		/** Rejects with the failure. */
		failed,
		fail(error: unknown): void {
			failure ??= error;
			reject(error);
		},
		throwIfFailed(): void {
			if (failure !== undefined) throw failure;
		},
	};
}

/** Collects the files of a form as they come, each in the pieces that nobody has taken yet. */
function collectFiles(busboy: BusboyInstance, maxFileBytes: number, fail: Fail): readonly ParsedFile[] {
	const files: ParsedFile[] = [];
	busboy.on("file", (name, stream, fileName: string | undefined, _, mediaType) => {
		let pending: Uint8Array[] = [];
		const file = {
			fileName: toLabel(fileName ?? ""),
			mediaType,
			isEnded: false,
			take(): readonly Uint8Array[] {
				const taken = pending;
				pending = [];
				return taken;
			},
		};
		files.push(file);
		stream.on("data", (chunk: Uint8Array) => pending.push(chunk));
		stream.on("end", () => {
			file.isEnded = true;
		});
		stream.on("limit", () => fail(fileTooLarge(file.fileName, maxFileBytes)));
		stream.on("error", () => fail(malformed("it is cut off in a file")));
		if (name !== "file") fail(unknownPart(name));
		else if (!fileName) fail(malformed('a part "file" has no file name'));
	});
	return files;
}

/** Collects the fields of a form, within their limits. */
function collectFields(busboy: BusboyInstance, fail: Fail): UploadFormParser["fields"] {
	const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
	let length = 0;
	busboy.on("field", (name: string | undefined, value, _, isCut) => {
		if (name === undefined) return fail(malformed("it has a part without a name"));
		if (name.length > MAX_PART_NAME_CHARACTERS)
			return fail(malformed(`the name of a part is longer than ${MAX_PART_NAME_CHARACTERS} characters`));
		if (isCut) return fail(bodyTooLarge(MAX_FIELD_BYTES));
		length += value.length;
		if (length > MAX_FIELDS_CHARACTERS) return fail(bodyTooLarge(MAX_FIELDS_CHARACTERS));
		fields[name] = [...(fields[name] ?? []), value];
	});
	return fields;
}

function openBusboy(contentType: string, maxFileBytes: number): BusboyInstance {
	try {
		return new Busboy({
			headers: { "content-type": contentType },
			limits: {
				fileSize: maxFileBytes,
				files: MAX_FILES,
				fields: MAX_FIELDS,
				parts: MAX_PARTS,
				fieldSize: MAX_FIELD_BYTES,
				headerSize: MAX_PART_HEADER_BYTES,
				headerPairs: MAX_PART_HEADERS,
			},
		});
	} catch (error) {
		throw malformed(error instanceof Error ? error.message : String(error));
	}
}

/** A file name is only shown, never opened. */
const toLabel = (fileName: string): string => fileName.replace(/\p{Cc}/gu, "").slice(-255) || "file";

const fileTooLarge = (fileName: string, maxFileBytes: number): DomainError =>
	new DomainError(
		"body_too_large",
		`The file "${fileName}" is larger than ${maxFileBytes.toLocaleString("en")} bytes.`,
		{ hint: "Split it into smaller documents.", details: { max_bytes: maxFileBytes } },
	);

const unknownPart = (name: string | undefined): DomainError =>
	new DomainError(
		"unknown_field",
		`The form has a file in the part "${name?.slice(0, MAX_PART_NAME_CHARACTERS)}"; files go into "file".`,
		{ param: name?.slice(0, MAX_PART_NAME_CHARACTERS) },
	);

/** @param reason - a clause. */
export const malformed = (reason: string): DomainError =>
	new DomainError("invalid_request", `The form cannot be read: ${reason}.`);
