// What every platform must be able to do with the packed @stemma/local and servers of others: see `client-scenario.mjs`.
import { HELD_TEXT, holdBack, PIECES } from "./held-text.mjs";

/** Asks the vendor to call the tool, and then to write the mark as its answer. */
const toRelayMark = (heldMark) => heldMark.replace("#held-", "#relay-");

/**
 * A graph on this side whose model calls a tool over MCP and goes on to an agent over A2A. Both are the service's, as any
 * other server: the graph names a secret, which is the client key.
 */
export async function runRemoteNodes(context) {
	const { packages, stemma, clientKey, fetch } = context;
	const { createLocalAgent, servicePorts } = packages.local;
	const { models } = servicePorts(stemma.client);
	const graph = packages.core.defineAgent(toGraph(context));
	const agent = createLocalAgent(graph, { ports: { models }, secrets: { service: clientKey }, fetch });
	const { mark, release } = holdBack(context);
	const stream = agent.stream({ input: toRelayMark(mark) });
	const steps = [];
	let pieces = 0;
	for await (const event of stream) {
		if (event.type === "node.completed" || event.type === "node.failed")
			steps.push(`${event.node} ${event.type.slice(5)}`);
		if (event.type !== "text.delta" || event.node !== "writer") continue;
		pieces += 1;
		await release(1);
	}
	const { status, output, receipt, error } = await stream.result();
	const paid = receipt.map(({ node, payer }) => `${node} ${payer}`);
	const isKeyLeaked = JSON.stringify([output, receipt, error]).includes(clientKey.slice(-20));
	return { status, output, steps, pieces, paid, isKeyLeaked };
}

const toGraph = ({ baseUrl, heldAgent, knowledgeBaseId }) => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{
			id: "lookup",
			kind: "tool",
			server: `${baseUrl}/mcp`,
			tool: "search",
			arguments: { knowledge_base_ids: [knowledgeBaseId] },
			auth: { secret: "service" },
		},
		{ id: "writer", kind: "remote", url: `${baseUrl}/a2a/${heldAgent}`, auth: { secret: "service" } },
	],
	edges: [
		{ from: "desk", to: "lookup" },
		{ from: "desk", to: "writer", mode: "then" },
	],
});

/** What {@link runRemoteNodes} must give everywhere. */
export const expectedOfRun = {
	status: "completed",
	output: HELD_TEXT,
	steps: ["lookup completed", "writer completed", "desk completed"],
	pieces: PIECES,
	paid: ["desk deployment", "desk deployment", "writer external"],
	isKeyLeaked: false,
};
