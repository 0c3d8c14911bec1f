import { createHash } from "node:crypto";
import { findFormat, toTitle } from "@stemma/documents";
import { createId } from "../../create-id";
import type { DocumentUploadInput } from "../document-store";
import type { NewDocument } from "../jobs/add-documents-job";
import { unsupportedFormat } from "../knowledge-errors";

/**
 * An upload as the store takes it.
 *
 * @throws DomainError `unsupported_format`
 */
export function toNewDocument(upload: DocumentUploadInput): NewDocument {
	const { fileName, mediaType, source, metadata } = upload;
	const title = upload.title === undefined ? undefined : toTitle(upload.title);
	const format = upload.format ?? findFormat(fileName ?? "", mediaType)?.apiName;
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
