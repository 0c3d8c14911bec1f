import { describe, expect, it } from "vitest";
import {
	ConfigurationError,
	DocumentFailedError,
	knowledge,
	TimeoutError,
	type UploadRequest,
	type WaitProgress,
} from "../../index";
import { clientOf, useTestServer } from "../../test-support/test-client";
import { respondWithError, respondWithJson, sendJson } from "../../test-support/test-server";

const server = useTestServer();
const connect = () => knowledge(clientOf(server()));

describe("lists", () => {
	const servePages = () =>
		server().on("GET /v1/knowledge-bases", ({ query }, response) => {
			const from = Number(query.get("after") ?? 0);
			const limit = Number(query.get("limit") ?? 2);
			const data = [1, 2, 3, 4, 5].slice(from, from + limit).map((n) => ({ id: `kb_${n}` }));
			const has_more = from + limit < 5;
			respondWithJson({ data, has_more, next: has_more ? String(from + limit) : null })(
				{} as never,
				response,
			);
		});

	it("are pages when they are awaited", async () => {
		servePages();
		const page = await connect().list({ limit: 3 });
		expect(page).toEqual({
			data: [{ id: "kb_1" }, { id: "kb_2" }, { id: "kb_3" }],
			has_more: true,
			next: "3",
		});
		expect(page.requestId).toBe("req_1");
		expect((await connect().list({ limit: 3, after: "3" })).data).toHaveLength(2);
	});

	it("are all items when they are looped over", async () => {
		servePages();
		const ids: string[] = [];
		for await (const { id } of connect().list()) ids.push(id);
		expect(ids).toEqual(["kb_1", "kb_2", "kb_3", "kb_4", "kb_5"]);
		expect(server().requests.map(({ query }) => query.toString())).toEqual(["", "after=2", "after=4"]);
	});

	it("ask for no more than is looped over", async () => {
		servePages();
		for await (const { id } of connect().list()) if (id === "kb_2") break;
		expect(server().requests).toHaveLength(1);
	});

	it("go on after an empty page, and begin where they are told", async () => {
		const page = (data: readonly object[], next: string | null) => ({ data, has_more: next !== null, next });
		server().sequence(
			"GET /v1/knowledge-bases",
			...[page([], "2"), page([{ id: "kb_3" }], "3"), page([], null)].map((body) => respondWithJson(body)),
		);
		const ids: string[] = [];
		for await (const { id } of connect().list({ after: "1", limit: 2 })) ids.push(id);
		expect(ids).toEqual(["kb_3"]);
		expect(server().requests.map(({ query }) => query.get("after"))).toEqual(["1", "2", "3"]);
		expect(new Set(server().requests.map(({ query }) => query.get("limit")))).toEqual(new Set(["2"]));
	});

	it("end between pages when they are aborted", async () => {
		servePages();
		const controller = new AbortController();
		const reason = new Error("enough");
		const ids: string[] = [];
		const reading = (async () => {
			for await (const { id } of connect().list({}, { signal: controller.signal })) {
				ids.push(id);
				controller.abort(reason);
			}
		})();
		await expect(reading).rejects.toBe(reason);
		expect(ids).toEqual(["kb_1", "kb_2"]);
		expect(server().requests).toHaveLength(1);
	});

	it.each([
		["repeat a page", { data: [], has_more: true, next: "1" }],
		["are none", { has_more: false, next: null }],
	])("end with an error when they %s", async (_, body) => {
		server().on("GET /v1/knowledge-bases", respondWithJson(body));
		const reading = (async () => {
			for await (const _ of connect().list()) expect.unreachable();
		})();
		await expect(reading).rejects.toMatchObject({
			code: "invalid_response",
			requestId: expect.stringMatching(/^req_/),
		});
		expect(server().requests.length).toBeLessThan(3);
	});

	it("fail as other calls do", async () => {
		server().on("GET /v1/knowledge-bases", respondWithError(403, { code: "missing_scope" }));
		await expect(Promise.resolve(connect().list())).rejects.toMatchObject({ code: "missing_scope" });
	});
});

it("makes, changes and deletes knowledge bases", async () => {
	server().on("(POST|GET|PATCH|DELETE) /v1/knowledge-bases(/kb_1)?", respondWithJson({ id: "kb_1" }));
	const { create, get, update, delete: remove } = connect();
	await create({ name: "A" });
	await get("kb_1");
	await update("kb_1", { description: null });
	await remove("kb_1");
	await update("kb_1", { slug: "rules" }, { force: true });
	await remove("kb_1", { force: true });
	expect(
		server().requests.map(({ method, path, query, body }) => `${method} ${path} ${query}${body}`),
	).toEqual([
		'POST /v1/knowledge-bases {"name":"A"}',
		"GET /v1/knowledge-bases/kb_1 ",
		'PATCH /v1/knowledge-bases/kb_1 {"description":null}',
		"DELETE /v1/knowledge-bases/kb_1 ",
		'PATCH /v1/knowledge-bases/kb_1 force=true{"slug":"rules"}',
		"DELETE /v1/knowledge-bases/kb_1 force=true",
	]);
});

