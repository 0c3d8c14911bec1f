import { expect, it } from "vitest";
import { createClient } from "../create-client";
import { mcp } from "../mcp";
import { CLIENT_KEY } from "../test-support/test-client";
import { failure, serveMcp } from "./test-support/mcp-server";

const connectService = async (answer: (params: Readonly<Record<string, unknown>>) => object) => {
	const server = await serveMcp({
		era: "modern",
		handlers: { "tools/call": ({ params = {} }) => answer(params) },
	});
	const client = createClient({ clientKey: CLIENT_KEY, baseUrl: server.url.replace("/mcp", "") });
	return { server, tools: mcp(client) };
};

it("calls the tools of a service, with the client's credential", async () => {
	const { server, tools } = await connectService((params) => ({ content: [], structuredContent: params }));
	const calls = [
		["search", { query: "refunds", top_k: 3 }, tools.search({ query: "refunds", top_k: 3 })],
		["fetch", { id: "psg_1" }, tools.fetch({ id: "psg_1" })],
		[
			"ask",
			{ question: "When?", knowledge_base_ids: ["kb_1"] },
			tools.ask({ question: "When?", knowledge_base_ids: ["kb_1"] }),
		],
		["list_knowledge_bases", {}, tools.listKnowledgeBases()],
		[
			"list_documents",
			{ knowledge_base_id: "kb_1", limit: 2 },
			tools.listDocuments({ knowledge_base_id: "kb_1", limit: 2 }),
		],
	] as const;
	for (const [name, args, called] of calls) expect(await called).toMatchObject({ name, arguments: args });
	for (const { headers } of server.received) expect(headers.authorization).toBe(`Bearer ${CLIENT_KEY}`);
	expect(server.count("initialize")).toBe(0);
});

it("a tool that fails is an error with what it says, without the credential", async () => {
	const { tools } = await connectService(() => ({
		isError: true,
		content: [{ type: "text", text: `No such knowledge base. ${CLIENT_KEY}` }],
	}));
	const error = await failure(tools.search({ query: "a" }));
	expect(error).toMatchObject({ name: "McpError", code: "tool_failed" });
	expect(error.message).toContain("No such knowledge base. [redacted]");
	expect(await tools.callTool("search")).toMatchObject({ isError: true });
});

it("a tool that fails with an error of the service has its code and its hint", async () => {
	const serviceError = {
		code: "knowledge_base_not_found",
		message: "There is none.",
		hint: "List them.",
		request_id: "req_1",
	};
	const { tools } = await connectService(() => ({
		isError: true,
		content: [],
		_meta: { "stemma/error": serviceError },
	}));
	expect(await failure(tools.listDocuments({ knowledge_base_id: "kb_1" }))).toMatchObject({
		name: "McpError",
		code: "knowledge_base_not_found",
		hint: "List them.",
		message: "The tool `list_documents` failed: There is none.",
	});
});
