import { readFileSync } from "node:fs";
import type { KnowledgeBase, KnowledgeDocument } from "@stemma/client";
import { beforeEach, describe, expect, it } from "vitest";
import type { DocumentUploadInput } from "./ingest/new-document";
import { type DocumentReader, ReaderStoppedError } from "./ingest/reading/document-reader";
import type { Knowledge } from "./knowledge";
import { createMail, type MailFile } from "./test-support/create-mail";
import { createHashedEmbedder, hashedSpace, toHashedVector } from "./test-support/hashed-embedder";
import {
	inProcessReader,
	openKnowledgeDatabase,
	openVectorDatabase,
	startKnowledge,
} from "./test-support/memory-knowledge";

let database: ReturnType<typeof openKnowledgeDatabase>;
let knowledge: Knowledge;
let base: KnowledgeBase;

beforeEach(() => start());

async function start(maxDocuments?: number): Promise<void> {
	database = openKnowledgeDatabase();
	knowledge = await startKnowledge(database, inProcessReader, maxDocuments ? { maxDocuments } : {});
	base = await knowledge.createKnowledgeBase({ name: "Handbook" });
}

const fees: MailFile = { name: "fees.md", content: "A parcel costs 4 €." };
const rules: MailFile = { name: "rules.md", content: "Parcels go back within 14 days." };

async function addMail(
	subject: string,
	files: readonly MailFile[],
	options: Partial<DocumentUploadInput> = {},
): Promise<string> {
	const content = createMail(subject, "See below.", files);
	const upload = { content, fileName: "mail.eml", source: "mail.eml", ...options };
	const [mail] = await knowledge.addDocuments(base.id, [upload]);
	await knowledge.waitUntilIdle();
	return mail?.id ?? expect.unreachable();
}

const list = (parent_id?: string) =>
	knowledge.listDocuments(base.id, { limit: 100, ...(parent_id && { parent_id }) });
const toTitles = (documents: readonly KnowledgeDocument[]) => documents.map(({ title }) => title).toSorted();
const search = async (query: string, filter?: Record<string, string>) =>
	(await knowledge.search({ query, knowledge_base_ids: [base.id], ...(filter && { filter }) })).map(
		({ title, text }) => ({ title, text }),
	);