describe("uploads", () => {
	const route = "POST /v1/knowledge-bases/:id/documents";

	async function upload(request: UploadRequest) {
		server().on(route, respondWithJson({ data: [{ id: "doc_1" }] }, 202));
		expect(await connect().documents.upload("kb_1", request)).toEqual({ data: [{ id: "doc_1" }] });
		const { body, headers } = server().requests[0] ?? expect.unreachable();
		const type = headers["content-type"] ?? "";
		const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
		return Promise.all(
			[...form].map(async ([name, value]) =>
				typeof value === "string" ? [name, value] : [name, value.name, await value.text()],
			),
		);
	}

	it("carry text as JSON", async () => {
		server().on(route, respondWithJson({ data: [] }, 202));
		await connect().documents.addText("kb_1", { text: "# A", source: "a.md" });
		expect(server().requests[0]?.json()).toEqual({ text: "# A", source: "a.md" });
	});

	it("carry bytes, with what is said of them", async () => {
		const file = new TextEncoder().encode("# Refunds");
		const request = {
			file,
			name: "refunds.md",
			source: "docs/refunds.md",
			title: "Refunds",
			metadata: { a: [1] },
		};
		expect(await upload(request)).toEqual([
			["file", "refunds.md", "# Refunds"],
			["source", "docs/refunds.md"],
			["title", "Refunds"],
			["metadata", '{"a":[1]}'],
		]);
	});

	it("carry files by their own names, and several at once", async () => {
		const files = [
			{ file: new File(["A"], "a.md"), source: "x/a.md" },
			{ file: new Blob(["B"]), name: "b.txt", source: "x/b.txt" },
		];
		expect(await upload({ files })).toEqual([
			["file", "a.md", "A"],
			["file", "b.txt", "B"],
			["source", "x/a.md"],
			["source", "x/b.txt"],
		]);
	});

	it("are sent again with the same idempotency key", async () => {
		server().sequence(
			route,
			respondWithError(503, { code: "storage_full" }),
			respondWithJson({ data: [] }, 202),
		);
		await connect().documents.upload("kb_1", { file: new Blob(["B"]), name: "b.txt" });
		expect(new Set(server().requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
	});

	it.each<[UploadRequest, RegExp]>([
		[{ file: new Blob(["B"]) }, /`name` is missing/],
		[{ files: [{ file: new Uint8Array(1) }] }, /`files\[0\].name` is missing/],
		[
			{
				files: [
					{ file: new Blob([]), name: "a", source: "a" },
					{ file: new Blob([]), name: "b" },
				],
			},
			/Some of `files` have a `source`/,
		],
	])("refuse what is incomplete", async (request, message) => {
		const failed = connect().documents.upload("kb_1", request);
		await expect(failed).rejects.toThrow(message);
		await expect(failed).rejects.toSatisfy(ConfigurationError.is);
	});
});

describe("documents", () => {
	it("are listed, read and deleted", async () => {
		const page = { data: [], has_more: false, next: null };
		server().on("GET /v1/knowledge-bases/kb_1/documents", respondWithJson(page));
		server().on("(GET|DELETE) /v1/knowledge-bases/kb_1/documents/doc_1", respondWithJson({ id: "doc_1" }));
		server().on("POST /v1/knowledge-bases/kb_1/documents/doc_1/retry", respondWithJson({ id: "doc_1" }));
		const { documents } = connect();
		expect(await documents.list("kb_1", { status: "failed", source: "a b" })).toEqual(page);
		expect(server().requests[0]?.query.get("source")).toBe("a b");
		expect((await documents.get("kb_1", "doc_1")).id).toBe("doc_1");
		expect((await documents.retry("kb_1", "doc_1")).id).toBe("doc_1");
		expect((await documents.delete("kb_1", "doc_1")).id).toBe("doc_1");
	});

	const route = "GET /v1/knowledge-bases/kb_1/documents/:doc";
	const stateOf = (status: string) => ({ id: "doc_1", title: "A", status, error: null });

	it("can be waited for", async () => {
		server().sequence(
			route,
			...["queued", "processing", "ready"].map((status) => respondWithJson(stateOf(status))),
		);
		const ready = await connect().documents.waitUntilReady("kb_1", ["doc_1", "doc_2"], { pollMs: 5 });
		expect(ready.map(({ status }) => status)).toEqual(["ready", "ready"]);
		expect(server().requests).toHaveLength(4);
	});

	it.each([["doc_1"], [undefined], [null], [{ data: "doc_1" }]])(
		"are not waited for by what names none: %j",
		async (wrong) => {
			const refused = connect().documents.waitUntilReady("kb_1", wrong as never);
			await expect(refused).rejects.toMatchObject({
				name: "ConfigurationError",
				message: expect.stringContaining("a list of ids"),
			});
		},
	);

	it("that failed are named", async () => {
		const failed = { ...stateOf("failed"), error: { code: "no_text", message: "There is no text." } };
		server().on(route, respondWithJson(failed));
		const upload = { data: [failed] } as never;
		const error = await connect()
			.documents.waitUntilReady("kb_1", upload)
			.catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(DocumentFailedError.is);
		expect(error).toMatchObject({
			message: expect.stringContaining("There is no text."),
			documents: [failed],
		});
	});

	let failing = "";

	/** Documents `doc_001`, …: so many more of them have ended with each look, but the first after so many looks. */
	function serveDocuments(count: number, documentsPerPoll: number, firstAfter = 0) {
		const ids = Array.from({ length: count }, (_, index) => `doc_${String(index + 1).padStart(3, "0")}`);
		let done = 0;
		const stateOf = (id: string) => {
			const isLate = id === "doc_001" && done < firstAfter * documentsPerPoll;
			const hasEnded = ids.indexOf(id) < done && !isLate;
			const status = hasEnded ? (id === failing ? "failed" : "ready") : "processing";
			return { id, title: id, status, error: null };
		};
		server().on(route, ({ path }, response) => {
			sendJson(response, stateOf(path.slice(-7)));
			done += documentsPerPoll;
		});
		server().on("GET /v1/knowledge-bases/kb_1/documents", ({ query }, response) => {
			const after = ids.filter((id) => id > (query.get("after") ?? ""));
			const data = after.slice(0, Number(query.get("limit"))).map(stateOf);
			sendJson(response, { data, has_more: data.length < after.length, next: data.at(-1)?.id ?? null });
		});
		return ids;
	}

	it("are waited for by the hundred with few requests", async () => {
		const ids = serveDocuments(500, 50);
		const seen: WaitProgress[] = [];
		const expected = ids.filter((id) => id > "doc_200").reverse();
		const onProgress = (progress: WaitProgress): void => void seen.push(progress);
		const ready = await connect().documents.waitUntilReady("kb_1", expected, { pollMs: 1, onProgress });
		expect(ready.map(({ id }) => id)).toEqual(expected);
		expect(server().requests.length).toBeLessThan(30);
		expect(seen.map((progress) => progress.ready)).toEqual(expected.map((_, index) => index + 1));
		expect(seen.at(-1)).toEqual({ ready: 300, failed: 0, total: 300 });
	});

	it("are waited for together though the first of them takes longest", async () => {
		const ids = serveDocuments(300, 100, 10);
		await connect().documents.waitUntilReady("kb_1", ids, { pollMs: 1 });
		expect(server().requests.length).toBeLessThan(40);
	});

	it("are waited for one by one where they are not together, or few", async () => {
		serveDocuments(900, 900);
		const scattered = ["doc_001", "doc_200", "doc_400", "doc_600", "doc_800", "doc_801", "doc_802"];
		await connect().documents.waitUntilReady("kb_1", ["doc_900"], { pollMs: 1 });
		const before = server().requests.length;
		await connect().documents.waitUntilReady("kb_1", scattered, { pollMs: 1 });
		const lists = server()
			.requests.slice(before)
			.filter(({ path }) => path.endsWith("/documents"));
		expect(server().requests.length - before).toBeLessThan(10);
		expect(lists).toHaveLength(1);
	});

	it("that failed among many are named when all have ended", async () => {
		failing = "doc_007";
		const ids = serveDocuments(120, 30);
		const seen: WaitProgress[] = [];
		const onProgress = (progress: WaitProgress): void => void seen.push(progress);
		const waiting = connect().documents.waitUntilReady("kb_1", ids, { pollMs: 1, onProgress });
		await expect(waiting).rejects.toMatchObject({ documents: [expect.objectContaining({ id: "doc_007" })] });
		expect(seen.at(-1)).toEqual({ ready: 119, failed: 1, total: 120 });
		failing = "";
	});

	it("are not waited for for ever", async () => {
		server().on(route, respondWithJson(stateOf("queued")));
		const options = { pollMs: 5, timeouts: { timeoutMs: 60 } };
		const waiting = connect().documents.waitUntilReady("kb_1", ["doc_1"], options);
		await expect(waiting).rejects.toSatisfy(TimeoutError.is);
	});
});
