import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Stemma } from "@stemma/client";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { hasPostgres, type InstancesDatabase, startDatabase } from "../durability/instances/database";
import { hasDeployedProxy, startScaledProxy } from "../proxies/start-deployed-proxy";
import type { RunningProxy } from "../proxies/start-proxy";
import { buildCommit, hasCommit } from "./earlier-build";
import { type CallerOptions, callers, callUntilEnd, createAcknowledged, whileHeld } from "./rolling/callers";
import { createInstance, type ReplaceableInstance } from "./rolling/instance";

interface EarlierVersion {
	readonly commit: string;
	/** It closes its connections as soon as it stops, also those on which a proxy has just sent a request. */
	readonly closesAtOnce: boolean;
}

/** The first version of which several instances share a database, and the first that answers for a while when it stops. */
const EARLIER: readonly EarlierVersion[] = [
	{ commit: "41dd234e82bba199764fe09d7b4715b5dad6db62", closesAtOnce: true },
	{ commit: "daa57b781f6c864a4e7d8a36af87b3b7d5b13497", closesAtOnce: false },
];
const today = fileURLToPath(new URL("../..", import.meta.url));

/** Times that all instances are upgraded, and taken back. Building the earlier version takes minutes: by default there is none. */
const rounds = Number(process.env.STEMMA_ROLLING_ROUNDS ?? 0);
const INSTANCES = 2;
/** Until Caddy has seen that an instance is ready: with the other one stopped there would be none. */
const SEEN_MS = 2_500;
const OUTPUT =
	"It opens at nine, as it always did, and it closes at six, but for Sundays, on which it is closed.";
/** Long enough for a busy machine. */
const READY = { timeout: 120_000, interval: 500 };

function findSkipReason(commit: string): string | undefined {
	if (rounds === 0) return "STEMMA_ROLLING_ROUNDS is not set";
	if (!hasPostgres) return "there is no Postgres";
	if (!hasDeployedProxy("caddy")) return "there is no Caddy";
	return hasCommit(commit) ? undefined : `the clone is shallow, and has no commit ${commit}`;
}

const server = useRpcServer();

