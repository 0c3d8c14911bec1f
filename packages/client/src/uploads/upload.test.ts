import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
	ConfigurationError,
	createClient,
	type FileContent,
	knowledge,
	type UploadOptions,
	type UploadRequest,
} from "../index";
import { fileFromPath } from "../node";
import { CLIENT_KEY, clientOf, useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	type RequestHandler,
	respondWithError,
	respondWithJson,
	respondWithTokens,
	sendJson,
} from "../test-support/test-server";

const ROUTE = "POST /v1/knowledge-bases/:id/documents";
const ACCEPTED = respondWithJson({ data: [{ id: "doc_1" }] }, 202);
const CONTENT = randomBytes(200_000);

/** Short text, or what stands for many bytes: nobody could read how they differ. */
const digest = (bytes: Uint8Array): string =>
	bytes.length < 100 ? Buffer.from(bytes).toString() : createHash("sha256").update(bytes).digest("hex");

const server = useTestServer();

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-upload-"));
	await writeFile(join(folder, "guide.md"), CONTENT);
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

function upload(request: UploadRequest, options?: UploadOptions, ...answers: readonly RequestHandler[]) {
	server().sequence(ROUTE, ...(answers.length > 0 ? answers : [ACCEPTED]));
	return knowledge(clientOf(server())).documents.upload("kb_1", request, options);
}

const uploadTo = (url: string, request: UploadRequest, options: UploadOptions) =>
	knowledge(createClient({ clientKey: CLIENT_KEY, baseUrl: url })).documents.upload("kb_1", request, options);

/** A server that reads no body by itself. */
async function listen(answer: RequestListener): Promise<{ readonly url: string; close(): void }> {
	const listening = createServer(answer);
	await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
	const { port } = listening.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close() {
			listening.closeAllConnections();
			listening.close();
		},
	};
}

/** The parts of a form as it came in, the last one by default. */
async function readForm(index = -1): Promise<[string, string, string][]> {
	const { body, headers } = server().requests.at(index) ?? expect.unreachable();
	const init = { headers: { "content-type": headers["content-type"] ?? "" } };
	const form = await new Response(new Uint8Array(body), init).formData();
	return Promise.all(
		[...form].map(async ([name, value]): Promise<[string, string, string]> => {
			const file = typeof value === "string" ? new File([value], "") : value;
			return [name, file.name, digest(new Uint8Array(await file.arrayBuffer()))];
		}),
	);
}

async function* splitAt(bytes: Uint8Array, size = 30_000): AsyncGenerator<Uint8Array> {
	for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
}

/** Each piece in the same place. */
async function* splitInto(buffer: Buffer, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	for await (const chunk of splitAt(bytes, buffer.length)) {
		buffer.set(chunk);
		yield buffer.subarray(0, chunk.length);
	}
}

const toWebStream = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
	Readable.toWeb(Readable.from(splitAt(bytes))) as ReadableStream<Uint8Array>;

/** A stream without an end, which tells what became of it. */
function createEndless(chunk: Uint8Array | undefined) {
	const received = { pulled: 0, isCancelled: false };
	const stream = new ReadableStream<Uint8Array>({
		async pull(controller) {
			received.pulled += 1;
			await new Promise((resolve) => setTimeout(resolve, 1));
			if (chunk === undefined) await new Promise(() => undefined);
			else controller.enqueue(chunk);
		},
		cancel() {
			received.isCancelled = true;
		},
	});
	return { received, stream };
}

const contents: readonly [string, boolean, () => FileContent | Promise<FileContent>][] = [
	["bytes", true, () => CONTENT],
	["a Blob", true, () => new Blob([CONTENT])],
	["a ReadableStream", false, () => toWebStream(CONTENT)],
	["an async iterable", false, () => splitAt(CONTENT)],
	["a stream of Node", false, () => Readable.from(splitAt(CONTENT))],
	["a file's stream of Node", false, () => createReadStream(join(folder, "guide.md"))],
	["an iterable that uses its buffer again", false, () => splitInto(Buffer.alloc(30_000), CONTENT)],
	[
		"lazy content that does",
		true,
		() => ({ size: CONTENT.length, open: () => splitInto(Buffer.alloc(30_000), CONTENT) }),
	],
	["a path", true, async () => (await fileFromPath(join(folder, "guide.md"))).file],
];

