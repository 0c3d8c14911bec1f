import { createMcpLock, type McpLock } from "@stemma/client/mcp";
import { type AgentGraph, ConfigurationError } from "@stemma/core";
import { beforeAll, expect, it } from "vitest";
import { createLocalAgent, mcpTools } from "../index";

const SERVER = "https://mcp.example/orders";
const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund", server: SERVER },
		{ id: "legal", kind: "remote", url: "https://legal.example" },
	],
	edges: ["refund", "legal"].map((to) => ({ from: "desk", to })),
};
const models = { resolve: () => Promise.reject(new Error("not used")) };

let lock: McpLock;
beforeAll(async () => {
	lock = await createMcpLock([{ name: "refund", inputSchema: { type: "object" } }]);
});

const make = (addresses: readonly string[]) => () =>
	createLocalAgent(graph, {
		ports: { models },
		pins: Object.fromEntries(addresses.map((address) => [address, lock])),
	});

it.each([[[]], [[SERVER]], [[`${SERVER}/`]], [["https://MCP.example/orders"]]])(
	"takes pins of servers that nodes call: %j",
	(addresses) => expect(make(addresses)).not.toThrow(),
);

it.each([
	["https://mcp.example/order", ` Did you mean "${SERVER}"?`],
	["http://mcp.example/orders", ` Did you mean "${SERVER}"?`],
	["https://nothing-like-it.test", ""],
	// Agents have no lock.
	["https://legal.example", ""],
	["https://a.test/?key=hidden", ""],
])("refuses a pin of a server that no node calls: %s", (address, suggestion) => {
	const shown = address.replace(/\?.*/, "");
	expect(make([SERVER, address])).toThrow(ConfigurationError);
	expect(make([SERVER, address])).toThrow(
		expect.objectContaining({
			message: `\`pins\` names "${shown}", which no node of the graph calls.${suggestion}`,
			hint: expect.stringContaining("`server`"),
		}),
	);
});

it("refuses pins that the port which was given does not ask for", () => {
	const pins = { [SERVER]: lock };
	expect(() => createLocalAgent(graph, { ports: { models, tools: mcpTools() }, pins })).toThrow(
		expect.objectContaining({ hint: expect.stringContaining("`mcpTools({ pins })`") }),
	);
	expect(() => createLocalAgent(graph, { ports: { models, tools: mcpTools({ pins }) } })).not.toThrow();
});
