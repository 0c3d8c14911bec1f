import { createHash } from "node:crypto";
import { z } from "zod";
import { ApiError } from "../http/api-error";
import { checkInput } from "../http/check-input";
import { tooLarge } from "../http/read-body";
import { readJson } from "../http/read-json";
import type { ServiceContext } from "../http/service-app";
import type { DocumentUploadInput } from "../knowledge/stored-documents";
import { type FormFile, readUploadForm, type UploadForm } from "./read-upload-form";

const MAX_SOURCE = 2_000;
const MAX_TITLE = 500;

const MAX_METADATA = 16 * 1024;

const metadata = z
	.record(z.string(), z.json())
	.refine((value) => JSON.stringify(value).length <= MAX_METADATA, {
		error: `may have ${MAX_METADATA.toLocaleString("en")} characters as JSON`,
	});
const title = z.string().trim().min(1).max(MAX_TITLE);
const source = z.string().min(1).max(MAX_SOURCE);

const documentText = z.strictObject({
	text: z.string().min(1),
	title: title.exactOptional(),
	source: source.exactOptional(),
	format: z.enum(["markdown", "text", "html"]).default("markdown"),
	metadata: metadata.exactOptional(),
});

const formFields = z.strictObject({
	source: z.array(source).exactOptional(),
	title: z.array(title).max(1, "may be there once").exactOptional(),
	metadata: z.array(z.string()).max(1, "may be there once").exactOptional(),
});

/** The documents of a request. */
export interface UploadRequest {
	readonly uploads: readonly DocumentUploadInput[];
	/** Equal for equal requests. */
	readonly fingerprint: unknown;
}

/**
 * Documents as text in JSON, or as files in a form.
 *
 * @throws ApiError for what is not as docs/http-api.md says.
 */
export async function readDocumentUpload(context: ServiceContext): Promise<UploadRequest> {
	const { uploadBytes } = context.get("kernel").limits;
	if (/^multipart\/form-data\b/i.test(context.req.header("content-type") ?? "")) {
		const form = await readUploadForm(context, uploadBytes);
		return { uploads: toUploads(form), fingerprint: toFingerprint(form) };
	}
	// A character of JSON takes up to 6 bytes, but hardly ever does.
	const { text, ...rest } = await readJson(context, documentText, { maxBytes: 1.5 * uploadBytes });
	if (Buffer.byteLength(text) > uploadBytes) throw tooLarge(uploadBytes);
	return { uploads: [{ content: text, ...rest }], fingerprint: { text, ...rest } };
}

function toUploads({ files, fields }: UploadForm): DocumentUploadInput[] {
	const {
		source: sources,
		title: [title] = [],
		metadata: [json] = [],
	} = checkInput(formFields, fields, "The form");
	if (files.length === 0)
		throw invalid('There is no file: send parts named "file", with a file name.', "file");
	if (title !== undefined && files.length > 1) throw invalid('"title" is for one file alone.', "title");
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
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		throw invalid('"metadata" is not JSON.', "metadata");
	}
	return checkInput(z.strictObject({ metadata }), { metadata: value }, "The form").metadata;
}

const invalid = (message: string, param: string): ApiError =>
	new ApiError(400, "invalid_request", message, { param });

const toFingerprint = ({ files, fields }: UploadForm): unknown => ({ files: files.map(toDigest), fields });

const toDigest = ({ fileName, mediaType, content }: FormFile): object => ({
	fileName,
	mediaType,
	sha256: createHash("sha256").update(content).digest("hex"),
});