const countRows = (table: string): number =>
	Number(database.file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

describe("attachments of a mail", () => {
	it("are documents of their own, with the metadata of their mail", async () => {
		const mail = await addMail("Parcels", [fees, rules], { metadata: { team: "post" } });
		const children = await list(mail);
		expect(children).toHaveLength(2);
		expect(children[0]).toMatchObject({
			...{ title: "fees.md (attached to: Parcels)", parent_id: mail, source: null, format: "markdown" },
			...{ status: "ready", metadata: { team: "post" }, size_bytes: Buffer.byteLength(String(fees.content)) },
		});
		expect((await knowledge.getDocument(base.id, mail)).parent_id).toBeUndefined();
		expect(await search("what does a parcel cost", { team: "post" })).toContainEqual({
			title: "fees.md (attached to: Parcels)",
			text: "A parcel costs 4 €.",
		});
		const text = await knowledge.findText(mail, 10);
		expect(text?.passages.map((passage) => passage.text).join()).toMatch(
			/Attachments: fees\.md, rules\.md\n/,
		);
		expect(text?.passages.map((passage) => passage.text).join()).not.toMatch(/4 €/);
		await addMail("Parcels", [fees, rules], { metadata: { team: "shop" } });
		expect((await list(mail)).map(({ metadata }) => metadata)).toEqual([{ team: "shop" }, { team: "shop" }]);
	});

	it("stay as they are where they are the same, are deleted where they are gone, and go with their mail", async () => {
		const mail = await addMail("Parcels", [fees, rules]);
		const [before] = await list(mail);
		expect(await addMail("Parcels", [fees, { ...rules, content: "Parcels stay." }])).toBe(mail);
		expect((await list(mail)).map(({ id }) => id)).toContain(before?.id);
		expect(await search("go back within 14 days")).toEqual([]);
		await addMail("Parcels", [fees]);
		expect(await list(mail)).toEqual([before]);
		await knowledge.addDocuments(base.id, [{ content: "Gone.", source: "mail.eml", format: "text" }]);
		await knowledge.waitUntilIdle();
		expect(await list()).toHaveLength(1);
		await addMail("Parcels", [fees]);
		expect(await list()).toHaveLength(2);
		await knowledge.deleteDocument(base.id, mail);
		await knowledge.waitUntilIdle();
		expect(await list()).toEqual([]);
		for (const table of ["passages", "contents", "uploads"]) expect(countRows(table)).toBe(0);
	});

	it("are apart from uploads, and from the same file in another mail", async () => {
		const [first, second] = [
			await addMail("One", [fees, fees]),
			await addMail("Two", [fees], { source: "b" }),
		];
		const [upload] = await knowledge.addDocuments(base.id, [
			{ ...fees, content: String(fees.content), format: "markdown" },
		]);
		await knowledge.waitUntilIdle();
		expect(await list(first)).toHaveLength(2);
		expect(await list(second)).toHaveLength(1);
		expect(upload?.parent_id).toBeUndefined();
		expect(await list()).toHaveLength(6);
	});

	it("may fail, alone; those that nothing reads are named in the mail", async () => {
		const files = [
			{ name: "plan.pdf", content: "no PDF" },
			{ name: "a.zip", content: Buffer.from("PK\x03\x04\x14") },
		];
		const mail = await addMail("Plans", files);
		expect(await knowledge.getDocument(base.id, mail)).toMatchObject({ status: "ready" });
		expect(await list(mail)).toMatchObject([
			{ status: "failed", error: { code: "unreadable" }, format: "pdf" },
		]);
		expect((await search("attachments"))[0]?.text).toMatch(/plan\.pdf, a\.zip \(not read: /);
		const [child] = await list(mail);
		expect(await knowledge.retryDocument(base.id, child?.id ?? "")).toMatchObject({ status: "queued" });
	});

	it("are read as PDF, and in mails within the mail, down to the third", async () => {
		const pdf = readFileSync(
			new URL("../../../documents/src/test-support/other-programs/ghostscript-1.7.pdf", import.meta.url),
		);
		let inner = createMail("Level 4", "The innermost.", [{ name: "deep.md", content: "Very deep." }]);
		for (const level of [3, 2, 1])
			inner = createMail(`Level ${level}`, `Text of ${level}.`, [{ content: inner, type: "message/rfc822" }]);
		const mail = await addMail("Top", [
			{ name: "plan.pdf", content: pdf },
			{ content: inner, type: "message/rfc822" },
		]);
		expect(toTitles(await list())).toEqual([
			"Level 1",
			"Level 2",
			"Level 3",
			"Top",
			"plan.pdf (attached to: Top)",
		]);
		expect((await list()).every(({ status }) => status === "ready")).toBe(true);
		expect(await list(mail)).toHaveLength(2);
		expect((await search("very deep"))[0]).toMatchObject({ title: "Level 3" });
		await knowledge.deleteDocument(base.id, mail);
		expect(await list()).toEqual([]);
	});

	it("are part of the text of their mail beyond 50, and where there is no room for more documents", async () => {
		const many = Array.from({ length: 52 }, (_, index) => ({
			name: `${index}.md`,
			content: `Number ${index}.`,
		}));
		expect(await list(await addMail("Many", many))).toHaveLength(50);
		expect((await search("number 51"))[0]).toMatchObject({ title: "Many" });
		await start(3);
		const mail = await addMail("Parcels", [fees, rules]);
		expect(await list(mail)).toHaveLength(2);
		expect(await addMail("Parcels", [fees, rules, { name: "c.md", content: "Cats are welcome." }])).toBe(
			mail,
		);
		expect(await list()).toHaveLength(1);
		expect(await knowledge.getDocument(base.id, mail)).toMatchObject({ status: "ready" });
		expect((await search("cats"))[0]).toMatchObject({ title: "Parcels" });
	});

	it("are read by the next process where one ends between them and their mail", async () => {
		const reader: DocumentReader = {
			...inProcessReader,
			read: async (upload, options) => {
				if (upload.format !== "eml") throw new ReaderStoppedError();
				return inProcessReader.read(upload, options);
			},
		};
		knowledge = await startKnowledge(database, reader);
		const mail = await addMail("Parcels", [fees]);
		expect((await list()).map(({ status }) => status)).toEqual(["ready", "queued"]);
		await knowledge.stop();
		knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await list(mail)).toMatchObject([{ status: "ready", passage_count: 1 }]);
	});

	it("have vectors where their mail has some", async () => {
		const vectors = openVectorDatabase();
		knowledge = await startKnowledge(vectors, inProcessReader, { embedder: createHashedEmbedder() });
		base = await knowledge.createKnowledgeBase({ name: "Vectors" });
		const mail = await addMail("Parcels", [fees]);
		expect(await list(mail)).toMatchObject([{ status: "ready", passage_count: 1 }]);
		const vector = { space: hashedSpace, values: toHashedVector("parcel costs", 256) };
		const request = { query: "?", knowledge_base_ids: [base.id] };
		const [first] = await knowledge.search(request, [{ text: "", vector }]);
		expect(first?.title).toBe("fees.md (attached to: Parcels)");
		await knowledge.stop();
		vectors.close();
	});
});
