import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startS3Simulator } from "@stemma/simulators/s3";
import { startServer } from "@stemma/simulators/start-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type InstancesDatabase, startDatabase } from "./instances/database.ts";
import { type Api, type Credentials, createApi, fetchToken } from "./service/api.ts";
import { type ServiceProcess, startServiceProcess } from "./service/service-process.ts";

const program = fileURLToPath(new URL("instances/serve.mjs", import.meta.url));
/** Far longer than a lease and the interval at which others look: a machine may be busy. */
const POLL = { timeout: 120_000, interval: 200 };
const DOCUMENTS = 400;
const OBJECTS = 120;
/** Object whose response the store holds: others are stored by then. */
const HELD_OBJECT = 110;

interface Instance {
	readonly process: ServiceProcess;
	readonly api: Api;
}

interface Found {
	readonly passages: readonly { readonly text: string }[];
}

describe.skipIf(!hasPostgres)("background work of two instances, one of which is killed", () => {
	let database: InstancesDatabase;
	let folders: string[];
	let token: string;
	let instances: Instance[];
	const endings: (() => Promise<void>)[] = [];
	beforeAll(async () => {
		[folders, instances, token] = [[], [], ""];
		database = await startDatabase();
	});
	afterEach(async () => {
		for (const end of endings.splice(0).reverse()) await end();
		for (const { process } of instances.splice(0)) await process.kill();
	});
	afterAll(async () => {
		await database?.stop();
		for (const folder of folders ?? []) rmSync(folder, { recursive: true, force: true });
	});

	async function start(): Promise<Instance> {
		const folder = mkdtempSync(join(tmpdir(), "stemma-background-"));
		folders.push(folder);
		const { environment } = database;
		const process = startServiceProcess(folder, "http://127.0.0.1:9/v1", [], { program, environment });
		const { url, credentials } = await process.ready;
		if (token === "")
			token = await fetchToken(url, JSON.parse(readFileSync(credentials, "utf8")) as Credentials);
		const instance = { process, api: createApi(url, token) };
		instances.push(instance);
		return instance;
	}

	const countReady = async ({ api }: Instance, base: string) =>
		(await api.get<{ documents: { ready: number } }>(`/v1/knowledge-bases/${base}`)).documents.ready;

	it("documents are read by the other one, and each is there once", { timeout: 600_000 }, async () => {
		const [first, second] = [await start(), await start()];
		const { id } = await first.api.post<{ id: string }>("/v1/knowledge-bases", { name: "Rules" });
		for (let number = 0; number < DOCUMENTS; number += 1)
			await first.api.post(`/v1/knowledge-bases/${id}/documents`, {
				...{ title: `Rule ${number}`, format: "text", text: `Rule ${number} is about topic${number}.` },
				source: `rule-${number}`,
			});
		await first.process.kill();
		await expect.poll(() => countReady(second, id), POLL).toBe(DOCUMENTS);
		const { passages } = await second.api.post<Found>("/v1/search", {
			...{ query: "topic399", knowledge_base_ids: [id], top_k: 5 },
		});
		expect(passages.map(({ text }) => text)).toEqual(["Rule 399 is about topic399."]);
	});

	it("a sync goes on, and reads nothing again that was stored", { timeout: 600_000 }, async () => {
		const store = await startHeldStore();
		const [first, second] = [await start(), await start()];
		const { id: base } = await first.api.post<{ id: string }>("/v1/knowledge-bases", { name: "Bucket" });
		const sources = `/v1/knowledge-bases/${base}/sources`;
		const settings = { kind: "s3", bucket: "docs", endpoint: store.origin };
		const { id } = await first.api.post<{ id: string }>(sources, { settings });
		await store.isHeld;
		interface Sync {
			readonly status: string;
			readonly counts: { readonly added: number };
		}
		const getSync = async () =>
			(await second.api.get<{ last_sync: Sync | null }>(`${sources}/${id}`)).last_sync;
		await expect.poll(async () => (await getSync())?.counts.added, POLL).toBeGreaterThan(0);
		const stored = (await getSync())?.counts.added ?? 0;
		expect((await getSync())?.status).toBe("running");
		// Either of the two may be at it: whichever is killed, the other one ends it.
		await first.process.kill();
		store.release();
		const succeeded = { status: "succeeded", counts: { added: OBJECTS } };
		await expect.poll(getSync, POLL).toMatchObject(succeeded);
		const requested = store.listRequested();
		const again = requested.filter((key, index) => requested.indexOf(key) < index);
		expect(again.filter((key) => key < toKey(stored))).toEqual([]);
		await expect.poll(() => countReady(second, base), POLL).toBe(OBJECTS);
	});

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
			listRequested: () =>
				store.requests.flatMap((request) =>
					request.endsWith(".txt") ? request.replace("GET /docs/", "") : [],
				),
		};
	}
});

const toKey = (number: number): string => `${String(number).padStart(3, "0")}.txt`;
