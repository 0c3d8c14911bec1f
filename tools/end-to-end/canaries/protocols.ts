import type { RecordedAnswer, RecordedRequest } from "./recorder";
import type { CanarySecrets } from "./vendors";

export type CallRoute = (
	route: string,
	request?: RecordedRequest,
	...ids: readonly string[]
) => Promise<RecordedAnswer>;

const A2A = { "a2a-version": "1.0" };

/** Calls a tool that repeats its secret, well and in vain. */
export async function callTool(
	callRoute: CallRoute,
	{ usedTool }: CanarySecrets,
	echo: string,
): Promise<void> {
	const server = `${echo}/mcp`;
	await callRoute(
		"PUT /v1/workspace/secrets/:id",
		{ json: { server_url: server, value: usedTool } },
		"used-tool",
	);
	const look = { id: "look", kind: "tool", tool: "look", server, auth: { secret: "used-tool" } };
	const graph = {
		nodes: [{ id: "desk", kind: "coordinator" }, look],
		edges: [{ from: "desk", to: "look", mode: "before" }],
	};
	const { body: agent } = await callRoute("POST /v1/agents", { json: { graph, slug: "looking" } });
	for (const fail of [false, true]) {
		const request = { json: { input: { fail } }, revealedFields: ["run_token"] };
		const { body: result } = await callRoute("POST /v1/agents/:id/run", request, agent.id);
		if (result.status !== (fail ? "failed" : "completed")) throw new Error(JSON.stringify(result));
		await callRoute("GET /v1/runs/:id/events", { revealedFields: ["run_token"] }, result.run_id);
	}
	await approve(callRoute, {
		...graph,
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ ...look, approval: true },
		],
	});
}

/** The same tool, behind a person: the run is saved, and goes on with its secret. */
async function approve(callRoute: CallRoute, graph: object): Promise<void> {
	const { body: agent } = await callRoute("POST /v1/agents", { json: { graph, slug: "asking" } });
	const request = { json: { input: { fail: false } }, revealedFields: ["run_token"] };
	const { body: paused } = await callRoute("POST /v1/agents/:id/run", request, agent.id);
	const [approval] = paused.approvals;
	const approved = { json: { decision: "approve" } };
	await callRoute("POST /v1/runs/:id/approvals/:id", approved, paused.run_id, approval.id);
	const follow = "GET /v1/runs/:id/events?wait_ms=10000";
	const { body: rest } = await callRoute(follow, { revealedFields: ["run_token"] }, paused.run_id);
	if (paused.status !== "paused" || rest.data.length === 0) throw new Error(JSON.stringify(paused));
}

/** Has the service speak MCP, and A2A with news of a task for somebody who is to be known by secrets. */
export async function speakProtocols(
	callRoute: CallRoute,
	{ pushToken, pushCredentials }: CanarySecrets,
	echo: string,
): Promise<void> {
	for (const path of ["resource", "resource/mcp", "resource/a2a/:id"])
		await callRoute(`GET /.well-known/oauth-protected-${path}`, {}, "desk");
	await callRoute("GET /.well-known/oauth-authorization-server");
	const toRpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
	const accept = "application/json, text/event-stream";
	const call = { name: "search", arguments: { query: "office" } };
	await callRoute("POST /mcp", { json: toRpc("tools/call", call), headers: { accept } });

	const taskPushNotificationConfig = {
		id: "news",
		url: `${echo}/news`,
		token: pushToken,
		authentication: { scheme: "Bearer", credentials: pushCredentials },
	};
	const json = {
		message: { messageId: "one", role: "ROLE_USER", parts: [{ text: "When does it open?" }] },
		configuration: { taskPushNotificationConfig },
	};
	const request = { headers: A2A, revealedFields: ["run_token"] };
	for (const route of ["POST /a2a/:id", "POST /a2a/:id/"])
		await callRoute(route, { ...request, json: toRpc("SendMessage", json) }, "desk");
	const sent = { ...json, message: { ...json.message, messageId: "two" } };
	const { body } = await callRoute("POST /a2a/:id/…", { ...request, json: sent }, "desk", "message:send");
	const config = `tasks/${body.task.id}/pushNotificationConfigs/news`;
	await callRoute("GET /a2a/:id/…", request, "desk", ".well-known/agent-card.json");
	await callRoute("GET /a2a/:id/…", request, "desk", config);
	await callRoute("DELETE /a2a/:id/…", request, "desk", config);
}
