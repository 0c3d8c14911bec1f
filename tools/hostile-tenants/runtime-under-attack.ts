import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeAgents } from "../end-to-end/agent-files.ts";
import type { AttackerSettings } from "./attacker/attacker-process.ts";
import { startHostileEndpoints } from "./attacker/hostile-endpoints.ts";
import { sendRequest } from "./attacker/send-request.ts";
import { expectCompleted, expectSuccess, healthOperation, toJsonRequest } from "./measure/honest-tenant.ts";
import { type LimitedProcess, startLimitedProcess } from "./measure/limited-process.ts";
import { createMemoryLimit, type MemoryLimit } from "./measure/memory-limit.ts";
import { readNodeOptions } from "./measure/node-options.ts";
import type { Operation } from "./measure/open-load.ts";
import { runTrial, type TrialOptions, type TrialReport } from "./measure/trial.ts";
import { MEMORY_BYTES, startServiceUnderAttack } from "./service-under-attack.ts";

/** A built runtime in a process of its own with 1 GiB of memory, over a service. */
export interface RuntimeUnderAttack {
	readonly process: LimitedProcess;
	readonly limit: MemoryLimit;
	/** What an honest caller does. */
	readonly operations: readonly Operation[];
	readonly hostile: AttackerSettings["target"];
	remove(): Promise<void>;
}

/** Attacks a runtime of its own, and removes it. A runtime keeps nothing on the disk. */
export async function performRuntimeTrial(
	options: TrialOptions,
): Promise<{ readonly report: TrialReport; readonly limit: string }> {
	const { process, operations, hostile, limit, remove } = await startRuntimeUnderAttack();
	try {
		const attacker = { kind: "runtime", target: hostile } as const;
		const readDiskBytes = (): Promise<number> => Promise.resolve(0);
		return {
			report: await runTrial({ process, operations, attacker, readDiskBytes }, options),
			limit: limit.kind,
		};
	} finally {
		await remove();
	}
}

const program = fileURLToPath(new URL("../../packages/runtime/dist/main.js", import.meta.url));
const TOKEN = "token-of-the-runtime";

export async function startRuntimeUnderAttack(): Promise<RuntimeUnderAttack> {
	const undo: (() => unknown)[] = [];
	const remove = async (): Promise<void> => {
		for (const step of undo.splice(0).reverse()) await step();
	};
	try {
		const service = await startServiceUnderAttack({
			// For the service all callers of the runtime are one workspace.
			STEMMA_LIMITS_REQUESTS_PER_MINUTE: "10000000",
		});
		undo.push(() => service.remove());
		const tools = await startHostileEndpoints();
		undo.push(() => tools.close());
		const agents = await mkdtemp(join(tmpdir(), "stemma-hostile-agents-"));
		undo.push(() => rm(agents, { recursive: true, force: true }));
		await writeAgents(agents, toAgentFiles(tools.origin));
		const limit = createMemoryLimit(MEMORY_BYTES, "runtime");
		undo.push(() => limit.remove());
		const runtime = startLimitedProcess({
			args: [...(await readNodeOptions("runtime")), program, agents, "--port", "0"],
			limit,
			env: {
				STEMMA_BASE_URL: service.url,
				STEMMA_CLIENT_ID: service.honest.client_id,
				STEMMA_CLIENT_SECRET: service.honest.client_secret,
				STEMMA_RUNTIME_TOKEN: TOKEN,
			},
		});
		undo.push(() => {
			runtime.kill("SIGKILL");
			return runtime.ended;
		});
		const [, url = ""] = await runtime.waitForOutput(/listens on (http:\/\/[^\s.]+(?:\.\d+)*:\d+)/);
		const agent = new Agent({ keepAlive: true });
		undo.push(() => agent.destroy());
		const hostile = { ...service.hostile, url, token: TOKEN };
		return { limit, hostile, remove, process: runtime, operations: toOperations(url, agent) };
	} catch (error) {
		await remove();
		throw error;
	}
}

/** The built-in model answers; tools are of a server that answers, or hangs. */
function toAgentFiles(tools: string): Readonly<Record<string, object>> {
	const desk = { id: "desk", kind: "coordinator" };
	const withTool = (script: string, fields: object): object => ({
		nodes: [desk, { id: "look", kind: "tool", tool: "look", server: `${tools}/mcp/${script}`, ...fields }],
		edges: [{ from: "desk", to: "look", mode: "before" }],
	});
	return {
		"plain.json": { nodes: [desk], edges: [] },
		"strict.json": {
			nodes: [{ ...desk, output: { type: "object", properties: { answer: { type: "string" } } } }],
			edges: [],
		},
		"waiting.json": withTool("plain", { approval: true }),
		"hanging.json": withTool("hang", {}),
	};
}

function toOperations(url: string, agent: Agent): Operation[] {
	const send = async (method: string, path: string, json?: object) =>
		expectSuccess(
			await sendRequest(`${url}${path}`, { method, agent, ...toJsonRequest(TOKEN, json) }),
			`${method} ${path}`,
		);
	return [
		{ name: "agents", perSecond: 4, run: async () => void (await send("GET", "/agents")) },
		{
			name: "run",
			perSecond: 4,
			run: async () => expectCompleted(await send("POST", "/run/plain", { input: "How long?" })),
		},
		{
			name: "stream",
			perSecond: 4,
			async run() {
				const { text } = await send("POST", "/run/plain", { input: "How long?", stream: true });
				if (!text.includes("event: run.completed"))
					throw new Error(`The stream ends without its last event: ${text.slice(-200)}`);
			},
		},
		healthOperation(url),
	];
}
