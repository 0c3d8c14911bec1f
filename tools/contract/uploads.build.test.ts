import { createReadStream, truncateSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Knowledge, knowledge, Stemma } from "@stemma/client";
import { fileFromPath } from "@stemma/client/node";
import * as built from "@stemma/service";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { getBody } from "../../packages/service/src/test-support/tenant";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as gateways from "../../packages/service/src/test-support/test-gateway";

const MEBIBYTE = 1024 * 1024;

let gateway: gateways.TestGateway;
let folder: string;
let requests: string[];
let base: string;
let documents: Knowledge["documents"];
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-uploads-"));
	gateway = await gateways.startTestGateway(built);
});
afterAll(async () => {
	await gateway?.close();
	await rm(folder, { recursive: true });
});
beforeEach(async () => {
	const client = await getBody<{ id: string; client_secret: string }>(
		gateway.send("POST", "/v1/clients", { json: { name: "uploads" } }),
	);
	const stemma = new Stemma({
		clientId: client.id,
		clientSecret: client.client_secret,
		baseUrl: gateway.baseURL.slice(0, -3),
		logger: { debug: (message) => void requests.push(message), warn: () => undefined },
	});
	requests = [];
	({ documents } = knowledge(stemma.client));
	base = (await stemma.knowledge.create({ name: "Uploads" })).id;
});

const toText = (number: number): string => `# Page ${number}\n\nThe ferry number ${number} leaves at nine.`;

it("takes files by their paths, streams and bytes, with their progress", async () => {
	const path = join(folder, 'the "guide".md');
	await writeFile(path, toText(1));
	async function* stream(): AsyncGenerator<Uint8Array> {
		for (const character of toText(2)) yield new TextEncoder().encode(character);
	}
	const seen: (number | undefined)[] = [];
	const files = [
		await fileFromPath(path, { source: true }),
		{ file: stream(), name: "two.md", source: "2" },
		{ file: new Blob([toText(3)]), name: "three.md", source: "3" },
	];
	const { data } = await documents.upload(base, { files }, { onProgress: ({ total }) => seen.push(total) });
	expect(data.map(({ source, title }) => [source, title])).toEqual([
		[path, expect.anything()],
		["2", expect.anything()],
		["3", expect.anything()],
	]);
	expect(seen.at(-1)).toBeGreaterThan(toText(1).length * 3);
	const ready = await documents.waitUntilReady(base, { data }, { pollMs: 20 });
	expect(ready.map(({ title }) => title)).toEqual(["Page 1", "Page 2", "Page 3"]);
	const again = await documents.upload(base, { files: [await fileFromPath(path, { source: true })] });
	expect(again.data[0]?.id).toBe(data[0]?.id);
});

it("takes the stream that Node makes of a file", async () => {
	const path = join(folder, "stream.md");
	await writeFile(path, toText(4));
	const { data } = await documents.upload(base, { file: createReadStream(path), name: "stream.md" });
	const [ready] = await documents.waitUntilReady(base, { data }, { pollMs: 20 });
	expect(ready?.title).toBe("Page 4");
});

it.runIf(process.platform !== "win32")("says at once that a file may not be read", async () => {
	const path = join(folder, "locked.md");
	await writeFile(path, toText(5));
	await chmod(folder, 0o755);
	await chmod(path, 0o000);
	const isRoot = process.geteuid?.() === 0;
	// Who may read everything becomes nobody for a while.
	if (isRoot) process.seteuid?.(65_534);
	try {
		await expect(fileFromPath(path)).rejects.toMatchObject({
			code: "file_unreadable",
			message: expect.stringContaining("this user may not read it"),
		});
	} finally {
		if (isRoot) process.seteuid?.(0);
	}
});

it("keeps nothing of a file that shrinks while it is sent", async () => {
	const path = join(folder, "shrinking.md");
	await writeFile(path, "The ferry leaves at nine. ".repeat(100_000));
	const onProgress = (): void => truncateSync(path, 100_000);
	await expect(documents.upload(base, await fileFromPath(path), { onProgress })).rejects.toMatchObject({
		code: "file_unreadable",
		message: expect.stringContaining("while it was read"),
	});
	expect((await documents.list(base)).data).toEqual([]);
});

it("leaves nothing behind when it is aborted", async () => {
	let isCancelled = false;
	const piece = new TextEncoder().encode("The ferry leaves at nine. ".repeat(1000));
	const stream = new ReadableStream<Uint8Array>({
		pull: (controller) => controller.enqueue(piece),
		cancel() {
			isCancelled = true;
		},
	});
	const controller = new AbortController();
	const reason = new Error("enough");
	const sent = documents.upload(
		base,
		{ file: stream, name: "endless.md" },
		{
			signal: controller.signal,
			onProgress: ({ loaded }) => {
				if (loaded > 2 * MEBIBYTE) controller.abort(reason);
			},
		},
	);
	await expect(sent).rejects.toBe(reason);
	await expect.poll(() => isCancelled).toBe(true);
	expect((await documents.list(base)).data).toEqual([]);
	const { data } = await documents.addText(base, { text: toText(1) });
	await documents.waitUntilReady(base, { data }, { pollMs: 20 });
	expect((await documents.list(base)).data).toHaveLength(1);
});

it("is refused as a whole when it is too large, while it is sent", async () => {
	const path = join(folder, "large.md");
	await writeFile(path, Buffer.alloc(65 * MEBIBYTE, "The ferry leaves at nine. "));
	const sent = documents.upload(base, await fileFromPath(path));
	await expect(sent).rejects.toMatchObject({ status: 413, code: "body_too_large" });
	expect((await documents.list(base)).data).toEqual([]);
});

it("is waited for by the hundred with few requests", async () => {
	const ids: string[] = [];
	for (let start = 0; start < 250; start += 50) {
		const files = Array.from({ length: 50 }, (_, index) => ({
			file: new Blob([toText(start + index)]),
			name: `${start + index}.md`,
		}));
		const { data } = await documents.upload(base, { files });
		ids.push(...data.map(({ id }) => id));
	}
	requests.length = 0;
	let last: object = {};
	const onProgress = (progress: object): void => {
		last = progress;
	};
	const ready = await documents.waitUntilReady(base, ids, { onProgress, pollMs: 1000 });
	expect(ready.map(({ id }) => id)).toEqual(ids);
	expect(last).toEqual({ ready: 250, failed: 0, total: 250 });
	// One by one it takes a request for each of them, at the least.
	expect(requests.length).toBeLessThan(ids.length);
});
