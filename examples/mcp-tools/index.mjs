import { createMcpClient, createMcpLock } from "@stemma/client/mcp";
import { defineAgent } from "@stemma/core";
import { createLocalAgent } from "@stemma/local";
import { startOrderServer } from "./order-server.mjs";

const server = await startOrderServer();

// 1. By hand: list the tools of a server, and call one.
const mcp = createMcpClient({ url: server.url });
const { tools } = await mcp.listTools();
for (const { name, description } of tools) console.log(`${name}: ${description}`);
const order = await mcp.callTool("find_order", { number: "A7" });
console.log(order.structuredContent);

// 2. Pinned: a server that changes a tool later is refused, with the difference.
const pin = await createMcpLock(tools);
const changed = { ...pin, tools: { ...pin.tools, find_order: { ...pin.tools.find_order, description: "" } } };
const refused = await createMcpClient({ url: server.url, pin: changed })
	.callTool("find_order", { number: "A7" })
	.catch((error) => error);
console.log(`${refused.code}: ${refused.message}`);

// 3. In a graph: the model of the desk may call it, and nothing else.
const graph = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Tell customers where their orders are." },
		{ id: "orders", kind: "tool", tool: "find_order", server: server.url },
	],
	edges: [{ from: "desk", to: "orders" }],
});

// A model that calls the first tool with the number it was given, and then tells what came back.
const model = {
	provider: "scripted",
	model: "order-teller",
	vendorHost: "",
	generate: () => Promise.reject(new Error("Only streams are used here.")),
	async *stream({ messages }) {
		const last = messages.at(-1);
		if (last.role === "user") {
			const [number] = last.content.match(/\b[A-Z]\d\b/);
			const call = { id: "call_1", name: "orders", arguments: JSON.stringify({ number }) };
			yield { type: "finish", reply: { text: "", toolCalls: [call], finishReason: "tool_calls" } };
			return;
		}
		const { status, arrives } = JSON.parse(last.content);
		const text = `Your order is ${status} and arrives on ${arrives}.`;
		yield { type: "text.delta", text };
		yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
	},
};
const models = { resolve: () => ({ model, payer: "none", reason: "It runs right here." }) };

const { output } = await createLocalAgent(graph, { ports: { models } }).run({ input: "Where is order B2?" });
console.log(output);

await mcp.close();
server.close();
if (output !== "Your order is packed and arrives on Monday.") process.exit(1);
