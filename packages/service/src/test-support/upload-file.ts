import type { DocumentUpload, KnowledgeDocument } from "@stemma/client";
import { expect } from "vitest";
import type { SendRequest } from "./send-request";
import { getBody } from "./tenant";

/** Uploads a file by form. @returns the document, queued. */
export async function uploadFile(
	send: SendRequest,
	knowledgeBase: string,
	{
		name,
		content,
		type = "",
	}: { readonly name: string; readonly content: string | Uint8Array; readonly type?: string },
): Promise<KnowledgeDocument> {
	const body = new FormData();
	body.append(
		"file",
		new File([typeof content === "string" ? content : new Uint8Array(content)], name, { type }),
	);
	const path = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	const { data } = await getBody<DocumentUpload>(send("POST", path, { body }));
	const [document] = data;
	if (document === undefined) throw new Error("There is no document.");
	return document;
}

/** Waits until a document is read, or has failed. */
export async function waitUntilRead(send: SendRequest, { knowledge_base_id, id }: KnowledgeDocument) {
	const get = () =>
		getBody<KnowledgeDocument>(send("GET", `/v1/knowledge-bases/${knowledge_base_id}/documents/${id}`));
	await expect.poll(async () => (await get()).status, { timeout: 300_000 }).toMatch(/ready|failed/);
	return get();
}
