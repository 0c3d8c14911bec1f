import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Credentials } from "../../durability/service/api.ts";
import { readFields } from "../attacker/hostile.ts";
import { type Answer, type RequestOptions, sendRequest } from "../attacker/send-request.ts";
import { toOutcome } from "../attacker/tally.ts";
import type { Operation } from "./open-load.ts";

/** Operations of the honest tenant, at a steady low rate. */
export interface HonestTenant {
	readonly operations: readonly Operation[];
	close(): void;
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const SOURCES = 40;

/** Creates the documents and the agent of the honest tenant. */
export async function createHonestTenant(url: string, credentials: Credentials): Promise<HonestTenant> {
	const agent = new Agent({ keepAlive: true });
	let token = "";
	const send = async (method: string, path: string, json?: unknown): Promise<Answer> =>
		expectSuccess(
			await sendRequest(`${url}${path}`, {
				method,
				agent,
				timeoutMs: TIMEOUT_MS,
				...toJsonRequest(token, json),
			}),
			`${method} ${path}`,
		);
	const fetchToken = async (): Promise<void> => {
		const { client_id, client_secret } = credentials;
		const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
		const answer = await sendRequest(`${url}/oauth/token`, {
			method: "POST",
			agent,
			timeoutMs: TIMEOUT_MS,
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: form.toString(),
		});
		token = String(readFields(expectSuccess(answer, "POST /oauth/token").text).access_token);
	};
	await fetchToken();
	const knowledgeBase = String(
		readFields((await send("POST", "/v1/knowledge-bases", { name: "honest" })).text).id,
	);
	const documents = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	const upload = async (number: number): Promise<void> => {
		const answer = await send("POST", documents, {
			text: toMarkdown(number),
			source: `page-${number % SOURCES}.md`,
		});
		const [document] = (readFields(answer.text).data ?? []) as { id: string }[];
		await untilReady(() => send("GET", `${documents}/${document?.id}`));
	};
	for (let number = 0; number < SOURCES; number++) await upload(number);
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "pages", kind: "knowledge", knowledgeBases: [knowledgeBase] },
		],
		edges: [{ from: "desk", to: "pages", mode: "before" }],
	};
	const agentId = String(readFields((await send("POST", "/v1/agents", { graph, slug: "honest" })).text).id);
	let count = SOURCES;
	const question = (): string => `How long does topic ${++count % SOURCES} take?`;
	return {
		operations: [
			{
				name: "search",
				perSecond: 4,
				run: async () => void (await send("POST", "/v1/search", { query: question() })),
			},
			{
				name: "ask",
				perSecond: 2,
				run: async () => void (await send("POST", "/v1/ask", { question: question() })),
			},
			{ name: "token", perSecond: 2, run: fetchToken },
			{ name: "upload", perSecond: 1, run: () => upload(++count) },
			{
				name: "run",
				perSecond: 2,
				run: () => send("POST", `/v1/agents/${agentId}/run`, { input: question() }).then(expectCompleted),
			},
			healthOperation(url),
		],
		close: () => agent.destroy(),
	};
}

/** `GET /healthz`, ten times a second, on connections of its own: it waits behind no other request of the same client. */
export function healthOperation(url: string): Operation {
	const agent = new Agent({ keepAlive: true });
	return {
		name: "healthz",
		perSecond: 10,
		run: async () =>
			void expectSuccess(
				await sendRequest(`${url}/healthz`, { agent, timeoutMs: TIMEOUT_MS }),
				"GET /healthz",
			),
	};
}

export const toJsonRequest = (token: string, json: unknown): Pick<RequestOptions, "headers" | "body"> => ({
	headers: {
		...(token === "" ? {} : { authorization: `Bearer ${token}` }),
		...(json === undefined ? {} : { "content-type": "application/json" }),
	},
	...(json === undefined ? {} : { body: JSON.stringify(json) }),
});

export function expectSuccess(answer: Answer, request: string): Answer {
	if (answer.status >= 200 && answer.status < 300 && answer.broken === undefined) return answer;
	throw new Error(`${request}: ${toOutcome(answer)} after ${Math.round(answer.ms)} ms`);
}

export function expectCompleted({ text }: Answer): void {
	const { status, error } = readFields(text);
	if (status !== "completed") throw new Error(`The run is ${status}: ${JSON.stringify(error)}`);
}

async function untilReady(get: () => Promise<Answer>): Promise<void> {
	const until = performance.now() + TIMEOUT_MS;
	for (;;) {
		const { status } = readFields((await get()).text);
		if (status === "ready") return;
		if (status === "failed") throw new Error("The document failed.");
		if (performance.now() > until) throw new Error(`The document is ${status} after ${TIMEOUT_MS} ms.`);
		await wait(POLL_MS);
	}
}

const toMarkdown = (number: number): string =>
	`# Topic ${number % SOURCES}\n\nTopic ${number % SOURCES} takes ${number} working days.\n\n${"Ask the desk for details of it. ".repeat(8)}`;
