import { createHash } from "node:crypto";
import type { TextFormatName } from "@stemma/client";
import { assertJsonLimits, assertJsonType, bodyTooLarge } from "@stemma/protocol";
import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { SPOOLING_BYTES } from "../../fairness/upload-budgets";
import { chargeBody } from "../../http/body/body-account";
import { readJson } from "../../http/body/read-json";
import type { ServiceContext } from "../../http/service-context";
import type { DocumentUploadInput } from "../../knowledge/ingest/new-document";
import type { SpoolFile } from "../../store/data-folder/spool";
import { checkInput } from "../../validation/check-input";
import { type FormFile, readUploadForm, type UploadForm } from "./read-upload-form";
import { readUploadText } from "./read-upload-text";

const MAX_SOURCE_CHARACTERS = 2_000;
const MAX_TITLE_CHARACTERS = 500;

const MAX_METADATA_CHARACTERS = 16 * 1024;

const metadata = z
	.record(z.string(), z.json())
	.refine((value) => JSON.stringify(value).length <= MAX_METADATA_CHARACTERS, {
		error: `may have ${MAX_METADATA_CHARACTERS.toLocaleString("en")} characters as JSON`,
	});
const title = z.string().trim().min(1).max(MAX_TITLE_CHARACTERS);
const source = z.string().min(1).max(MAX_SOURCE_CHARACTERS);

/** Formats of a text that is sent as JSON. */
const TEXT_FORMATS = [
	"markdown",
	"text",
	"html",
	"csv",
	"json",
	"yaml",
	"xml",
] as const satisfies readonly TextFormatName[];

export const documentText = z.strictObject({
	text: z.string().min(1),
	title: title.exactOptional(),
	source: source.exactOptional(),
	format: z.enum(TEXT_FORMATS).default("markdown"),
	metadata: metadata.exactOptional(),
});

const formFields = z.strictObject({
	source: z.array(source).exactOptional(),
	title: z.array(title).max(1, "may occur only once").exactOptional(),
	metadata: z.array(z.string()).max(1, "may occur only once").exactOptional(),
});

/** Maximum size of JSON in memory. Larger JSON, or JSON of unknown length, is written to the disk as it arrives. */
const MAX_JSON_IN_MEMORY_BYTES = 256 * 1024;

export interface UploadRequest {
	readonly uploads: readonly DocumentUploadInput[];
	/** Equal for equal requests. */
	readonly fingerprint: unknown;
}

/**
 * Reads the documents of a request, text in JSON or files in a form, and uses them. Large ones are on the disk until `use`
 * has settled.
 *
 * @throws DomainError for what is not as docs/http-api.md says.
 */
export async function withDocumentUpload<Result>(
	context: ServiceContext,
	use: (request: UploadRequest) => Promise<Result>,
): Promise<Result> {
	const isForm = /^multipart\/form-data\b/i.test(context.req.header("content-type") ?? "");
	if (!isForm && isSmall(context)) return use(await readText(context));
	const { id } = context.get("workspace");
	const receive = () =>
		withSpoolFile(context, async (file) => {
			const request = await (isForm ? readForm(context, file) : readLongText(context, file));
			// The store makes a copy, while the file is there.
			context.get("kernel").disk.assertSpace(file.bytes);
			return use(request);
		});
	return context.get("kernel").uploads.run(id, receive, { signal: context.req.raw.signal });
}

async function withSpoolFile<Result>(
	context: ServiceContext,
	use: (file: SpoolFile) => Promise<Result>,
): Promise<Result> {
	chargeBody(context, SPOOLING_BYTES);
	const file = await context.get("kernel").spool.create(context.get("workspace").id);
	try {
		file.checkSpace(readContentLength(context) ?? 0);
		return await use(file);
	} finally {
		await file.delete();
	}
}

function readContentLength(context: ServiceContext): number | undefined {
	const length = context.req.header("content-length");
	return length === undefined ? undefined : Number(length);
}

const isSmall = (context: ServiceContext): boolean =>
	(readContentLength(context) ?? Number.POSITIVE_INFINITY) <= MAX_JSON_IN_MEMORY_BYTES;

async function readForm(context: ServiceContext, spool: SpoolFile): Promise<UploadRequest> {
	const { uploadBytes } = context.get("kernel").limits;
	const form = await readUploadForm(context, { maxFileBytes: uploadBytes, spool });
	return { uploads: toUploads(form), fingerprint: toFingerprint(form) };
}

async function readText(context: ServiceContext): Promise<UploadRequest> {
	const { uploadBytes } = context.get("kernel").limits;
	const { text, ...rest } = await readJson(context, documentText);
	const content = Buffer.from(text);
	if (content.byteLength > uploadBytes) throw bodyTooLarge(uploadBytes);
	const sha256 = createHash("sha256").update(content).digest("hex");
	return { uploads: [{ content, ...rest }], fingerprint: { sha256, ...rest } };
}

async function readLongText(context: ServiceContext, spool: SpoolFile): Promise<UploadRequest> {
	assertJsonType(context.req.header("content-type"));
	const { uploadBytes } = context.get("kernel").limits;
	const { json, content } = await readUploadText(context, { maxBytes: uploadBytes, spool });
	const { text: _, ...rest } = checkInput(documentText, json, "The body");
	return { uploads: [{ content, ...rest }], fingerprint: { sha256: content.sha256, ...rest } };
}

function toUploads({ files, fields }: UploadForm): DocumentUploadInput[] {
	const {
		source: sources,
		title: [title] = [],
		metadata: [json] = [],
	} = checkInput(formFields, fields, "The form");
	if (files.length === 0)
		throw invalid('There is no file: send parts named "file", with a file name.', "file");
	if (title !== undefined && files.length > 1) throw invalid('"title" is only for a single file.', "title");
	if (sources !== undefined && sources.length !== files.length)
		throw invalid('There must be one "source" for each file, in their order, or none.', "source");
	const metadata = json === undefined ? undefined : parseMetadata(json);
	return files.map(({ fileName, mediaType, content }, index) => ({
		content,
		fileName,
		mediaType,
		title,
		source: sources?.[index],
		metadata,
	}));
}

function parseMetadata(json: string): z.infer<typeof metadata> {
	assertJsonLimits(json, '"metadata"');
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		throw invalid('"metadata" is not JSON.', "metadata");
	}
	return checkInput(z.strictObject({ metadata }), { metadata: value }, "The form").metadata;
}

const invalid = (message: string, param: string): DomainError =>
	new DomainError("invalid_request", message, { param });

const toFingerprint = ({ files, fields }: UploadForm): unknown => ({ files: files.map(toDigest), fields });

const toDigest = ({ fileName, mediaType, content }: FormFile): object => ({
	fileName,
	mediaType,
	sha256: content.sha256,
});
