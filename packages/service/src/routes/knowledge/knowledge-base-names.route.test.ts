import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";

let service: TestService;
beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.end());

const BASES = "/v1/knowledge-bases";
const create = async (json: object) => (await service.send(BASES, { json })).body;

/** A knowledge base with one document that was read. */
async function createRead(json: object, text: string): Promise<{ id: string; slug: string }> {
	const created = await create(json);
	await service.send(`${BASES}/${created.slug}/documents`, { json: { text, source: "a.txt" } });
	await vi.waitFor(async () => {
		const { body } = await service.send(`${BASES}/${created.slug}`);
		expect(body.documents.ready).toBe(1);
	}, 30_000);
	return created;
}

describe("the slug of a knowledge base", () => {
	it("is made from the name, with a number where it is taken, also by requests at once", async () => {
		const made = await Promise.all(Array.from({ length: 4 }, () => create({ name: "Price list" })));
		expect(made.map(({ slug }) => slug).sort()).toEqual([
			...["price-list", "price-list-2", "price-list-3", "price-list-4"],
		]);
		expect((await create({ name: "客服" })).slug).toBe("knowledge-base");
	});

	it("may be chosen and changed, and belongs to one alone", async () => {
		const created = await create({ name: "Rules", slug: "house-rules" });
		expect(created).toMatchObject({ slug: "house-rules", name: "Rules" });
		const taken = await service.send(BASES, { json: { name: "Other", slug: "house-rules" } });
		expect({ status: taken.status, ...taken.body.error }).toMatchObject({
			...{ status: 409, code: "slug_taken", param: "slug" },
		});
		await create({ name: "Other" });
		const clash = await service.send(`${BASES}/other`, { method: "PATCH", json: { slug: "house-rules" } });
		expect([clash.status, clash.body.error.code]).toEqual([409, "slug_taken"]);
		const changed = await service.send(`${BASES}/house-rules`, { method: "PATCH", json: { slug: "rules" } });
		expect([changed.body.id, changed.body.slug]).toEqual([created.id, "rules"]);
		expect((await service.send(`${BASES}/house-rules`)).status).toBe(404);
	});

	it.each(["kb_01kambn3qd3c0v1yw5x2f8zt4r", "A", "a--b", "-a", "a b", "", "a".repeat(65)])(
		"is never %j",
		async (slug) => {
			const { status, body } = await service.send(BASES, { json: { name: "A", slug } });
			expect([status, body.error.param]).toEqual([400, "slug"]);
		},
	);
});

describe("a slug in place of an id", () => {
	let office: { readonly id: string; readonly slug: string };
	beforeAll(async () => {
		office = await createRead({ name: "Office" }, "The office opens at nine.");
	});

	it("names the knowledge base in every route", async () => {
		expect((await service.send(`${BASES}/office`)).body.id).toBe(office.id);
		const { body } = await service.send(`${BASES}/office/documents`);
		const [document] = body.data;
		expect(document.knowledge_base_id).toBe(office.id);
		const path = `${BASES}/office/documents/${document.id}`;
		expect((await service.send(path)).body.knowledge_base_id).toBe(office.id);
		for (const part of ["text", "file"]) expect((await service.send(`${path}/${part}`)).status).toBe(200);
	});

	it("names it in questions, with its id or twice as well", async () => {
		for (const knowledge_base_ids of [["office"], ["office", office.id, "office"]]) {
			const found = await service.send("/v1/search", { json: { query: "opens", knowledge_base_ids } });
			expect(found.body.passages).toMatchObject([{ knowledge_base_id: office.id, knowledge_base: "office" }]);
			const json = { question: "When does the office open?", knowledge_base_ids };
			const answered = await service.send("/v1/ask", { json });
			expect([answered.status, answered.body.citations.length]).toEqual([200, 1]);
		}
	});

	it("is suggested where it was probably meant", async () => {
		const paths = [`${BASES}/ofice`, `${BASES}/ofice/documents`];
		const answers = [
			...(await Promise.all(paths.map((path) => service.send(path)))),
			await service.send("/v1/search", { json: { query: "a", knowledge_base_ids: ["ofice"] } }),
		];
		for (const { status, body } of answers)
			expect({ status, ...body.error }).toMatchObject({
				...{ status: 404, code: "knowledge_base_not_found" },
				message: 'There is no knowledge base "ofice". Did you mean "office"?',
			});
	});

	it("is stored in a graph as it is written, and read when the agent runs", async () => {
		const graph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "pages", kind: "knowledge", knowledgeBases: ["office"] },
			],
			edges: [{ from: "desk", to: "pages", mode: "before" }],
		};
		const stored = await service.send("/v1/agents", { json: { slug: "desk", graph } });
		expect([stored.status, stored.body.graph.nodes[1].knowledgeBases]).toEqual([201, ["office"]]);
		const run = () => service.send("/v1/agents/desk/run", { json: { input: "When does the office open?" } });
		expect((await run()).body.output).toContain("nine");
		await service.send(`${BASES}/office?force=true`, { method: "PATCH", json: { slug: "hours" } });
		const { status, error } = (await run()).body;
		expect({ status, ...error }).toMatchObject({ status: "failed", code: "knowledge_base_not_found" });
		await service.send(`${BASES}/hours`, { method: "PATCH", json: { slug: "office" } });
		expect((await run()).body.status).toBe("completed");
	});
});

