import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { KnowledgeBase, Source, SourceSync } from "@stemma/client";
import { startS3Simulator } from "@stemma/simulators/s3";
import { startServer } from "@stemma/simulators/start-server";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type SendRequest, sendTo } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import { fetchToken } from "../../test-support/test-deployment";

const script = fileURLToPath(new URL("../test-support/serve.mjs", import.meta.url));
const FILES = 1_500;
/** Kills must come in the middle of a sync at least once in so many tries. */
const TRIES = 10;

let folder: string;
let documents: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-interrupted-"));
	documents = join(folder, "documents");
	await mkdir(documents);
	for (let number = 0; number < FILES; number += 1)
		await writeFile(join(documents, `${number}.txt`), `Document ${number}.`);
});
afterAll(() => rm(folder, { recursive: true }));
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

async function serve() {
	const child = spawn(process.execPath, [script, join(folder, "data"), documents], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [line] = await once(child.stdout, "data");
	const { url, credentials } = JSON.parse(String(line));
	const token = await fetchToken(sendTo(fetch, undefined, url), credentials);
	const kill = async () => {
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	return { send: sendTo(fetch, token, url), kill };
}

/** Waits until the last sync of a source is as wanted. */
async function waitForSync(
	send: SendRequest,
	path: string,
	isWanted: (sync: SourceSync) => boolean,
): Promise<SourceSync> {
	for (;;) {
		const { last_sync } = await getBody<Source>(send("GET", path));
		if (last_sync !== null && isWanted(last_sync)) return last_sync;
		await wait(10);
	}
}

const isEnded = ({ status }: SourceSync): boolean => status !== "queued" && status !== "running";

it("a sync that a kill interrupts goes on, and does nothing twice", async () => {
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const first = await serve();
		const json = { name: `Try ${attempt}` };
		const base = await getBody<KnowledgeBase>(first.send("POST", "/v1/knowledge-bases", { json }));
		const settings = { kind: "folder", path: documents };
		const sources = `/v1/knowledge-bases/${base.id}/sources`;
		const { id } = await getBody<Source>(first.send("POST", sources, { json: { settings } }));
		const path = `${sources}/${id}`;
		const seen = await waitForSync(first.send, path, ({ counts }) => counts.added > 0);
		await first.kill();
		const second = await serve();
		const ended = await waitForSync(second.send, path, isEnded);
		const { documents: counts } = await getBody<Source>(second.send("GET", path));
		await second.kill();
		expect(ended).toMatchObject({ id: seen.id, status: "succeeded", counts: { added: FILES, unchanged: 0 } });
		expect(counts.total).toBe(FILES);
		// What was stored before the kill was not read again.
		expect(ended.bytes).toBe(toTotalBytes());
		if (!isEnded(seen)) return;
	}
	expect.unreachable("No kill came in the middle of a sync.");
});

const toTotalBytes = (): number =>
	Array.from({ length: FILES }, (_, number) => `Document ${number}.`.length).reduce((a, b) => a + b, 0);

const OBJECTS = 250;
/** Object whose response the store holds: after some that are stored, and before the last. */
const HELD_OBJECT = 150;
const toKey = (number: number): string => `${String(number).padStart(3, "0")}.txt`;

/** Stand-in for S3 that responds to the request for one object when it is released. */
async function startHeldStore() {
	const docs = Object.fromEntries(
		Array.from({ length: OBJECTS }, (_, number) => [toKey(number), { body: `Object ${number}.` }]),
	);
	const store = await startS3Simulator({ buckets: { docs }, publicBuckets: ["docs"] });
	endings.push(store.close);
	const held = Promise.withResolvers<void>();
	const released = Promise.withResolvers<void>();
	const server = await startServer(0, async ({ url = "" }, response) => {
		if (url === `/docs/${toKey(HELD_OBJECT)}`) {
			held.resolve();
			await released.promise;
		}
		const { status, headers, body } = await fetch(`${store.origin}${url}`);
		response.writeHead(status, Object.fromEntries(headers));
		for await (const chunk of body ?? []) response.write(chunk);
		response.end();
	});
	endings.push(server.close);
	return {
		origin: server.origin,
		isHeld: held.promise,
		release: () => released.resolve(),
		listRequested: () => store.requests.map((request) => request.replace("GET /docs/", "")),
	};
}

it("a sync of a bucket that a kill interrupts goes on, and reads no object twice that was stored", async () => {
	const store = await startHeldStore();
	const first = await serve();
	const json = { name: "Bucket" };
	const base = await getBody<KnowledgeBase>(first.send("POST", "/v1/knowledge-bases", { json }));
	const settings = { kind: "s3", bucket: "docs", endpoint: store.origin };
	const sources = `/v1/knowledge-bases/${base.id}/sources`;
	const { id } = await getBody<Source>(first.send("POST", sources, { json: { settings } }));
	const path = `${sources}/${id}`;
	await store.isHeld;
	const seen = await waitForSync(first.send, path, ({ counts }) => counts.added > 0);
	await first.kill();
	const before = store.listRequested().length;
	store.release();
	const second = await serve();
	const ended = await waitForSync(second.send, path, isEnded);
	const { documents: counts } = await getBody<Source>(second.send("GET", path));
	await second.kill();
	expect(seen).toMatchObject({ status: "running" });
	expect(ended).toMatchObject({ id: seen.id, status: "succeeded", counts: { added: OBJECTS, unchanged: 0 } });
	expect(counts.total).toBe(OBJECTS);
	const stored = Array.from({ length: seen.counts.added }, (_, number) => toKey(number));
	const again = store.listRequested().slice(before);
	expect(again.filter((key) => stored.includes(key))).toEqual([]);
	expect(again).toContain(toKey(OBJECTS - 1));
});
