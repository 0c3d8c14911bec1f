import type { KnowledgeBase, KnowledgeDocument } from "@stemma/client";
import { beforeEach, describe, expect, it } from "vitest";
import type { DocumentUploadInput } from "./ingest/new-document";
import type { Knowledge } from "./knowledge";
import { inProcessReader, openKnowledgeDatabase, startKnowledge } from "./test-support/memory-knowledge";

let database: ReturnType<typeof openKnowledgeDatabase>;
let knowledge: Knowledge;
let base: KnowledgeBase;

beforeEach(async () => {
	database = openKnowledgeDatabase();
	knowledge = await startKnowledge(database);
	base = await knowledge.createKnowledgeBase({ name: "Handbook" });
});

type Upload = Partial<DocumentUploadInput> & Pick<DocumentUploadInput, "content">;

async function add(...uploads: readonly Upload[]): Promise<KnowledgeDocument[]> {
	const added = await knowledge.addDocuments(
		base.id,
		uploads.map((upload) => ({ format: "markdown", ...upload })),
	);
	await knowledge.waitUntilIdle();
	return added;
}

const find = async (query: string, options: { filter?: Record<string, string>; top_k?: number } = {}) =>
	knowledge.search({ query, knowledge_base_ids: [base.id], ...options });

const findTexts = async (query: string, options = {}) => (await find(query, options)).map(({ text }) => text);

