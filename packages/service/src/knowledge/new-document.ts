import { createHash } from "node:crypto";
import { createNewId } from "../auth/new-id";
import type { NewDocument } from "./add-documents-job";
import { findFormat } from "./document-format";
import { toTitle } from "./document-title";
import { unsupportedFormat } from "./knowledge-errors";
import type { DocumentUploadInput } from "./stored-documents";

/**
 * An upload as the store takes it.
 *
 * @throws ApiError `unsupported_format`
 */
export function toNewDocument(upload: DocumentUploadInput): NewDocument {
	const { fileName, mediaType, source, metadata } = upload;
	const title = upload.title === undefined ? undefined : toTitle(upload.title);
	const format = upload.format ?? findFormat(fileName ?? "", mediaType);
	if (format === undefined) throw unsupportedFormat(fileName ?? "");
	const { content, sha256 } = toContent(upload.content);
	return {
		id: createNewId("doc"),
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
