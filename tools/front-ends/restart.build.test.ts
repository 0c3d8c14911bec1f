import { randomBytes } from "node:crypto";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, vendorEnvironment } from "../end-to-end/servers";
import { type Agent, type AgentProgram, loadAgentProgram, textsOf } from "./clients/ag-ui-agent";
import { type Chat, type ChatProgram, loadChatProgram, partsOf, textOf } from "./clients/ai-sdk-chat";
import type { Target } from "./fixture";
import { isInstalled } from "./use-servers";

const harness = createHarness();
let vendor: OpenAiSimulator;
let service: ServiceProcess;
let env: Readonly<Record<string, string>>;
let chatProgram: ChatProgram;
let agentProgram: AgentProgram;

/** The desk asks another agent, with an approval. */
const DESK = {
	nodes: [
		{ id: "desk", kind: "coordinator" as const },
		{ id: "legal", kind: "remote" as const, agentId: "legal", approval: true },
	],
	edges: [{ from: "desk", to: "legal" }],
};

beforeAll(async () => {
	if (!isInstalled) return;
	[chatProgram, agentProgram] = await Promise.all([loadChatProgram(), loadAgentProgram()]);
	const apiKey = `sk-${randomBytes(24).toString("hex")}`;
	vendor = await startOpenAiSimulator({ apiKey });
	env = vendorEnvironment(vendor.baseUrl, apiKey);
	service = await startService(harness, { env });
	const { agents } = service.stemma;
	await agents.create({ slug: "legal", graph: { nodes: [{ id: "legal", kind: "coordinator" }], edges: [] } });
	await agents.create({ slug: "desk", graph: DESK });
});
afterAll(async () => {
	await vendor?.close();
	await harness.end();
});

/** `kill -9`, and a start on the same folder and port. */
async function restart(): Promise<void> {
	service.program.kill("SIGKILL");
	await service.program.ended;
	const { data, url } = service;
	service = await startService(harness, { data, env, port: new URL(url).port });
}

/** As a server of the page does it: tokens do not outlive the service. */
const fetchWithToken: Target["fetch"] = async (url, init) => {
	const { client_id, client_secret } = service.credentials;
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const response = await fetch(`${service.url}/oauth/token`, { method: "POST", body });
	const { access_token } = (await response.json()) as { readonly access_token: string };
	const headers = new Headers(init?.headers);
	headers.set("authorization", `Bearer ${access_token}`);
	return fetch(url, { ...init, headers });
};

const openChat = (agent: string, id: string): Chat =>
	chatProgram.openChat({ api: `${service.url}/v1/agents/${agent}/ui`, fetch: fetchWithToken, id });
const openAgent = (agent: string): Agent =>
	agentProgram.openAgent({
		url: `${service.url}/v1/agents/${agent}/ag-ui`,
		fetch: fetchWithToken,
		threadId: "restarted",
	});

const enqueueCall = (): void =>
	vendor.enqueue(
		{ kind: "reply", toolCalls: [{ id: "c", name: "legal", arguments: { input: "May I?" } }] },
		{ kind: "reply", text: "You may." },
		{ kind: "reply", text: "That is that." },
	);

describe.skipIf(!isInstalled)("behind a kill -9 of the service", () => {
	it("useChat's chat has the answer of the run that was resumed, once", async () => {
		const words = Array.from({ length: 30 }, (_, n) => `word-${n}`).join(" ");
		vendor.enqueue({ kind: "reply", text: words, held: new Promise(() => undefined) });
		const chat = openChat("legal", "broken");
		const sent = chat.send("Well?");
		await expect.poll(() => textOf(chat.messages[1])).toMatch(/word-3/);
		vendor.enqueue({ kind: "reply", text: "It is done." });
		await restart();
		await sent;
		const reloaded = openChat("legal", "broken");
		await reloaded.resume();
		expect(reloaded.messages[0]?.metadata).toMatchObject({ status: "completed" });
		expect(textOf(reloaded.messages[0])).toBe("It is done.");
	});

	it("useChat's chat decides on a call that waits", async () => {
		enqueueCall();
		await openChat("desk", "waits").send("Well?");
		await restart();
		const reloaded = openChat("desk", "waits");
		await reloaded.resume();
		const [call] = partsOf(reloaded.messages[0], "dynamic-tool");
		expect(call).toMatchObject({ state: "approval-requested", input: { input: "May I?" } });
		await reloaded.approve(call?.approval?.id ?? "", true);
		await expect
			.poll(() => [reloaded.status, reloaded.error, textOf(reloaded.messages[0])])
			.toEqual(["ready", undefined, "That is that."]);
		expect(partsOf(reloaded.messages[0], "dynamic-tool")).toMatchObject([
			{ state: "output-available", output: "You may." },
		]);
	});

	it("AG-UI's client answers an interrupt", async () => {
		enqueueCall();
		const agent = openAgent("desk");
		await agent.run("Well?");
		await restart();
		const [interrupt] = agent.interrupts;
		await agent.run(undefined, {
			resume: [{ interruptId: interrupt?.id, status: "resolved", payload: { approved: true } }],
		});
		expect(textsOf(agent)).toEqual(["Well?", "That is that."]);
		expect(agent.messages.filter(({ role }) => role === "tool")).toMatchObject([{ content: "You may." }]);
	});
});