describe("a client key for knowledge bases that are named by slug", () => {
	it("stores their ids: it may not read what gets the slug later", async () => {
		const before = await createRead({ name: "Public" }, "The harbour opens at ten.");
		await createRead({ name: "Internal" }, "The harbour closes at five.");
		const json = { name: "Site", native: true, knowledge_base_ids: ["public", before.id] };
		const key = (await service.send("/v1/client-keys", { json })).body;
		expect(key.knowledge_base_ids).toEqual([before.id]);
		const search = (name: string) =>
			service.send("/v1/search", {
				...{ json: { query: "harbour", knowledge_base_ids: [name] }, credential: key.client_key },
			});
		expect((await search("public")).body.passages).toHaveLength(1);
		const hidden = await search("internal");
		expect([hidden.status, hidden.body.error.message]).toEqual([
			404,
			'There is no knowledge base "internal".',
		]);
		await service.send(`${BASES}/public`, { method: "DELETE" });
		await service.send(`${BASES}/internal`, { method: "PATCH", json: { slug: "public" } });
		expect((await search("public")).status).toBe(404);
	});

	it("is not made for one that does not exist", async () => {
		const json = { name: "Site", native: true, knowledge_base_ids: ["nothing-here"] };
		const { status, body } = await service.send("/v1/client-keys", { json });
		expect([status, body.error.code]).toEqual([404, "knowledge_base_not_found"]);
	});
});

describe("a knowledge base that agents name", () => {
	const graphOf = (name: string) => ({
		nodes: [
			{ id: "desk", kind: "coordinator", instructions: 'Say "used" and "unused".' },
			{ id: "pages", kind: "knowledge", knowledgeBases: [name] },
		],
		edges: [{ from: "desk", to: "pages" }],
	});
	const send = (path: string, more: object) => service.send(`${BASES}/${path}`, more);

	it("is not deleted, and says which, unless that is forced", async () => {
		const { id } = await create({ name: "Used" });
		await create({ name: "Unused" });
		for (const [slug, name] of [
			["by-id", id],
			["by-slug", "used"],
		])
			await service.send("/v1/agents", { json: { slug, graph: graphOf(String(name)) } });
		const refused = await send("used", { method: "DELETE" });
		expect({ status: refused.status, ...refused.body.error }).toMatchObject({
			...{ status: 409, code: "knowledge_base_in_use" },
			message: '2 agents name the knowledge base "used": "by-id", "by-slug".',
			details: { agents: [{ slug: "by-id" }, { slug: "by-slug" }] },
		});
		const credential = await getToken(service.current(), service.credentials, "knowledge:write");
		const hidden = await send("used", { method: "DELETE", credential });
		expect(hidden.status).toBe(409);
		expect(JSON.stringify(hidden.body)).not.toContain("by-slug");
		expect((await send("unused", { method: "DELETE" })).status).toBe(200);
		expect((await send("used?force=yes", { method: "DELETE" })).status).toBe(400);
		expect((await send("used?force=true", { method: "DELETE" })).body).toEqual({ id, deleted: true });
		const run = await service.send("/v1/agents/by-slug/run", { json: { input: "?" } });
		expect(JSON.stringify(run.body)).not.toContain("internal_error");
	});

	it("keeps its slug, unless that is forced; its id goes on", async () => {
		const { id } = await create({ name: "Fees" });
		await service.send("/v1/agents", { json: { slug: "fees", graph: graphOf(id) } });
		const patch = (path: string, json: object) => send(path, { method: "PATCH", json });
		expect((await patch("fees", { slug: "prices" })).body.slug).toBe("prices");
		await service.send("/v1/agents", { json: { slug: "prices", graph: graphOf("prices") } });
		const refused = await patch("prices", { slug: "fees" });
		expect([refused.status, refused.body.error.code]).toEqual([409, "knowledge_base_in_use"]);
		expect((await patch("prices", { slug: "prices", name: "Prices" })).body.name).toBe("Prices");
		expect((await patch("prices?force=true", { slug: "fees" })).body.slug).toBe("fees");
	});
});

describe("a failed document", () => {
	it("is read again from its stored file, and one that has not failed stays as it is", async () => {
		const { slug } = await createRead({ name: "Retries" }, "The pier is closed.");
		const path = `${BASES}/${slug}/documents`;
		const form = new FormData();
		form.append("file", new File(["%PDF-1.7 nothing"], "broken.pdf"));
		const token = await getToken(service.current(), service.credentials);
		const request = { method: "POST", headers: { authorization: `Bearer ${token}` }, body: form };
		const uploaded = await service.current().fetch(new Request(`http://127.0.0.1:4000${path}`, request));
		const [broken] = ((await uploaded.json()) as { data: { id: string }[] }).data;
		if (broken === undefined) return expect.unreachable();
		const readWithStatus = (status: string) =>
			vi.waitFor(async () => {
				const { body } = await service.send(`${path}/${broken.id}`);
				expect(body.status).toBe(status);
				return body;
			}, 30_000);
		const before = await readWithStatus("failed");
		const retried = await service.send(`${path}/${broken.id}/retry`, { method: "POST" });
		expect({ status: retried.status, ...retried.body }).toMatchObject({ id: broken.id, error: null });
		const after = await readWithStatus("failed");
		expect([after.error, after.updated_at > before.updated_at]).toEqual([before.error, true]);
		const [ready] = (await service.send(`${path}?status=ready`)).body.data;
		expect((await service.send(`${path}/${ready.id}/retry`, { method: "POST" })).body).toEqual(ready);
		const missing = await service.send(`${path}/doc_00000000000000000000000000/retry`, { method: "POST" });
		expect([missing.status, missing.body.error.code]).toEqual([404, "document_not_found"]);
	});
});

it("suggests nothing to a client that may not see knowledge bases", async () => {
	const credential = await getToken(service.current(), service.credentials, "agents:write");
	expect((await service.send(`${BASES}/pric-list`, { credential })).status).toBe(403);
});
