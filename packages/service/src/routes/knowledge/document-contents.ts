import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { respondWithBytes } from "../../http/respond-with-bytes";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import type { OpenedContent } from "../../knowledge/document-contents";

const offset = z
	.string()
	.regex(/^\d{1,15}$/, "must be a whole number, 0 or more")
	.transform(Number);
/** Query of a text: a range of it. */
export const textQuery = z.strictObject({ start: offset.exactOptional(), end: offset.exactOptional() });
const noQuery = z.strictObject({});

const described = {
	read: describeRoute({
		summary: "Read the text of a document",
		query: textQuery,
		responses: { 200: { "text/plain": "text" } },
		errors: [
			"knowledge_base_not_found",
			"document_not_found",
			"document_not_ready",
			"text_not_found",
			"text_not_stored",
			"original_not_stored",
		],
	}),
	download: describeRoute({
		summary: "Download the original of a document",
		query: noQuery,
		responses: {
			200: { "application/octet-stream": "bytes" },
			206: { "application/octet-stream": "bytes" },
			304: {},
		},
		errors: [
			"knowledge_base_not_found",
			"document_not_found",
			"document_not_ready",
			"text_not_found",
			"text_not_stored",
			"original_not_stored",
			"range_not_satisfiable",
		],
	}),
};

/** `/v1/knowledge-bases/:id/documents/:documentId/text` and `…/file`. */
export function addDocumentContentRoutes(app: ServiceApp): void {
	const path = "/v1/knowledge-bases/:id/documents/:documentId";
	const requireRead = requireCaller({ scopes: ["knowledge:read"] });

	app.get(`${path}/text`, described.read, requireRead, async (context) => {
		const { id, documentId } = context.req.param();
		return respondWithText(context, id, documentId, readQuery(context, textQuery));
	});

	app.get(`${path}/file`, described.download, requireRead, async (context) => {
		const { id, documentId } = context.req.param();
		readQuery(context, noQuery);
		const original = await context.get("workspace").knowledge.openOriginal(id, documentId);
		return respondWithBytes(context, original, {
			"content-type": toMediaType(original),
			"content-disposition": toDisposition("attachment", original),
		});
	});
}

/**
 * Responds with the text of a document, or with a range of it.
 *
 * @throws DomainError `invalid_request`, and as `openText`.
 */
export async function respondWithText(
	context: ServiceContext,
	knowledgeBaseId: string,
	documentId: string,
	range: z.infer<typeof textQuery>,
	headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
	if (range.end !== undefined && range.end < (range.start ?? 0)) throw endBeforeStart();
	const text = await context.get("workspace").knowledge.openText(knowledgeBaseId, documentId, range);
	return respondWithBytes(context, text, { "content-type": "text/plain; charset=utf-8", ...headers });
}

const endBeforeStart = (): DomainError =>
	new DomainError("invalid_request", '"end" must not be before "start".', { param: "end" });

/** Media types that no browser runs, by format. All other formats are bytes: HTML, XML and SVG would be pages. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
	markdown: "text/plain",
	text: "text/plain",
	csv: "text/plain",
	pdf: "application/pdf",
};

/** Media type of a file: one that no browser runs. */
export const toMediaType = ({ format }: OpenedContent): string =>
	MEDIA_TYPES[format] ?? "application/octet-stream";

/** Extensions for documents that came without a file name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	markdown: ".md",
	text: ".txt",
	html: ".html",
	csv: ".csv",
};

/** Name to save a file under: a name alone, without folders. */
function toFileName({ fileName, title, format }: OpenedContent): string {
	const name = fileName ?? `${title}${EXTENSIONS[format] ?? ""}`;
	return (
		name.split(/[/\\]/).at(-1)?.replace(UNSAFE_CHARACTERS, "_").slice(0, MAX_NAME_CHARACTERS) || "document"
	);
}

const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}"*:<>?|]/gu;
const MAX_NAME_CHARACTERS = 200;

/** Disposition with a file name in both forms (RFC 6266). */
export function toDisposition(kind: "attachment" | "inline", content: OpenedContent): string {
	const name = toFileName(content);
	const ascii = name.replace(/[^\x20-\x7e]|[%\\]/g, "_");
	const encoded = encodeURIComponent(name.toWellFormed()).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