describe.each(contents)("an upload of %s", (_, isRepeatable, create) => {
	it("arrives whole, and tells its progress", async () => {
		const received: { loaded: number; total: number | undefined }[] = [];
		const request = { file: await create(), name: "guide.md", source: "docs/guide.md", metadata: { a: 1 } };
		expect(await upload(request, { onProgress: (progress) => received.push(progress) })).toEqual({
			data: [{ id: "doc_1" }],
		});
		expect(await readForm()).toEqual([
			["file", "guide.md", digest(CONTENT)],
			["source", "", "docs/guide.md"],
			["metadata", "", '{"a":1}'],
		]);
		const size = server().requests[0]?.body.byteLength;
		expect(received.length).toBeGreaterThan(3);
		expect(received.map(({ loaded }) => loaded)).toEqual(
			received.map(({ loaded }) => loaded).sort((a, b) => a - b),
		);
		expect(received.at(-1)).toEqual({ loaded: size, total: size });
		expect(received[0]?.total).toBe(isRepeatable ? size : undefined);
	});

	it("arrives whole where requests cannot be streamed", async () => {
		vi.stubGlobal("XMLHttpRequest", class {});
		await upload({ file: await create(), name: "guide.md" });
		expect(await readForm()).toEqual([["file", "guide.md", digest(CONTENT)]]);
	});

	it("is not sent elsewhere by a redirect, nor again", async () => {
		const redirect: RequestHandler = (_, response) =>
			void response.writeHead(307, { location: "https://elsewhere.example" }).end();
		const request = { file: await create(), name: "guide.md" };
		await expect(upload(request, { onProgress: () => undefined }, redirect)).rejects.toMatchObject({
			code: "redirected",
			hint: expect.stringMatching(/`baseUrl`/),
		});
		expect(server().requests).toHaveLength(1);
	});

	it(`is ${isRepeatable ? "" : "not "}sent again`, async () => {
		const request = { file: await create(), name: "guide.md" };
		const onProgress = () => undefined;
		const sent = upload(
			request,
			{ onProgress },
			respondWithError(503, { code: "storage_full" }, isRepeatable ? {} : { "retry-after": "20" }),
			closeConnection,
			ACCEPTED,
		);
		if (isRepeatable) {
			expect(await sent).toEqual({ data: [{ id: "doc_1" }] });
			expect(server().requests).toHaveLength(3);
			for (const index of [0, 1, 2])
				expect(await readForm(index)).toEqual([["file", "guide.md", digest(CONTENT)]]);
		} else {
			await expect(sent).rejects.toMatchObject({
				code: "storage_full",
				status: 503,
				hint: expect.stringContaining("can be read only once"),
			});
			expect(server().requests).toHaveLength(1);
		}
	});
});

it.each([
	["bytes", () => CONTENT],
	["a stream", () => toWebStream(CONTENT)],
])("says what to pass where forms take no bytes: %s", async (_, create) => {
	vi.stubGlobal("XMLHttpRequest", class {});
	const message = "Creating blobs from 'ArrayBuffer' and 'ArrayBufferView' are not supported";
	const UnreadableBlob = class {
		constructor() {
			throw new Error(message);
		}
	};
	vi.stubGlobal("Blob", UnreadableBlob);
	await expect(upload({ files: [{ file: create(), name: "a.md" }] })).rejects.toMatchObject({
		name: "ConfigurationError",
		message: expect.stringContaining("`files[0].file`"),
		hint: expect.stringContaining("{ uri, name, type }"),
		cause: { message },
	});
});

it("fails as its connection did, whatever its source was doing", async () => {
	const splitting = await listen((request) => void request.once("data", () => request.destroy()));
	const open = () => {
		let count = 0;
		return new ReadableStream<Uint8Array>({
			async pull(controller) {
				count += 1;
				if (count > 3) await new Promise(() => undefined);
				controller.enqueue(CONTENT);
			},
		});
	};
	const client = createClient({ clientKey: CLIENT_KEY, baseUrl: splitting.url, retryDelayMs: 1 });
	const sent = knowledge(client).documents.upload("kb_1", { file: { open }, name: "a.md" });
	await expect(sent).rejects.toMatchObject({ code: "connection_failed" });
	splitting.close();
});

