import { defineAgent } from "@stemma/core";
import { createLocalAgent, defineTool } from "@stemma/local";

// A refund needs a person: the run waits for it, as long as that takes.
const graph = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund_order", approval: true },
	],
	edges: [{ from: "desk", to: "refund" }],
});

let refunds = 0;
const refund = defineTool({
	description: "Pays an order back",
	parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
	run: ({ order }) => {
		refunds += 1;
		return { order, paid: "20 EUR" };
	},
});

// A model from a script: first it calls the tool twice, then it answers from what it was told.
const model = {
	provider: "scripted",
	model: "example",
	vendorHost: "",
	generate: () => Promise.reject(new Error("Only streams are used here.")),
	async *stream({ messages }) {
		const toolResults = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
		const toolCalls = ["A1", "A2"].map((order) => ({
			id: order,
			name: "refund",
			arguments: JSON.stringify({ order }),
		}));
		const reply =
			toolResults.length === 0
				? { text: "", toolCalls, finishReason: "tool_calls" }
				: { text: toolResults.join("\n"), toolCalls: [], finishReason: "stop" };
		if (reply.text !== "") yield { type: "text.delta", text: reply.text };
		yield { type: "finish", reply };
	},
};
const models = { resolve: () => ({ model, payer: "none", reason: "A script answers." }) };

/** An agent of its own each time, as in another process. */
const createAgent = () => createLocalAgent(graph, { ports: { models }, tools: { refund_order: refund } });

// Today: the run pauses, and is kept as JSON.
const run = createAgent().stream({ input: "Refund A1 and A2, please." });
const paused = await run.result();
console.log(paused.status);
for (const { id, tool, arguments: args } of paused.approvals)
	console.log(`${id}: ${tool} ${JSON.stringify(args)}`);
const saved = JSON.stringify(run.serialize());

// Tomorrow, elsewhere: a person has decided.
const [first, second] = paused.approvals;
const decisions = [
	{ approval_id: first.id, decision: "approve" },
	{ approval_id: second.id, decision: "deny", reason: "A2 is older than 30 days." },
];
const result = await createAgent().resume(JSON.parse(saved), { decisions }).result();
console.log(result.status);
console.log(result.output);
console.log(`The tool was called ${refunds} time.`);
if (refunds !== 1) process.exit(1);
