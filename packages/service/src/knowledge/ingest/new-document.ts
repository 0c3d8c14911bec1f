import { createHash } from "node:crypto";
import type { DocumentFormatName } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { findFormat, toTitle } from "@stemma/documents";
import { createId } from "../../create-id";
import type { SpooledContent } from "../../store/data-folder/spool";
import { unsupportedFormat } from "../knowledge-errors";
import type { NewDocument } from "../repositories/document-repository";
import type { FindFormat } from "./reading/document-reader";

/** A document to be read. */
export interface DocumentUploadInput {
	/** Text is taken as it is; of bytes the encoding is found out. Spooled content must stay until it is stored. */
	readonly content: string | Uint8Array | SpooledContent;
	/** Label of the document: nothing is written under this name. */
	readonly fileName?: string | undefined;
	readonly mediaType?: string | undefined;
	/** Default: by file name, else by media type. */
	readonly format?: DocumentFormatName | undefined;
	/** Default: found in the text. */
	readonly title?: string | undefined;
	/** Source of the document; another upload with the same source replaces its content. */
	readonly source?: string | undefined;
	/** Left out for a known document: it stays as it is. */
	readonly metadata?: JsonObject | undefined;
}

/**
 * An upload as the store takes it.
 *
 * @param findAddedFormat - of the readers that the operator has added, which come first. Default: there are none.
 * @throws DomainError `unsupported_format`
 */
export function toNewDocument(
	upload: DocumentUploadInput,
	findAddedFormat: FindFormat = () => undefined,
): NewDocument {
	const { fileName, mediaType, source, metadata } = upload;
	const title = upload.title === undefined ? undefined : toTitle(upload.title);
	const format =
		upload.format ??
		findAddedFormat(fileName ?? "", mediaType) ??
		findFormat(fileName ?? "", mediaType)?.apiName;
	if (format === undefined) throw unsupportedFormat(fileName ?? "");
	const { content, sha256 } = toContent(upload.content);
	return {
		id: createId("doc"),
		givenTitle: title || null,
		title: title || toTitle(fileName ?? source ?? "") || "Untitled",
		source: source ?? null,
		format,
		fileName: fileName ?? null,
		content,
		sha256,
		metadata: metadata === undefined ? null : JSON.stringify(metadata),
	};
}

function toContent(content: DocumentUploadInput["content"]): Pick<NewDocument, "content" | "sha256"> {
	if (typeof content === "string") return toContent(Buffer.from(content));
	if ("sha256" in content) return { content, sha256: content.sha256 };
	return { content, sha256: createHash("sha256").update(content).digest("hex") };
}