it("says so when a stream would have been sent again with a new token", async () => {
	server().on("POST /oauth/token", respondWithTokens());
	server().on(ROUTE, respondWithError(401, { code: "invalid_token" }));
	const client = createClient({ clientId: "cl_1", clientSecret: "cs_secret", baseUrl: server().url });
	const sent = knowledge(client).documents.upload("kb_1", { file: splitAt(CONTENT), name: "a.md" });
	await expect(sent).rejects.toMatchObject({
		status: 401,
		hint: expect.stringContaining("can be read only once"),
	});
	expect(server().requests).toHaveLength(1);
});

it("writes forms as the platform does", async () => {
	const names = ['q"uo"te.md', "line\r\nbreak\n.md", "Größe 日本 %22.md", "\\path\\.md"];
	const files = names.map((name, index) => ({
		file: new File([`${name} ${index}`], "other", index === 0 ? { type: "text/markdown" } : {}),
		name,
		source: `s\n${name}`,
	}));
	const request = { files, metadata: { ключ: "Wert" } };
	await upload(request, { onProgress: () => undefined });
	await upload(request);
	const [streamed, whole] = server().requests.map(({ headers, body }) => {
		const [, boundary = "none"] = /boundary=(.*)/.exec(headers["content-type"] ?? "") ?? [];
		return body
			.toString()
			.replaceAll(boundary, "BOUNDARY")
			.replace(/content-disposition|content-type/gi, (name) => name.toLowerCase());
	});
	expect(streamed).toContain("q%22uo%22te.md");
	expect(streamed?.trimEnd()).toBe(whole?.trimEnd());
});

