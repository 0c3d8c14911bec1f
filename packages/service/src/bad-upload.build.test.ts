import * as built from "@stemma/service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "./test-support/expect-error";
import { type TestResponse, toStream } from "./test-support/send-request";
import { countRowsWhenIdle } from "./test-support/stored-rows";
import { addTenant, getBody, type Tenant } from "./test-support/tenant";
import { openTestDeployment, type TestDeployment } from "./test-support/test-deployment";

const UPLOAD_BYTES = 50_000;

let deployment: TestDeployment;
let tenant: Tenant;
let path: string;

beforeAll(async () => {
	deployment = await openTestDeployment(built, { limits: { upload_bytes: UPLOAD_BYTES } });
	tenant = await addTenant(deployment, "aardvark");
});
afterAll(() => deployment?.close());
beforeEach(async () => {
	const { id } = await getBody<{ id: string }>(
		tenant.send("POST", "/v1/knowledge-bases", { json: { name: "empty" } }),
	);
	path = `/v1/knowledge-bases/${id}/documents`;
});

type Part = readonly [name: string, value: string | File];

const page = (name = "page.md", text = "A page.") => new File([text], name);

/** As bytes: a form as a stream fails by itself when the service has read enough. */
async function send(...parts: readonly Part[]): Promise<TestResponse> {
	const form = new FormData();
	for (const [name, value] of parts) form.append(name, value);
	const encoded = new Response(form);
	const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
	return tenant.send("POST", path, { body: await encoded.arrayBuffer(), headers });
}

const BOUNDARY = "limit";
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const sendRaw = (body: string, type = FORM): Promise<TestResponse> =>
	tenant.send("POST", path, { body: new TextEncoder().encode(body), headers: { "content-type": type } });

