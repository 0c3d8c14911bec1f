import { readFileSync } from "node:fs";
import type { DocumentUpload, KnowledgeBase, KnowledgeDocument, Page, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMail, type MailFile } from "../../knowledge/test-support/create-mail";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

let deployment: TestDeployment;
let workspace: TestWorkspace;
let base: KnowledgeBase;
let documents: string;

beforeAll(async () => {
	deployment = await openTestDeployment(built);
	workspace = await deployment.addWorkspace("tests");
	base = await getBody<KnowledgeBase>(
		workspace.send("POST", "/v1/knowledge-bases", { json: { name: "Handbook" } }),
	);
	documents = `/v1/knowledge-bases/${base.id}/documents`;
});
afterAll(() => deployment?.close());

const list = async (query = ""): Promise<readonly KnowledgeDocument[]> =>
	(await getBody<Page<KnowledgeDocument>>(workspace.send("GET", `${documents}${query}`))).data;

/** Uploads a mail, and returns its id once it and its attachments are read. */
async function uploadMail(files: readonly MailFile[]): Promise<string> {
	const form = new FormData();
	form.append("file", new File([createMail("The move", "See the plan.", files)], "move.eml"));
	form.append("source", "mails/move.eml");
	const { headers, body } = new Request("http://form.test", { method: "POST", body: form });
	const request = {
		body: await new Response(body).arrayBuffer(),
		headers: { "content-type": headers.get("content-type") ?? "" },
	};
	const { data } = await getBody<DocumentUpload>(workspace.send("POST", documents, request));
	await expect.poll(async () => (await list()).every(({ status }) => /ready|failed/.test(status))).toBe(true);
	return data[0]?.id ?? expect.unreachable();
}

const pdf = readFileSync(
	new URL("../../../../documents/src/test-support/other-programs/ghostscript-1.7.pdf", import.meta.url),
);
const nested = createMail("Keys", "The keys are under the mat.", [
	{ name: "mat.md", content: "The mat is blue." },
]);
const files: readonly MailFile[] = [
	{ name: "plan.pdf", content: pdf, type: "application/pdf" },
	{ content: nested, type: "message/rfc822" },
	{ name: "photos.zip", content: Buffer.from("PK\x03\x04\x14\0\0\0") },
];
const toFacts = ({ title, parent_id, status, format }: KnowledgeDocument) => ({
	title,
	parent_id,
	status,
	format,
});

it("stores attachments of a mail as documents of their own, as long as the mail has them", async () => {
	const mail = await uploadMail(files);
	const before = await list();
	const keys = before.find(({ title }) => title === "Keys")?.id;
	expect((await list(`?parent_id=${mail}`)).map(toFacts)).toEqual([
		{ title: "plan.pdf (attached to: The move)", parent_id: mail, status: "ready", format: "pdf" },
		{ title: "Keys", parent_id: mail, status: "ready", format: "eml" },
	]);
	expect((await list(`?parent_id=${keys}`)).map(toFacts)).toEqual([
		{ title: "mat.md (attached to: Keys)", parent_id: keys, status: "ready", format: "markdown" },
	]);
	expect((await workspace.send("GET", `${documents}/${mail}/text`)).text).toMatch(
		/Attachments: plan\.pdf, attachment 2, photos\.zip \(not read: it is a zip/,
	);

	const plan = before.find(({ format }) => format === "pdf")?.id ?? "";
	const file = await workspace.send("GET", `${documents}/${plan}/file`);
	expect(file.headers.get("content-type")).toBe("application/pdf");
	expect(file.headers.get("content-disposition")).toContain("plan.pdf");
	const { passages } = await getBody<SearchResult>(
		workspace.send("POST", "/v1/search", { json: { query: "blue mat", knowledge_base_ids: [base.id] } }),
	);
	expect(passages[0]).toMatchObject({ title: "mat.md (attached to: Keys)", text: "The mat is blue." });

	const other = await deployment.addWorkspace("others");
	expectApiError(await other.send("GET", `${documents}/${plan}`), 404, "knowledge_base_not_found");
	expectApiError(await other.send("GET", `${documents}?parent_id=${mail}`), 404, "knowledge_base_not_found");

	expect(await uploadMail(files)).toBe(mail);
	expect(await list()).toEqual(before);

	expect(await uploadMail(files.slice(1))).toBe(mail);
	expect((await list()).map(({ id }) => id)).toEqual(
		before.filter(({ id }) => id !== plan).map(({ id }) => id),
	);
	expectApiError(await workspace.send("GET", `${documents}/${plan}/file`), 404, "document_not_found");

	await getBody(workspace.send("DELETE", `${documents}/${mail}`));
	expect(await list()).toEqual([]);
});
