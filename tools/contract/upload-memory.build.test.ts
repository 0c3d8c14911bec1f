import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient, knowledge } from "@stemma/client";
import { fileFromPath } from "@stemma/client/node";
import { expect, it } from "vitest";

const MEBIBYTE = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("keeps nothing of an upload by its path that has gone out", async () => {
	const folder = await mkdtemp(join(tmpdir(), "stemma-upload-"));
	const path = join(folder, "large.bin");
	await writeFile(path, Buffer.alloc(64 * MEBIBYTE));
	const server = createServer((request, response) => {
		request.resume().on("end", () => {
			response.writeHead(202, { "content-type": "application/json" }).end('{"data":[]}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const client = createClient({ clientKey: "ck_1_topsecretclientkey", baseUrl: `http://127.0.0.1:${port}` });
	collectGarbage();
	const before = process.memoryUsage().arrayBuffers;
	let lastSample = 0;
	let maxHeap = 0;
	await knowledge(client).documents.upload("kb_1", await fileFromPath(path), {
		onProgress({ loaded }) {
			if (loaded < lastSample + 8 * MEBIBYTE) return;
			lastSample = loaded;
			collectGarbage();
			maxHeap = Math.max(maxHeap, process.memoryUsage().arrayBuffers - before);
		},
	});
	expect(lastSample).toBeGreaterThan(50 * MEBIBYTE);
	expect(maxHeap).toBeLessThan(32 * MEBIBYTE);
	server.close();
	await rm(folder, { recursive: true });
});
