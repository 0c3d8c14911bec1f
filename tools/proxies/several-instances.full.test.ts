import { setTimeout as wait } from "node:timers/promises";
import { Stemma } from "@stemma/client";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness, findStablePort, type Harness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type InstancesDatabase, startDatabase } from "../durability/instances/database";
import { type ServiceProgram, startServiceProgram } from "./service-program";
import { DEPLOYED_PROXIES, hasDeployedProxy, startScaledProxy } from "./start-deployed-proxy";
import type { RunningProxy } from "./start-proxy";

/** Times that an instance is stopped by SIGTERM and started again. */
const RESTARTS = 4;
const CALLERS = 4;

describe.skipIf(!hasPostgres)("two instances", () => {
	let harness: Harness;
	let vendor: OpenAiSimulator;
	let database: InstancesDatabase;
	const places: { readonly folder: string; readonly port: number }[] = [];
	const services: ServiceProgram[] = [];
	beforeAll(async () => {
		harness = createHarness();
		vendor = await startOpenAiSimulator({
			behaviour: () => ({ kind: "reply", text: "It opens at nine, as it always did.", pauseMs: 40 }),
		});
		database = await startDatabase();
		for (const index of [0, 1]) {
			places.push({ folder: await harness.folder(), port: await findStablePort() });
			services.push(await start(index));
		}
		// nginx has a certificate that nobody has signed.
		process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
	});
	afterAll(async () => {
		await harness?.end();
		await database?.stop();
		await vendor?.close();
	});

	async function start(index: number): Promise<ServiceProgram> {
		const { folder = "", port = 0 } = places[index] ?? {};
		const { environment } = database;
		return startServiceProgram(harness, { folder, port, vendorUrl: vendor.baseUrl, environment });
	}

	async function withProxy(
		name: (typeof DEPLOYED_PROXIES)[number],
		work: (stemma: Stemma) => Promise<void>,
	): Promise<void> {
		const proxy: RunningProxy = await startScaledProxy(
			name,
			services.map(({ url }) => url),
		);
		try {
			const credentials = await services[0]?.readCredentials();
			const { client_id: clientId = "", client_secret: clientSecret = "" } = credentials ?? {};
			await work(new Stemma({ baseUrl: proxy.url, clientId, clientSecret }));
		} finally {
			await proxy.stop();
		}
	}

	it.each(DEPLOYED_PROXIES.filter(hasDeployedProxy))(
		`behind %s answer all callers, while one of them is stopped and started again ${RESTARTS} times`,
		(name) => withProxy(name, answerAll),
	);

	async function answerAll(stemma: Stemma): Promise<void> {
		const { id } = await stemma.agents.create({ graph: { nodes: [{ id: "desk", kind: "coordinator" }] } });
		const base = await stemma.knowledge.create({ name: "Books" });
		const file = new TextEncoder().encode("The harbour opens at nine.");
		const upload = await stemma.knowledge.documents.upload(base.id, { file, name: "harbour.md" });
		await stemma.knowledge.documents.waitUntilReady(base.id, upload);
		let isDone = false;
		const texts: unknown[] = [];
		let found = 0;
		async function call(): Promise<void> {
			while (!isDone) {
				texts.push((await stemma.agents.stream(id, { input: "When does it open?" }).result()).output);
				const { passages } = await stemma.search({ query: "harbour", knowledge_base_ids: [base.id] });
				found += passages.length;
			}
		}
		const calling = Promise.all(Array.from({ length: CALLERS }, call));
		// It is awaited below.
		calling.catch(() => undefined);
		try {
			for (let restart = 0; restart < RESTARTS; restart++) {
				const index = restart % 2;
				await wait(500);
				expect(await services[index]?.stop()).toBe(0);
				services[index] = await start(index);
				// Until Caddy has seen that it is ready: with the other one stopped there would be none.
				await wait(2_500);
			}
		} finally {
			isDone = true;
			await calling;
		}
		expect(new Set(texts)).toEqual(new Set(["It opens at nine, as it always did."]));
		expect(texts.length).toBeGreaterThan(RESTARTS * CALLERS);
		expect(found).toBe(texts.length);
		const { data } = await stemma.runs.list({ agent_id: id, limit: 100 });
		expect(new Set(data.map(({ status }) => status))).toEqual(new Set(["completed"]));
	}
});
