import { randomBytes } from "node:crypto";
import type { DocumentUpload, KnowledgeBase, KnowledgeDocument } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";

import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

let deployment: TestDeployment;
let workspace: TestWorkspace;
let documents: string;

beforeAll(async () => {
	deployment = await openTestDeployment(built);
	workspace = await deployment.addWorkspace("tests");
	const base = await getBody<KnowledgeBase>(
		workspace.send("POST", "/v1/knowledge-bases", { json: { name: "Handbook" } }),
	);
	documents = `/v1/knowledge-bases/${base.id}/documents`;
});
afterAll(() => deployment?.close());

interface UploadedFile {
	readonly name: string;
	readonly bytes: Uint8Array<ArrayBuffer> | string;
	readonly type?: string;
	readonly source?: string;
}

/** Uploads a file, and returns the path of its document once it is read. */
async function upload({ name, bytes, type = "", source }: UploadedFile): Promise<string> {
	const form = new FormData();
	form.append("file", new File([bytes], name, { type }));
	if (source !== undefined) form.append("source", source);
	const { headers, body } = new Request("http://form.test", { method: "POST", body: form });
	const request = {
		body: await new Response(body).arrayBuffer(),
		headers: { "content-type": headers.get("content-type") ?? "" },
	};
	const { data } = await getBody<DocumentUpload>(workspace.send("POST", documents, request));
	const [document] = data;
	if (document === undefined) return expect.unreachable();
	const path = `${documents}/${document.id}`;
	await expect
		.poll(async () => (await getBody<KnowledgeDocument>(workspace.send("GET", path))).status)
		.toMatch(/ready|failed/);
	return path;
}

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
	workspace.send(method, path, { headers });

const TEXT = "# Häfen\n\nThe harbour 𝄞 opens at nine.";
/** More than one piece of the store. */
const LONG = Array.from({ length: 20_000 }, (_, line) => `Line ${line} of the harbour’s rules.`).join("\n");

describe("the file of a document", () => {
	it("is as it was uploaded, and no browser runs it", async () => {
		const path = await upload({ name: "häfen.md", bytes: TEXT });
		const { status, headers, text } = await get(`${path}/file`);
		expect([status, text]).toEqual([200, TEXT]);
		expect(Object.fromEntries(headers)).toMatchObject({
			"content-type": "text/plain",
			"content-length": String(Buffer.byteLength(TEXT)),
			"content-disposition": `attachment; filename="h_fen.md"; filename*=UTF-8''h%C3%A4fen.md`,
			"accept-ranges": "bytes",
			etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
			"x-content-type-options": "nosniff",
			"content-security-policy": "default-src 'none'; sandbox",
			"cache-control": "private, no-cache",
		});
	});

	it.each([
		["page.html", "<script>alert(1)</script><p>Harbour", "application/octet-stream", "page.html"],
		['../"a";\r\nb.txt', "Harbour one", "text/plain", null],
		["C:\\docs\\ferry.txt", "Harbour two", "text/plain", "ferry.txt"],
	])("%j has a harmless name and type", async (name, bytes, type, saved) => {
		const { headers } = await get(`${await upload({ name, bytes })}/file`);
		expect(headers.get("content-type")).toBe(type);
		const disposition = headers.get("content-disposition") ?? "";
		expect(disposition).toMatch(/^attachment; filename="[^"/\\]+"; filename\*=UTF-8''[\w.%!#$&+^`|~-]+$/);
		if (saved !== null) expect(disposition).toContain(`filename="${saved}"`);
	});

	it("comes in parts, and tells which there are not", async () => {
		const path = `${await upload({ name: "long.txt", bytes: LONG })}/file`;
		const bytes = Buffer.from(LONG);
		const whole = await get(path);
		expect(whole.text === LONG).toBe(true);
		const size = bytes.byteLength;
		expect(whole.headers.get("content-length")).toBe(String(size));
		for (const [range, start, end] of [
			["bytes=0-0", 0, 1],
			[`bytes=262000-${size - 3}`, 262_000, size - 2],
			["bytes=300000-300009", 300_000, 300_010],
			["bytes=-5", size - 5, size],
		] as const) {
			const part = await get(path, { range });
			expect([part.status, part.headers.get("content-range")]).toEqual([
				206,
				`bytes ${start}-${end - 1}/${size}`,
			]);
			expect(part.headers.get("content-length")).toBe(String(end - start));
			expect(part.text === bytes.subarray(start, end).toString()).toBe(true);
		}
		const beyond = await get(path, { range: `bytes=${size}-` });
		expectApiError(beyond, 416, "range_not_satisfiable");
		expect(beyond.headers.get("content-range")).toBe(`bytes */${size}`);
	});

	it("is not sent again to a client that has it", async () => {
		const path = `${await upload({ name: "once.txt", bytes: "Once.", source: "once" })}/file`;
		const etag = (await get(path)).headers.get("etag") ?? "";
		const unmodified = await get(path, { "if-none-match": etag });
		expect([unmodified.status, unmodified.text, unmodified.headers.get("etag")]).toEqual([304, "", etag]);
		const range = "bytes=1-2";
		expect((await get(path, { range, "if-range": etag })).text).toBe("nc");
		await upload({ name: "once.txt", bytes: "Twice.", source: "once" });
		expect((await get(path, { "if-none-match": etag })).text).toBe("Twice.");
		expect(await get(path, { range, "if-range": etag })).toMatchObject({ status: 200, text: "Twice." });
	});

	it("is announced by HEAD", async () => {
		const path = `${await upload({ name: "head.txt", bytes: "harbour ".repeat(62_500) })}/file`;
		const head = await get(path, {}, "HEAD");
		expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "500000"]);
		expect((await get(path, { range: "bytes=5-9" }, "HEAD")).headers.get("content-range")).toBe(
			"bytes 5-9/500000",
		);
	});

	it("of a document that cannot be read is there", async () => {
		const path = await upload({ name: "blank.txt", bytes: "  \n " });
		expect((await get(`${path}/file`)).text).toBe("  \n ");
		expectApiError(await get(`${path}/text`), 409, "document_not_ready");
	});
});

