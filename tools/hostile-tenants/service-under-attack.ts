import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Credentials, createApi, fetchToken } from "../durability/service/api.ts";
import type { AttackerSettings } from "./attacker/attacker-process.ts";
import { createHonestTenant } from "./measure/honest-tenant.ts";
import { type LimitedProcess, startLimitedProcess } from "./measure/limited-process.ts";
import { readFolderBytes } from "./measure/machine.ts";
import { createMemoryLimit, type MemoryLimit } from "./measure/memory-limit.ts";
import { readNodeOptions } from "./measure/node-options.ts";

import { runTrial, type TrialOptions, type TrialReport } from "./measure/trial.ts";

/** Bytes that the service may use. */
export const MEMORY_BYTES = 2 ** 30;

/** A built service in a process of its own with 1 GiB of memory, and two workspaces. */
export interface ServiceUnderAttack {
	readonly url: string;
	readonly process: LimitedProcess;
	readonly limit: MemoryLimit;
	/** Its data folder. */
	readonly data: string;
	readonly honest: Credentials;
	readonly hostile: AttackerSettings["target"];
	/** Kills what is left and removes the data folder. */
	remove(): Promise<void>;
}

/** Attacks a service of its own, and removes it. */
export async function performServiceTrial(
	options: TrialOptions,
): Promise<{ readonly report: TrialReport; readonly limit: string }> {
	const service = await startServiceUnderAttack();
	try {
		const honest = await createHonestTenant(service.url, service.honest);
		const report = await runTrial(
			{
				process: service.process,
				operations: honest.operations,
				attacker: { kind: "service", target: service.hostile },
				readDiskBytes: () => readFolderBytes(service.data),
			},
			options,
		);
		honest.close();
		return { report, limit: service.limit.kind };
	} finally {
		await service.remove();
	}
}

type AllCredentials = Credentials & { readonly client_key: string };

const program = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** @param settings - variables besides those that the attacks need. */
export async function startServiceUnderAttack(
	settings: Readonly<Record<string, string>> = {},
): Promise<ServiceUnderAttack> {
	const data = await mkdtemp(join(tmpdir(), "stemma-hostile-"));
	const limit = createMemoryLimit(MEMORY_BYTES, "service");
	const service = startLimitedProcess({
		args: [...(await readNodeOptions("service")), program, "serve", "--data", data, "--port", "0"],
		limit,
		env: {
			// Settings of workspaces are sealed with it; the hostile tenant has its model on this machine.
			STEMMA_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
			STEMMA_OUTBOUND_ALLOW: "127.0.0.1",
			STEMMA_LOG_LEVEL: "error",
			...settings,
		},
	});
	const remove = async (): Promise<void> => {
		service.kill("SIGKILL");
		await service.ended;
		limit.remove();
		await rm(data, { recursive: true, force: true });
	};
	try {
		const [, url = ""] = await service.waitForOutput(/listens on (http:\/\/[^\s"]+)/);
		const honest = JSON.parse(readFileSync(join(data, "first-credentials.json"), "utf8")) as Credentials;
		const api = createApi(url, await fetchToken(url, honest));
		const hostile = await api.post<AllCredentials>("/v1/workspaces", { name: "hostile" });
		return {
			url,
			data,
			limit,
			honest,
			process: service,
			remove,
			hostile: await prepareHostile(url, hostile),
		};
	} catch (error) {
		await remove();
		throw error;
	}
}

async function prepareHostile(url: string, credentials: AllCredentials): Promise<AttackerSettings["target"]> {
	const token = await fetchToken(url, credentials);
	const api = createApi(url, token);
	const { id } = await api.post<{ id: string }>("/v1/knowledge-bases", { name: "hostile" });
	for (let number = 0; number < 30; number++)
		await api.post(`/v1/knowledge-bases/${id}/documents`, {
			text: `# Page ${number}\n\n${"The refund of a parcel takes five working days. ".repeat(100 + number)}`,
			source: `page-${number}.md`,
		});
	return {
		url,
		token,
		clientId: credentials.client_id,
		clientSecret: credentials.client_secret,
		clientKey: credentials.client_key,
		knowledgeBase: id,
	};
}
