import type { CreatedThread, Thread, ThreadMessage } from "@stemma/client";
import type { SimulatedReply } from "@stemma/simulators/openai";
import { expect } from "vitest";
import type * as source from "../../index";
import { type McpFixture, startMcpFixture } from "../../mcp/test-support/mcp-fixture";
import type { TestRequest, TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";

const AGENT = "plain-desk";
const RUN = `/v1/agents/${AGENT}/run`;

/** Service with an agent that has no tools, and its threads. */
export interface ThreadFixture extends McpFixture {
	readonly agent: string;
	create(json?: object, request?: TestRequest): Promise<CreatedThread>;
	get(id: string): Promise<Thread>;
	/** Lists the messages of a thread, or of a branch. */
	list(id: string, branch?: string): Promise<readonly ThreadMessage[]>;
	/** Waits until the last message of a thread has a status, and gives all of them. */
	waitForStatus(id: string, status: ThreadMessage["status"]): Promise<readonly ThreadMessage[]>;
	/** Sends a message that the agent answers. */
	run(json: object, request?: TestRequest): Promise<TestResponse>;
	ask(json: object, request?: TestRequest): Promise<TestResponse>;
	/** Lets the model answer the next messages with these texts. */
	reply(...texts: readonly (string | Partial<SimulatedReply>)[]): void;
	/** Conversation of the last request to the model, without its instructions. */
	lastConversation(): readonly string[];
}

/** @param built - the service to start. */
export async function startThreadFixture(built: typeof source): Promise<ThreadFixture> {
	const fixture = await startMcpFixture(built);
	const { mine, vendor } = fixture;
	const graph = { nodes: [{ id: "desk", kind: "coordinator", instructions: "Help." }], edges: [] };
	await getBody(mine.send("POST", "/v1/agents", { json: { graph, slug: AGENT } }));

	const list: ThreadFixture["list"] = async (id, branch) => {
		const query = branch === undefined ? "" : `?branch=${branch}`;
		const path = `/v1/threads/${id}/messages${query}`;
		return (await getBody<{ messages: ThreadMessage[] }>(mine.send("GET", path))).messages;
	};
	return {
		...fixture,
		agent: AGENT,
		create: (json = {}, request) => getBody(mine.send("POST", "/v1/threads", { json, ...request })),
		get: (id) => getBody(mine.send("GET", `/v1/threads/${id}`)),
		list,
		async waitForStatus(id, status) {
			await expect
				.poll(async () => (await list(id)).at(-1)?.status, { interval: 10, timeout: 20_000 })
				.toBe(status);
			return list(id);
		},
		run: (json, request) => mine.send("POST", RUN, { json, ...request }),
		ask: (json, request) =>
			mine.send("POST", "/v1/ask", {
				json: { knowledge_base_ids: [mine.knowledgeBase], ...json },
				...request,
			}),
		reply(...texts) {
			vendor.enqueue(
				...texts.map((text) => ({ kind: "reply" as const, ...(typeof text === "string" ? { text } : text) })),
			);
		},
		lastConversation() {
			const body = vendor.requests.at(-1)?.body as
				| { messages: { role: string; content: string }[] }
				| undefined;
			return (body?.messages ?? []).filter(({ role }) => role !== "system").map(({ content }) => content);
		},
	};
}