const countRows = (table: string): number =>
	Number(database.file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

const count = async () => (await knowledge.getKnowledgeBase(base.id)).passage_count;

describe("knowledge bases", () => {
	it("are made, listed in order, changed and deleted", async () => {
		const second = await knowledge.createKnowledgeBase({ name: "Second", llm_model: "small" });
		expect(second).toMatchObject({ name: "Second", description: null, llm_model: "small", passage_count: 0 });
		const [first] = await knowledge.listKnowledgeBases({ limit: 1 });
		const rest = await knowledge.listKnowledgeBases({ limit: 10, after: first?.id });
		expect([first, ...rest].map((listed) => listed?.id)).toEqual([base.id, second.id].sort());
		const changed = await knowledge.updateKnowledgeBase(second.id, { description: "New", llm_model: null });
		expect(changed).toMatchObject({ name: "Second", description: "New", llm_model: null });
		await knowledge.deleteKnowledgeBase(second.id);
		for (const failing of [
			knowledge.getKnowledgeBase(second.id),
			knowledge.updateKnowledgeBase(second.id, { name: "x" }),
			knowledge.deleteKnowledgeBase(second.id),
			knowledge.listDocuments(second.id, { limit: 1 }),
			knowledge.addDocuments(second.id, [{ content: "x", format: "text" }]),
			knowledge.search({ query: "x", knowledge_base_ids: [base.id, second.id] }),
		])
			await expect(failing).rejects.toMatchObject({ code: "knowledge_base_not_found" });
	});

	it("vanish at once, and what they hold is swept away", async () => {
		await add(...Array.from({ length: 30 }, (_, index) => ({ content: `Refunds take ${index} days.` })));
		expect(await count()).toBe(30);
		await knowledge.deleteKnowledgeBase(base.id);
		await expect(find("refunds")).rejects.toMatchObject({ code: "knowledge_base_not_found" });
		await knowledge.waitUntilIdle();
		const tables = ["knowledge_bases", "documents", "passages", "uploads", "passage_sweeps"];
		for (const table of [...tables, "contents", "content_chunks", "content_sweeps"])
			expect(countRows(table), table).toBe(0);
	});
});

describe("documents", () => {
	it("are queued, read and found", async () => {
		const [queued] = await knowledge.addDocuments(base.id, [
			{
				content: Buffer.from("# Shop\n\n## Refunds\n\nRefunds take 14 days."),
				fileName: "shop.md",
				metadata: { team: "a" },
			},
		]);
		expect(queued).toMatchObject({ title: "shop.md", status: "queued", error: null, passage_count: 0 });
		await knowledge.waitUntilIdle();
		const document = await knowledge.getDocument(base.id, queued?.id ?? "");
		expect(document).toMatchObject({ title: "Shop", status: "ready", passage_count: 1, size_bytes: 41 });
		expect(await find("refund")).toEqual([
			{
				passage_id: `psg_${document.id.slice(4)}_1`,
				document_id: document.id,
				knowledge_base_id: base.id,
				knowledge_base: "handbook",
				title: "Shop",
				source: null,
				place: { heading: "Refunds", start: 20, end: 41 },
				text: "Refunds take 14 days.",
				score: expect.any(Number),
				metadata: { team: "a" },
			},
		]);
		expect((await knowledge.getKnowledgeBase(base.id)).documents).toEqual({
			total: 1,
			queued: 0,
			processing: 0,
			ready: 1,
			failed: 0,
		});
		expect(countRows("uploads")).toBe(0);
	});

	it("without a source, the same content again is the same document", async () => {
		const [first] = await add({ content: "Refunds take 14 days." });
		const [again, other] = await add({ content: "Refunds take 14 days." }, { content: "Other." });
		expect(again).toMatchObject({ id: first?.id, status: "ready" });
		expect(other?.id).not.toBe(first?.id);
		expect(await count()).toBe(2);
		const [renamed] = await add({ content: "Refunds take 14 days.", title: "Money back" });
		expect(renamed).toMatchObject({ id: first?.id, status: "queued", title: "Money back" });
		expect(await find("money")).toHaveLength(1);
	});

	it("with a source, the same content is kept apart, and twice in one upload is once", async () => {
		const content = "Refunds take 14 days.";
		const [first, second, third] = await add(
			{ content, source: "a" },
			{ content, source: "b" },
			{ content, source: "a" },
		);
		expect(second?.id).not.toBe(first?.id);
		expect(third?.id).toBe(first?.id);
		expect((await knowledge.listDocuments(base.id, { limit: 10 })).map(({ id }) => id).sort()).toEqual(
			[first?.id, second?.id].sort(),
		);
		const [without] = await add({ content });
		expect([first?.id, second?.id]).not.toContain(without?.id);
	});

	it("with a source, are replaced under the same id; the old passages stay until the new are there", async () => {
		const [old] = await add({ content: "Refunds take 14 days.", source: "a.md", metadata: { version: "1" } });
		const replacing = knowledge.addDocuments(base.id, [
			{ content: "Returns take 30 days.", source: "a.md", format: "markdown" },
		]);
		const [replaced] = await replacing;
		expect(replaced).toMatchObject({ id: old?.id, status: "queued", metadata: { version: "1" } });
		expect(await findTexts("refunds")).toEqual(["Refunds take 14 days."]);
		await knowledge.waitUntilIdle();
		expect(await findTexts("refunds")).toEqual([]);
		expect(await findTexts("returns")).toEqual(["Returns take 30 days."]);
		expect(await count()).toBe(1);
		expect(countRows("passages")).toBe(1);
	});

	it("that cannot be read fail with the reason, stay listed, and can be tried again", async () => {
		const [empty, binary, good] = await add(
			{ content: " " },
			{ content: "a\0b", source: "b" },
			{ content: "Good." },
		);
		expect(await knowledge.getDocument(base.id, empty?.id ?? "")).toMatchObject({
			status: "failed",
			error: { code: "no_text" },
		});
		expect(await knowledge.getDocument(base.id, good?.id ?? "")).toMatchObject({ status: "ready" });
		const failed = await knowledge.listDocuments(base.id, { limit: 10, status: "failed" });
		expect(failed.map(({ id }) => id).sort()).toEqual([empty?.id, binary?.id].sort());
		expect((await add({ content: " " }))[0]).toMatchObject({ id: empty?.id, status: "queued", error: null });
		await add({ content: "Now with text.", source: "b" });
		expect(await knowledge.listDocuments(base.id, { limit: 10, source: "b" })).toMatchObject([
			{ id: binary?.id, status: "ready", error: null },
		]);
	});

	it("of a format that is not read are refused, and the others with them", async () => {
		const adding = knowledge.addDocuments(base.id, [
			{ content: "Text.", format: "text" },
			{ content: Uint8Array.of(1), fileName: "a.dwg", mediaType: "image/vnd.dwg" },
		]);
		await expect(adding).rejects.toMatchObject({ code: "unsupported_format" });
		expect(await knowledge.listDocuments(base.id, { limit: 10 })).toEqual([]);
	});

	it("beyond the limit are refused, all of an upload; what is there can be replaced", async () => {
		const small = await startKnowledge(openKnowledgeDatabase(), inProcessReader, { maxDocuments: 2 });
		const { id } = await small.createKnowledgeBase({ name: "Small" });
		const text = (content: string, source: string) => ({ content, source, format: "text" }) as const;
		await small.addDocuments(id, [text("One.", "1")]);
		await expect(small.addDocuments(id, [text("Two.", "2"), text("Three.", "3")])).rejects.toMatchObject({
			code: "too_many_documents",
		});
		expect(await small.listDocuments(id, { limit: 10 })).toHaveLength(1);
		await small.addDocuments(id, [text("Two.", "2")]);
		await small.addDocuments(id, [text("Two again.", "2")]);
		expect(await small.listDocuments(id, { limit: 10 })).toHaveLength(2);
	});

	it("are deleted with their passages, ready or not", async () => {
		const [ready] = await add({ content: "Refunds take 14 days." });
		await knowledge.deleteDocument(base.id, ready?.id ?? "");
		expect(await find("refunds")).toEqual([]);
		const [queued] = await knowledge.addDocuments(base.id, [{ content: "Refunds", format: "text" }]);
		await knowledge.deleteDocument(base.id, queued?.id ?? "");
		await knowledge.waitUntilIdle();
		expect(await find("refunds")).toEqual([]);
		expect(countRows("passages")).toBe(0);
		expect(await count()).toBe(0);
		const missing = { code: "document_not_found" };
		await expect(knowledge.getDocument(base.id, ready?.id ?? "")).rejects.toMatchObject(missing);
		await expect(knowledge.deleteDocument(base.id, ready?.id ?? "")).rejects.toMatchObject(missing);
	});

	it("belong to their knowledge base alone", async () => {
		const other = await knowledge.createKnowledgeBase({ name: "Other" });
		const [document] = await add({ content: "Refunds take 14 days." });
		const id = document?.id ?? "";
		await expect(knowledge.getDocument(other.id, id)).rejects.toMatchObject({ code: "document_not_found" });
		await expect(knowledge.deleteDocument(other.id, id)).rejects.toMatchObject({
			code: "document_not_found",
		});
		expect(await knowledge.search({ query: "refunds", knowledge_base_ids: [other.id] })).toEqual([]);
		expect(await find("refunds")).toHaveLength(1);
	});

	it("of many transactions show all their passages at once", async () => {
		const sections = Array.from(
			{ length: 900 },
			(_, index) => `## Part ${index}\n\n${"Refunds and so on. ".repeat(20)}`,
		);
		const [document] = await add({ content: sections.join("\n\n") });
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({
			status: "ready",
			passage_count: 900,
		});
		expect(countRows("passage_sweeps")).toBe(0);
		await add({ content: "Short." });
		await knowledge.deleteDocument(base.id, document?.id ?? "");
		await knowledge.waitUntilIdle();
		expect(countRows("passages")).toBe(1);
	});
});

describe("search", () => {
	it("searches several knowledge bases at once, best first", async () => {
		const other = await knowledge.createKnowledgeBase({ name: "Other" });
		await add({ content: "Refunds of gift cards take 30 days." }, { content: "Shipping is free." });
		await knowledge.addDocuments(other.id, [
			{ content: "Gift cards are sold here, with many more words around them.", format: "text" },
		]);
		await knowledge.waitUntilIdle();
		const found = await knowledge.search({
			query: "gift card refunds",
			knowledge_base_ids: [other.id, base.id],
		});
		expect(found.map(({ knowledge_base_id }) => knowledge_base_id)).toEqual([base.id, other.id]);
	});

	it("finds the one passage of a small knowledge base beside a large one", async () => {
		const texts = Array.from({ length: 60 }, (_, index) => `Parental policy ${index}: leave of the company.`);
		await add(...texts.map((content) => ({ content })));
		const small = await knowledge.createKnowledgeBase({ name: "Small" });
		const irrelevant = await knowledge.createKnowledgeBase({ name: "Irrelevant" });
		const put = (id: string, content: string) => knowledge.addDocuments(id, [{ content, format: "text" }]);
		await put(small.id, "Grandparental leave: three days of the company for each grandchild.");
		await put(irrelevant.id, "The company sells bricks.");
		await knowledge.waitUntilIdle();
		const found = await knowledge.search({
			query: "grandchild leave days of the company",
			knowledge_base_ids: [irrelevant.id, base.id, small.id],
		});
		expect(found[0]?.knowledge_base_id).toBe(small.id);
	});

	it.each([
		["refunding policies", "The policy on refunds"],
		["CAFE", "Ein Café"],
		["ｆｕｌｌ　ｗｉｄｔｈ", "full width"],
		["Größe", "Angaben zur Größe"],
		["梅雨の時期", "日本の梅雨は六月に始まる"],
		["雨", "梅雨"],
		["주소는 어떻게", "IPv6 주소를 적는다"],
		['"refund" OR NOT (x', "A refund"],
		["text:refund AND *", "A refund"],
		['kb1" OR "refund', "A refund"],
	])("finds %s in %s", async (query, text) => {
		await add({ content: text }, { content: "nothing of the kind" });
		expect(await findTexts(query)).toEqual([text]);
	});

	it.each(["", "?!", '"', "*", "kb1", "knowledge_base"])("finds nothing for %j", async (query) => {
		await add({ content: "A refund" });
		expect(await find(query)).toEqual([]);
	});

	it("finds by title and heading, and gives no more than asked for", async () => {
		await add({ content: "# Leave\n\n## Parental\n\nSixteen weeks." }, { content: "Other." });
		expect(await findTexts("parental leave")).toEqual(["Sixteen weeks."]);
		await add(...Array.from({ length: 20 }, (_, index) => ({ content: `Refund number ${index}` })));
		expect(await find("refund")).toHaveLength(8);
		expect(await find("refund", { top_k: 15 })).toHaveLength(15);
	});

	it("returns a passage once, whichever documents and knowledge bases repeat it, and fills up with others", async () => {
		const copy = await knowledge.createKnowledgeBase({ name: "Copy" });
		const put = (id: string, text: string, source: string) =>
			knowledge.addDocuments(id, [{ content: `# Shop\n\n${text}`, format: "markdown", source }]);
		for (const id of [base.id, copy.id])
			for (const [index, space] of [..." \n ".repeat(7)].entries())
				await put(id, `## Returns\n\nRefunds of gift${space}cards take 30 days.`, `copy-${index}`);
		await put(base.id, "## Shipping\n\nRefunds of gift cards take 30 days.", "shipping");
		await put(base.id, "## More\n\nRefunds and more.", "more");
		await knowledge.waitUntilIdle();
		const found = await knowledge.search({
			query: "refunds of gift cards",
			knowledge_base_ids: [base.id, base.id, copy.id],
			top_k: 3,
		});
		expect(found.map(({ place, text }) => [place.heading, text.replace(/\s+/g, " ")]).sort()).toEqual([
			["More", "Refunds and more."],
			["Returns", "Refunds of gift cards take 30 days."],
			["Shipping", "Refunds of gift cards take 30 days."],
		]);
		expect(new Set(found.map(({ passage_id }) => passage_id)).size).toBe(3);
	});

	it("finds only documents with the metadata asked for, however many others fit better", async () => {
		await add(
			...Array.from({ length: 100 }, (_, index) => ({
				content: `Refund ${index}`,
				metadata: { lang: "en" },
			})),
		);
		await add({
			content: "Much is said here, and at the very end a refund",
			metadata: { lang: "de", year: 2024 },
		});
		expect(await findTexts("refund", { filter: { lang: "de" } })).toHaveLength(1);
		expect(await findTexts("refund", { filter: { lang: "de", year: 2024 } })).toHaveLength(1);
		expect(await findTexts("refund", { filter: { lang: "de", year: "2024" } })).toEqual([]);
		expect(await findTexts("refund", { filter: { constructor: "x" } })).toEqual([]);
	});
});