for (const { commit, closesAtOnce } of EARLIER) {
	const skipReason = findSkipReason(commit);
	const title = `a rolling upgrade from ${commit.slice(0, 8)}`;
	describe.skipIf(skipReason !== undefined)(skipReason ? `${title} (skipped: ${skipReason})` : title, () => {
		const harness = createHarness();
		const acknowledged = createAcknowledged();
		const instances: ReplaceableInstance[] = [];
		let vendor: OpenAiSimulator;
		let database: InstancesDatabase;
		let proxy: RunningProxy;
		let stemma: Stemma;
		let earlier: string;
		let knowledgeBase: string;
		beforeAll(async () => {
			earlier = await buildCommit(commit);
			vendor = await startOpenAiSimulator({
				behaviour: () => ({ kind: "reply", text: OUTPUT, pauseMs: 60 }),
			});
			database = await startDatabase();
			const environment = {
				...database.environment,
				STEMMA_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
			};
			for (let index = 0; index < INSTANCES; index++) {
				const instance = await createInstance({ harness, environment, vendor: vendor.baseUrl });
				instances.push(instance);
				await instance.start(earlier);
			}
			proxy = await startScaledProxy(
				"caddy",
				instances.map(({ port }) => `http://127.0.0.1:${port}`),
			);
			const credentials = await readFile(instances[0]?.credentials ?? "", "utf8");
			const { client_id: clientId, client_secret: clientSecret } = JSON.parse(credentials);
			stemma = new Stemma({ baseUrl: proxy.url, clientId, clientSecret });
			server.handle(
				createMcpHandler({
					era: "modern",
					tools: [{ name: "refund", inputSchema }],
					call: async () => text("It is refunded."),
				}),
			);
			for (const [slug, graph] of Object.entries(createGraphs(server.url)))
				await stemma.agents.create({ slug, graph });
			knowledgeBase = (await stemma.knowledge.create({ name: "Books" })).id;
			const file = new TextEncoder().encode("The harbour opens at nine.");
			const upload = await stemma.knowledge.documents.upload(knowledgeBase, { file, name: "harbour.md" });
			await stemma.knowledge.documents.waitUntilReady(knowledgeBase, upload);
		}, 1_200_000);
		afterAll(async () => {
			await proxy?.stop();
			await harness.end();
			await database?.stop();
			await vendor?.close();
		});

		it("and the way back fail no call, lose nothing, and call no tool twice", {
			timeout: 900_000,
		}, async () => {
			onTestFailed(() => console.error(harness.outputs()));
			const ended = new AbortController();
			const options: CallerOptions = {
				...{ stemma, knowledgeBase, acknowledged, signal: ended.signal },
				...{ count: 0, inFlight: 0, isHeld: false },
			};
			const calling = Promise.all(callers.map((call) => callUntilEnd(options, call)));
			// It is awaited below.
			calling.catch(() => ended.abort());
			try {
				for (let round = 0; round < rounds; round++)
					for (const clone of [today, earlier]) await replaceAll(clone, options);
			} finally {
				ended.abort();
				await calling;
			}
			for (const done of Object.values(acknowledged)) {
				const count = Array.isArray(done) ? done.length : done.size;
				expect(count).toBeGreaterThan(2 * INSTANCES * rounds);
			}
			await checkDocuments();
			await checkRuns();
			await checkSettings();
		});

		async function replaceAll(clone: string, options: CallerOptions): Promise<void> {
			const holdsCallers = closesAtOnce && clone === today;
			for (const instance of instances) {
				if (options.signal.aborted) return;
				await wait(500);
				if (holdsCallers) await whileHeld(options, instance.stop);
				else await instance.stop();
				await instance.start(clone);
				await wait(SEEN_MS);
			}
		}

		/** Each is there once, and found by its word. */
		async function checkDocuments(): Promise<void> {
			const listAll = async () => {
				const documents = [];
				for await (const document of stemma.knowledge.documents.list(knowledgeBase)) documents.push(document);
				return documents;
			};
			await expect
				.poll(async () => (await listAll()).every(({ status }) => status === "ready"), READY)
				.toBe(true);
			const ids = (await listAll()).map(({ id }) => id);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids.length).toBe(1 + acknowledged.documents.size);
			for (const [word, id] of acknowledged.documents) {
				const { passages } = await stemma.search({ query: word, knowledge_base_ids: [knowledgeBase] });
				const found = passages.filter((passage) => passage.text.includes(word));
				expect(found.map(({ document_id }) => document_id)).toEqual([id]);
			}
		}

		/** Each has ended, with all of its text, and its tool was called as often as it should be; there are no others. */
		async function checkRuns(): Promise<void> {
			await expect.poll(async () => (await listRuns("running")).length, READY).toBe(0);
			const all = await listRuns();
			expect(all.filter(({ status }) => status !== "completed")).toEqual([]);
			expect(all.map(({ id }) => id).sort()).toEqual([...acknowledged.runs.keys()].sort());
			for (const [id, { order, output, calls }] of acknowledged.runs) {
				expect([id, output]).toEqual([id, OUTPUT]);
				expect([order, listCalls().filter((called) => called === order).length]).toEqual([order, calls]);
				const { result } = await stemma.runs.get(id);
				expect([id, result?.receipt.length]).toEqual([id, 1]);
			}
		}

		async function listRuns(status?: "running") {
			const runs = [];
			for await (const run of stemma.runs.list(status === undefined ? {} : { status })) runs.push(run);
			return runs;
		}

		async function checkSettings(): Promise<void> {
			const { graph } = await stemma.agents.get("changing");
			expect(graph.nodes[0]).toMatchObject({ instructions: acknowledged.instructions.at(-1) });
			const keys = [];
			// Besides those of callers there is one that the first start has created.
			for await (const { id, name } of stemma.clientKeys.list())
				if (/^x.*q7$/u.test(name ?? "")) keys.push(id);
			expect(keys.sort()).toEqual([...acknowledged.keys.keys()].sort());
			for (const clientKey of acknowledged.keys.values()) {
				const holder = new Stemma({ baseUrl: proxy.url, clientKey });
				await expect(holder.runs.get("run_none")).rejects.toMatchObject({ status: 404 });
			}
		}

		/** Orders for which the tool was called. */
		const listCalls = (): readonly unknown[] =>
			server.received
				.filter(({ rpc }) => rpc.method === "tools/call")
				.map(({ rpc }) => (rpc.params?.arguments as { readonly input?: unknown } | undefined)?.input);
	});
}

const inputSchema = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

/** Agents by their slugs. */
const createGraphs = (url: string) => ({
	plain: { nodes: [{ id: "desk", kind: "coordinator" as const }] },
	changing: { nodes: [{ id: "desk", kind: "coordinator" as const, instructions: "first" }] },
	guarded: {
		nodes: [
			{ id: "desk", kind: "coordinator" as const },
			{ id: "refund", kind: "tool" as const, tool: "refund", server: url, approval: true },
		],
		edges: [{ from: "desk", to: "refund", mode: "before" as const }],
	},
});