describe("an upload that is aborted", () => {
	it.each([
		["while it is sent", CONTENT],
		["while its source is silent", undefined],
	])("%s rejects with the reason, and lets go of its source", async (_, chunk) => {
		const { received, stream } = createEndless(chunk);
		let isTruncated = false;
		let hasCome = false;
		const reading = await listen((request) => {
			hasCome = true;
			request.resume().on("error", () => {
				isTruncated = true;
			});
		});
		const controller = new AbortController();
		const sent = uploadTo(reading.url, { file: stream, name: "guide.md" }, { signal: controller.signal });
		const reason = new Error("enough");
		await expect.poll(() => [hasCome, received.pulled > 5 || chunk === undefined]).toEqual([true, true]);
		controller.abort(reason);
		await expect(sent).rejects.toBe(reason);
		await expect.poll(() => [received.isCancelled, isTruncated]).toEqual([true, true]);
		const { pulled } = received;
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(received.pulled).toBe(pulled);
		reading.close();
	});

	it("before it has begun lets go of its sources", async () => {
		const { received, stream } = createEndless(CONTENT);
		const files = [new Blob(["A"]), stream].map((file) => ({ file, name: "a.md" }));
		const reason = new Error("enough");
		await expect(upload({ files }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		await expect.poll(() => received.isCancelled).toBe(true);
	});

	it("while it is read whole does the same, and sends nothing", async () => {
		vi.stubGlobal("XMLHttpRequest", class {});
		const { received, stream } = createEndless(undefined);
		const reason = new Error("enough");
		const sent = upload({ file: stream, name: "guide.md" }, { signal: AbortSignal.timeout(20) });
		await expect(sent).rejects.toMatchObject({ name: "TimeoutError" });
		expect(received.isCancelled).toBe(true);
		const aborted = AbortSignal.abort(reason);
		await expect(upload({ file: splitAt(CONTENT), name: "a.md" }, { signal: aborted })).rejects.toBe(reason);
		expect(server().requests).toHaveLength(0);
	});

	it("ends broken, not short, also for a `fetch` that goes on regardless", async () => {
		let body: unknown;
		const client = createClient({
			clientKey: CLIENT_KEY,
			baseUrl: "http://regardless.example",
			async fetch(_, init) {
				body = await new Response(init.body ?? null).text().catch((error: unknown) => error);
				throw new Error("too late");
			},
		});
		const { received, stream } = createEndless(CONTENT);
		const options = { timeouts: { timeoutMs: 30 } };
		const sent = knowledge(client).documents.upload("kb_1", { file: stream, name: "a.md" }, options);
		await expect(sent).rejects.toMatchObject({ timeout: "timeoutMs" });
		await expect.poll(() => received.isCancelled).toBe(true);
		await expect.poll(() => body).toBeInstanceOf(Error);
	});

	it("closes an iterable", async () => {
		let isClosed = false;
		async function* endless(): AsyncGenerator<Uint8Array> {
			try {
				for (;;) {
					await new Promise((resolve) => setTimeout(resolve, 1));
					yield CONTENT;
				}
			} finally {
				isClosed = true;
			}
		}
		const reading = await listen((request) => void request.resume().on("error", () => undefined));
		const file = { file: endless(), name: "guide.md" };
		const sent = uploadTo(reading.url, file, { timeouts: { timeoutMs: 30 } });
		await expect(sent).rejects.toMatchObject({ timeout: "timeoutMs" });
		await expect.poll(() => isClosed).toBe(true);
		reading.close();
	});
});

describe.each([["streamed"], ["read whole"]])("a source that cannot be read, %s", (way) => {
	const failure = new Error("The disk is gone.");
	async function* failing(): AsyncGenerator<Uint8Array> {
		yield CONTENT;
		throw failure;
	}

	it.each<[string, () => unknown, object]>([
		["fails", failing, { cause: failure }],
		["gives text", () => Readable.from(["text"]), { message: expect.stringContaining("not bytes") }],
		[
			"is in use",
			() => {
				const stream = toWebStream(CONTENT);
				stream.getReader();
				return stream;
			},
			{ cause: expect.objectContaining({ name: "TypeError" }) },
		],
	])("because it %s is named, and tried once", async (_, create, error) => {
		if (way === "read whole") vi.stubGlobal("XMLHttpRequest", class {});
		const good = { file: new Blob(["A"]), name: "a.md" };
		const files = [good, { file: create() as FileContent, name: "b.md" }];
		const failed = await upload({ files }).catch((thrown: unknown) => thrown);
		expect(failed).toSatisfy(ConfigurationError.is);
		expect(failed).toMatchObject({
			code: "file_unreadable",
			message: expect.stringContaining("`files[1].file`"),
			...error,
		});
		expect(server().requests).toHaveLength(0);
	});
});

it.each([[undefined], [null], ["text"], [{}], [[1, 2]], [new ArrayBuffer(3)]])(
	"refuses %j as a file",
	async (file) => {
		const failed = upload({ file: file as never, name: "a.md" });
		await expect(failed).rejects.toThrow("`file` must be a Blob, a File, bytes (Uint8Array), or a stream.");
		expect(server().requests).toHaveLength(0);
	},
);

it("refuses metadata that is no JSON", async () => {
	const circular: Record<string, unknown> = {};
	circular.self = circular;
	for (const metadata of [{ size: 1n }, circular]) {
		const failed = upload({ file: new Blob(["A"]), name: "a.md", metadata: metadata as never });
		await expect(failed).rejects.toMatchObject({
			name: "ConfigurationError",
			message: "`metadata` is not JSON.",
			cause: expect.any(TypeError),
		});
	}
	expect(server().requests).toHaveLength(0);
});

it("reads no further ahead than the connection takes", async () => {
	const size = 64 * 1024 * 1024;
	const path = join(folder, "large.bin");
	await writeFile(path, Buffer.alloc(size));
	let received = 0;
	let release = (): void => undefined;
	const slow = await listen((request, response) => {
		release = () => {
			request.on("data", (chunk: Buffer) => {
				received += chunk.byteLength;
			});
		};
		request.on("end", () => sendJson(response, { data: [] }));
	});
	let loaded = 0;
	const sent = uploadTo(slow.url, await fileFromPath(path), {
		onProgress(progress) {
			loaded = progress.loaded;
		},
	});
	await expect.poll(() => loaded).toBeGreaterThan(0);
	await new Promise((resolve) => setTimeout(resolve, 200));
	expect(loaded).toBeLessThan(size / 4);
	release();
	await sent;
	expect([received, loaded]).toEqual([loaded, received]);
	expect(received).toBeGreaterThan(size);
	slow.close();
});
