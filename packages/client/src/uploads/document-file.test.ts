import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigurationError, type Fetch, knowledge } from "../index";
import { clientOf, useTestServer } from "../test-support/test-client";
import { type RequestHandler, respondWithError } from "../test-support/test-server";

const server = useTestServer();
const connect = (options = {}) => knowledge(clientOf(server(), options)).documents;

const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
const SHA256 = createHash("sha256").update(BYTES).digest("hex");
const route = "GET /v1/knowledge-bases/:id/documents/:id/(text|file)";

const respondWithFile =
	(headers: Record<string, string> = {}, status = 200): RequestHandler =>
	(_, response) =>
		void response
			.writeHead(status, {
				"x-request-id": "req_1",
				"content-type": "application/octet-stream",
				"content-disposition": `attachment; filename="h_fen.bin"; filename*=UTF-8''h%C3%A4fen.bin`,
				etag: `"${SHA256}"`,
				"content-length": BYTES.byteLength,
				...headers,
			})
			.end(BYTES);

describe("the file of a document", () => {
	it("has its name, type, size and hash, and comes whole or in pieces", async () => {
		server().on(route, respondWithFile());
		const file = await connect().file("kb_1", "doc_1");
		expect(file).toMatchObject({
			...{ requestId: "req_1", name: "häfen.bin", type: "application/octet-stream" },
			...{ size: 300_000, sha256: SHA256 },
		});
		expect(Buffer.from(await file.bytes()).equals(BYTES)).toBe(true);
		const pieces: Uint8Array[] = [];
		for await (const piece of await connect().file("kb_1", "doc_1")) pieces.push(piece);
		expect(Buffer.concat(pieces).equals(BYTES)).toBe(true);
		expect(server().requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
	});

	it("may be asked for in part", async () => {
		server().on(route, respondWithFile({}, 206));
		for (const range of [{}, { start: 5 }, { end: 10 }, { start: 5, end: 10 }])
			(await connect().file("kb_1", "doc_1", range)).close();
		expect(server().requests.map(({ headers }) => headers.range)).toEqual([
			...[undefined, "bytes=5-", "bytes=0-9", "bytes=5-9"],
		]);
		await expect(connect().file("kb_1", "doc_1", { start: 5, end: 5 })).rejects.toThrow(ConfigurationError);
	});

	it("of a service that says nothing of it has no name and no hash", async () => {
		server().on(
			route,
			respondWithFile({ "content-disposition": "attachment; filename*=UTF-8''%", etag: "x" }),
		);
		const file = await connect().file("kb_1", "doc_1");
		expect([file.name, file.sha256]).toEqual(["", ""]);
		file.close();
	});

	it("needs a platform that gives bytes", async () => {
		server().on(route, respondWithFile());
		const textOnly: Fetch = async (url, init) => {
			const { status, ok, headers, ...response } = await fetch(url, init as RequestInit);
			return { status, ok, headers, text: async () => String(response), body: null };
		};
		const file = await connect({ fetch: textOnly }).file("kb_1", "doc_1");
		await expect(file.bytes()).rejects.toThrow(TypeError);
	});

	it("fails with the service's code", async () => {
		server().on(route, respondWithError(404, { code: "original_not_stored" }));
		await expect(connect().file("kb_1", "doc_1")).rejects.toMatchObject({ code: "original_not_stored" });
	});
});

it("reads the text of a document, or a range of it", async () => {
	server().on(
		route,
		(_, response) => void response.writeHead(200, { "x-request-id": "req_2" }).end("Häfen 𝄞"),
	);
	const { text, requestId } = await connect().text("kb_1", "doc_1");
	expect([text, requestId]).toEqual(["Häfen 𝄞", "req_2"]);
	await connect().text("kb_1", "doc_1", { start: 3, end: 9 });
	expect(server().requests.map(({ path, query }) => `${path}?${query}`)).toEqual([
		"/v1/knowledge-bases/kb_1/documents/doc_1/text?",
		"/v1/knowledge-bases/kb_1/documents/doc_1/text?start=3&end=9",
	]);
});
