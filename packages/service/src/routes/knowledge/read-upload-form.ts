import { assertContentLength, bodyTooLarge } from "@stemma/protocol";
import { readChunks, waitForMainThread } from "../../http/body/read-body";
import type { ServiceContext } from "../../http/service-context";
import type { SpooledContent, SpoolFile, SpoolWriter } from "../../store/data-folder/spool";
import { createUploadFormParser, malformed, type ParsedFile } from "./upload-form-parser";

/** A form of files, whole. */
export interface UploadForm {
	readonly files: readonly FormFile[];
	/** Values by field name, in their order. */
	readonly fields: { readonly [name: string]: readonly string[] };
}

export interface FormFile extends Pick<ParsedFile, "fileName" | "mediaType"> {
	readonly content: SpooledContent;
}

/** Bytes of a form. */
export const MAX_FORM_BYTES = 64 * 1024 * 1024;

export interface ReadUploadFormOptions {
	/** Maximum size of each file; all files together may have {@link MAX_FORM_BYTES}. */
	readonly maxFileBytes: number;
	/** Gets the files as they come. */
	readonly spool: SpoolFile;
}

/** @throws DomainError `body_too_large`, `invalid_request`, `unknown_field`, `too_many_bytes`. */
export async function readUploadForm(
	context: ServiceContext,
	{ maxFileBytes, spool }: ReadUploadFormOptions,
): Promise<UploadForm> {
	assertContentLength(context.req.header("content-length"), MAX_FORM_BYTES);
	const parser = createUploadFormParser(context.req.header("content-type") ?? "", maxFileBytes);
	const collector = createCollector(parser.files, spool);
	let size = 0;
	for await (const chunk of readChunks(context)) {
		size += chunk.byteLength;
		if (size > MAX_FORM_BYTES) throw bodyTooLarge(MAX_FORM_BYTES);
		await waitForMainThread(context);
		await parser.push(chunk);
		await collector.store();
	}
	if (size === 0) throw malformed("it is empty");
	await parser.end();
	await collector.store();
	return { files: collector.files, fields: parser.fields };
}

/** Writes files into the spool, one after another. */
function createCollector(parsed: readonly ParsedFile[], spool: SpoolFile) {
	const files: FormFile[] = [];
	let writer: SpoolWriter | undefined;
	return {
		/** Files that were received completely. */
		files,
		async store(): Promise<void> {
			for (let file = parsed[files.length]; file !== undefined; file = parsed[files.length]) {
				writer ??= spool.startContent();
				const pieces = file.take();
				// One write for all that has come: each takes longer than copying it.
				if (pieces.length > 0) await writer.write(Buffer.concat(pieces));
				if (!file.isEnded) return;
				const { fileName, mediaType } = file;
				files.push({ fileName, mediaType, content: writer.end() });
				writer = undefined;
			}
		},
	};
}