const rawPart = (head: string, text = "A page."): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${text}\r\n`;
const FILE = 'content-disposition: form-data; name="file"; filename="page.md"';
const END = `--${BOUNDARY}--\r\n`;

async function expectRefusal(
	sent: () => Promise<TestResponse>,
	status: number,
	...codes: readonly string[]
): Promise<TestResponse> {
	const before = await countRowsWhenIdle(deployment.folder);
	const answer = await sent();
	expectApiError(answer, status, ...codes);
	expect(await countRowsWhenIdle(deployment.folder)).toEqual(before);
	expect((await tenant.send("GET", "/readyz")).status).toBe(200);
	return answer;
}

describe("a form that cannot be read", () => {
	it.each<readonly [why: string, body: string, type?: string]>([
		["without a boundary", rawPart(FILE) + END, "multipart/form-data"],
		["with an empty boundary", rawPart(FILE) + END, "multipart/form-data; boundary="],
		["with another boundary", rawPart(FILE) + END, "multipart/form-data; boundary=other"],
		["empty", ""],
		["only an end", END],
		["no form at all", "nonsense"],
		["cut off in a file", rawPart(FILE).slice(0, -12)],
		["cut off after a file", rawPart(FILE)],
		["cut off in a header", `--${BOUNDARY}\r\ncontent-dispos`],
		["with a part without a name", rawPart("content-disposition: form-data") + END],
		["with a file without a part name", rawPart('content-disposition: form-data; filename="a.md"') + END],
		["with a part without headers", rawPart("x-nothing: 1") + END],
		["with a file without a file name", rawPart('content-disposition: form-data; name="file"') + END],
		["with an empty file name", rawPart('content-disposition: form-data; name="file"; filename=""') + END],
	])("is refused: %s", async (_, body = "", type) => {
		await expectRefusal(() => sendRaw(body, type), 400, "invalid_request", "unknown_field");
	});

	it("is refused where a header never ends", async () => {
		const body = `--${BOUNDARY}\r\nx: ${"x".repeat(UPLOAD_BYTES * 2)}`;
		await expectRefusal(() => sendRaw(body), 400, "invalid_request");
	});
});

describe("a form with something wrong in it", () => {
	it.each<readonly [why: string, parts: () => readonly Part[], param: string]>([
		["no file", () => [["source", "a"]], "file"],
		["a text in place of a file", () => [["file", "text"]], "file"],
		[
			"metadata that is no JSON",
			() => [
				["file", page()],
				["metadata", "{"],
			],
			"metadata",
		],
		[
			"metadata that is a list",
			() => [
				["file", page()],
				["metadata", "[]"],
			],
			"metadata",
		],
		[
			"metadata twice",
			() => [
				["file", page()],
				["metadata", "{}"],
				["metadata", "{}"],
			],
			"metadata",
		],
		[
			"more sources than files",
			() => [
				["file", page()],
				["source", "a"],
				["source", "b"],
			],
			"source",
		],
		[
			"fewer sources than files",
			() => [
				["file", page()],
				["file", page("b.md", "b")],
				["source", "a"],
			],
			"source",
		],
		[
			"an empty source",
			() => [
				["file", page()],
				["source", ""],
			],
			"source[0]",
		],
		[
			"a title for two files",
			() => [
				["file", page()],
				["file", page("b.md", "b")],
				["title", "t"],
			],
			"title",
		],
		[
			"two titles",
			() => [
				["file", page()],
				["title", "t"],
				["title", "u"],
			],
			"title",
		],
		[
			"a file as a title",
			() => [
				["file", page()],
				["title", page()],
			],
			"title",
		],
	])("is refused: %s", async (_, parts, param) => {
		const answer = await expectRefusal(() => send(...parts()), 400, "invalid_request", "unknown_field");
		expect(readApiError(answer).param).toBe(param);
	});

	it.each(["titel", "sources", "__proto__", "constructor", "files", "name"])(
		"a part %s is not known",
		async (name) => {
			const answer = await expectRefusal(() => send(["file", page()], [name, "x"]), 400, "unknown_field");
			expect(readApiError(answer).param).toContain(name);
		},
	);

	it("is refused where metadata is nested 100,000 levels deep", async () => {
		const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
		await expectRefusal(() => send(["file", page()], ["metadata", deep]), 400, "invalid_request");
	});

	it.each(["page.exe", "page", "page.md.zip", ".md"])("a format that is not read: %s", async (name) => {
		await expectRefusal(
			() => send(["file", new File(["x"], name, { type: "application/zip" })]),
			422,
			"unsupported_format",
		);
	});

	it("is refused as a whole where one of its files is", async () => {
		await expectRefusal(
			() => send(["file", page()], ["file", new File(["x"], "b.exe")]),
			422,
			"unsupported_format",
		);
	});
});

describe("a form that is too large", () => {
	it("for one file", async () => {
		await expectRefusal(
			() => send(["file", page("a.md", "x".repeat(UPLOAD_BYTES + 1))]),
			413,
			"body_too_large",
		);
	});

	it("takes a file that just fits", async () => {
		await getBody(send(["file", page("a.md", "word ".repeat(UPLOAD_BYTES / 5))]));
	});

	it("for a field", async () => {
		await expectRefusal(
			() => send(["file", page()], ["source", "x".repeat(2_000_000)]),
			413,
			"body_too_large",
		);
	});

	it("in files", async () => {
		const parts = Array.from(
			{ length: 101 },
			(_, index): Part => ["file", page(`${index}.md`, `page ${index}`)],
		);
		await expectRefusal(() => send(...parts), 400, "invalid_request");
	});

	it("in fields", async () => {
		const parts = Array.from({ length: 1000 }, (): Part => ["source", "x"]);
		await expectRefusal(() => send(["file", page()], ...parts), 400, "invalid_request");
	});

	it("in all, declared or not", async () => {
		const type = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
		const huge = 100 * 1024 * 1024;
		const declared = () =>
			tenant.send("POST", path, { body: END, headers: { ...type, "content-length": String(huge) } });
		await expectRefusal(declared, 413, "body_too_large");
		const start = new TextEncoder().encode(rawPart(FILE));
		const chunks = [start, ...new Array(huge / 65_536).fill(new Uint8Array(65_536).fill(0x20))];
		const chunked = () => tenant.send("POST", path, { body: toStream(chunks), headers: type });
		await expectRefusal(chunked, 413, "body_too_large");
	});
});

describe("a file name", () => {
	it.each([
		"../../etc/passwd.md",
		"..\\..\\windows\\system.md",
		"/etc/passwd.md",
		"C:\\autoexec.md",
		"a\u0000b.md",
		"a\u0007b.md",
		"'; DROP TABLE documents; --.md",
		"💥.md",
		"\u202egnp.md",
		`${"x".repeat(5000)}.md`,
	])("is a label and nothing else: %.40j", async (name) => {
		// Undici writes control characters as they are; quotes and line ends it escapes.
		const { data } = await getBody<{ data: readonly { id: string; title: string }[] }>(
			send(["file", page(name)]),
		);
		expect(data).toHaveLength(1);
		expect(data[0]?.title).not.toMatch(/\p{Cc}|\/|\.\./u);
		expect(data[0]?.title.length).toBeLessThanOrEqual(255);
	});

	it("with control characters in a raw header is a label, too", async () => {
		const body = rawPart('content-disposition: form-data; name="file"; filename="a\u0001\u007f.md"') + END;
		const answer = await sendRaw(body);
		expect(answer.status, answer.text).toBe(202);
		expect(answer.text).not.toMatch(/\\u0001|\u007f/);
	});
});