describe("the text of a document", () => {
	it("is as it was read, in UTF-8, whole or by the ranges of its passages", async () => {
		const latin = Buffer.from("Für Häfen gilt: neun Uhr.", "latin1");
		const path = `${await upload({ name: "latin.txt", bytes: new Uint8Array(latin) })}/text`;
		const { headers, text } = await get(path);
		expect(text).toBe("Für Häfen gilt: neun Uhr.");
		expect(Object.fromEntries(headers)).toMatchObject({
			"content-type": "text/plain; charset=utf-8",
			"content-security-policy": "default-src 'none'; sandbox",
			"x-content-type-options": "nosniff",
		});
		expect((await get(`${path}?start=4&end=9`)).text).toBe("Häfen");
		expect((await get(path, { range: "bytes=-4" })).text).toBe("Uhr.");
	});

	it("is cut by UTF-16 code units, never in the middle of a character", async () => {
		const path = `${await upload({ name: "cut.md", bytes: TEXT })}/text`;
		const clef = TEXT.indexOf("𝄞");
		const cut = async (query: string) => (await get(`${path}?${query}`)).text;
		expect(await cut(`start=${clef}&end=${clef + 2}`)).toBe("𝄞");
		expect(await cut(`start=${clef + 1}&end=${clef + 3}`)).toBe(" ");
		expect(await cut(`end=${clef + 1}`)).toBe(TEXT.slice(0, clef));
		expect(await cut(`start=${TEXT.length - 5}`)).toBe("nine.");
		expect([await cut("start=5&end=5"), await cut("start=9999")]).toEqual(["", ""]);
	});

	it("has another tag for each range", async () => {
		const path = `${await upload({ name: "tags.txt", bytes: "Tags of the harbour." })}/text`;
		const tag = async (query: string) => (await get(`${path}${query}`)).headers.get("etag") ?? "";
		const tags = [await tag(""), await tag("?start=1"), await tag("?start=1&end=3")];
		expect(new Set(tags).size).toBe(3);
		expect((await get(`${path}?start=1`, { "if-none-match": tags[1] ?? "" })).status).toBe(304);
		expect((await get(`${path}?start=1`, { "if-none-match": tags[0] ?? "" })).status).toBe(200);
	});

	it.each(["start=-1", "start=x", "end=1.5", "start=3&end=2", "start=1&start=2", "page=1"])(
		"refuses ?%s",
		async (query) => {
			const path = await upload({ name: "query.txt", bytes: "Query." });
			const answer = await get(`${path}/text?${query}`);
			expect(answer.status).toBe(400);
		},
	);
});

describe("files and texts", () => {
	it("are gone with their document, and are not for client keys", async () => {
		const path = await upload({ name: "gone.txt", bytes: "Gone." });
		const { client_key: token } = await getBody<{ client_key: string }>(
			workspace.send("POST", "/v1/client-keys", { json: { name: "app", native: true } }),
		);
		for (const kind of ["text", "file"])
			expectApiError(
				await workspace.send("GET", `${path}/${kind}`, { token }),
				403,
				"not_allowed_for_client_key",
			);
		await getBody(workspace.send("DELETE", path));
		for (const kind of ["text", "file"])
			expectApiError(await get(`${path}/${kind}`), 404, "document_not_found");
	});

	it("count as what the workspace stores, until they are deleted", async () => {
		const readBytes = async () =>
			(await getBody<{ storage: { bytes: number } }>(workspace.send("GET", "/v1/usage"))).storage.bytes;
		const before = await readBytes();
		const bytes = randomBytes(65_536).toString("hex");
		const path = await upload({ name: "stored.txt", bytes: `${bytes}\n`.repeat(20) });
		expect((await readBytes()) - before).toBeGreaterThan(2_500_000);
		await getBody(workspace.send("DELETE", path));
		await expect.poll(async () => (await readBytes()) - before).toBeLessThan(200_000);
	});
});
