import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Stemma } from "@stemma/client";
import { resolveConfiguration, startService } from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { findStablePort } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type InstancesDatabase, startDatabase } from "../durability/instances/database";
import { hasDeployedProxy, startScaledCaddy } from "./start-deployed-proxy";
import type { RunningProxy } from "./start-proxy";

type Service = Awaited<ReturnType<typeof startService>>;

/** Times that an instance is stopped and started again. */
const RESTARTS = 4;
const CALLERS = 4;

describe.skipIf(!hasPostgres || !hasDeployedProxy("caddy"))("two instances behind Caddy", () => {
	let vendor: OpenAiSimulator;
	let database: InstancesDatabase;
	let proxy: RunningProxy;
	let stemma: Stemma;
	const folders: string[] = [];
	const ports: number[] = [];
	const services: Service[] = [];
	beforeAll(async () => {
		vendor = await startOpenAiSimulator({
			behaviour: () => ({ kind: "reply", text: "It opens at nine, as it always did.", pauseMs: 40 }),
		});
		database = await startDatabase();
		for (const index of [0, 1]) {
			folders.push(await mkdtemp(join(tmpdir(), "stemma-instance-")));
			ports.push(await findStablePort());
			services.push(await start(index));
		}
		proxy = await startScaledCaddy(ports.map((port) => `127.0.0.1:${port}`));
		const credentials = await readFile(services[0]?.bootstrapCredentials.path ?? "", "utf8");
		const { client_id: clientId, client_secret: clientSecret } = JSON.parse(credentials);
		stemma = new Stemma({ baseUrl: proxy.url, clientId, clientSecret });
	});
	afterAll(async () => {
		await proxy?.stop();
		for (const service of services) await service.close(0);
		await database?.stop();
		await vendor?.close();
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	});

	const start = (index: number): Promise<Service> =>
		startService(
			resolveConfiguration({
				content: {
					data: folders[index] ?? "",
					listen: { port: ports[index] ?? 0, trusted_proxies: ["loopback"] },
					log: { level: "silent" },
					providers: {
						main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "simulated-1" },
					},
					chat: "main",
					outbound: { allow: ["127.0.0.1"] },
					limits: { requests_per_minute: 1_000_000 },
				},
				environment: { ...database.environment },
			}),
		);

	it(`answer all callers, while one of them is stopped and started again ${RESTARTS} times`, async () => {
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
				await services[index]?.close();
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
	});
});
