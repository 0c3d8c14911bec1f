import { type GraphFixture, startGraphFixture, toGraphWith } from "../agent-ports/test-support/graph-fixture";
import type * as source from "../index";
import { toRefundGraph } from "./refund-graph";
import { getBody, waitUntilIndexed } from "./tenant";

/** A service whose agents and knowledge base are asked as models. */
export interface AnsweringFixture extends GraphFixture {
	/** Id of the knowledge base `handbook`. */
	readonly handbook: string;
	/** Fetches from the service, whatever the host. */
	readonly fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** Address of the page that the handbook has. */
export const HANDBOOK_URL = "https://handbook.example/returns";
export const HANDBOOK_TEXT = "A refund takes five working days.";

/**
 * Starts a service with the agents `plain`, `greeter` (needs a context), `cited` (reads the handbook first), `reader` (calls the handbook), `json` and
 * `desk` (its refunds need an approval).
 */
export async function startAnsweringFixture(
	built: typeof source,
	mcpUrl = "http://127.0.0.1:9/mcp",
): Promise<AnsweringFixture> {
	const fixture = await startGraphFixture(built);
	const { send, save } = fixture;
	const { id } = await getBody<{ readonly id: string }>(
		send("POST", "/v1/knowledge-bases", { json: { name: "Handbook", slug: "handbook" } }),
	);
	const json = { title: "Returns", text: HANDBOOK_TEXT, source: HANDBOOK_URL };
	await getBody(send("POST", `/v1/knowledge-bases/${id}/documents`, { json }));
	await waitUntilIndexed(send, id);
	const books = { id: "books", kind: "knowledge", knowledgeBases: [id] };
	await save("plain", { nodes: [{ id: "plain", kind: "coordinator" }] });
	await save("greeter", {
		nodes: [{ id: "greeter", kind: "coordinator", instructions: "Greet {{context.customer}}." }],
	});
	await save("cited", toGraphWith(books));
	await save("reader", {
		nodes: [{ id: "reader", kind: "coordinator" }, books],
		edges: [{ from: "reader", to: "books" }],
	});
	const output = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
	await save("json", { nodes: [{ id: "json", kind: "coordinator", output }] });
	await save("desk", toRefundGraph(mcpUrl));
	return {
		...fixture,
		handbook: id,
		fetch: (url, init) => fixture.deployment.service.fetch(new Request(url, init)),
	};
}
