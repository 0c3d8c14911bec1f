// The client under test of the conformance suite, which says what to do by its environment, and where by the last argument.
import { createMcpClient } from "../../../packages/client/dist/mcp.js";

const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;

const client = createMcpClient({
	url: process.argv.at(-1),
	clientInfo: { name: "stemma-under-test", version: "1.0.0" },
	maxRetries: 0,
});

/** Accepts whatever it is asked for. */
async function callAndAccept(name) {
	let outcome = await client.callTool(name, {});
	while (outcome.status === "input_required") {
		const keys = Object.keys(outcome.inputRequests ?? {});
		const accepted = keys.map((key) => [key, { action: "accept", content: { confirmed: true } }]);
		outcome = await outcome.continue(Object.fromEntries(accepted));
	}
}

const SCENARIOS = {
	tools_call: () => client.callTool("add_numbers", { a: 5, b: 3 }),
	"sse-retry": () => client.callTool("test_reconnection", {}),
	"http-standard-headers": async () => {
		for (const name of ["test_headers", "my-hyphenated-tool"]) await client.callTool(name, {});
	},
	"http-custom-headers": async () => {
		for (const { name, arguments: args } of JSON.parse(context).toolCalls) await client.callTool(name, args);
	},
	"http-invalid-tool-headers": async ({ tools }) => {
		for (const { name } of tools) await client.callTool(name, { region: "eu" });
	},
	"json-schema-2020-12-preservation": ({ tools }) => {
		const { inputSchema } = tools.find(({ name }) => name === "json_schema_2020_12_tool");
		return client.callTool("json_schema_echo", { schema: inputSchema });
	},
	"sep-2322-client-request-state": async () => {
		const [first] = await Promise.all([
			client.callTool("test_mrtr_echo_state", {}),
			client.callTool("test_mrtr_unrelated", {}),
		]);
		await client.callTool("test_mrtr_unrelated", {});
		await first.continue({ confirm: { action: "accept", content: { confirmed: true } } });
		await callAndAccept("test_mrtr_no_state");
		await callAndAccept("test_mrtr_no_result_type");
	},
};

const listed = await client.listTools();
await SCENARIOS[scenario]?.(listed);
await client.close();
