import { describe, expect, it } from "vitest";
import { parseRoute, toHref } from "./route";

describe("a route", () => {
	it.each([
		["", { page: "ask", threadId: undefined }],
		["#/ask", { page: "ask", threadId: undefined }],
		["#/ask/thr_1", { page: "ask", threadId: "thr_1" }],
		["#/knowledge", { page: "knowledge", knowledgeBaseId: undefined }],
		["#/knowledge/kb_1", { page: "knowledge", knowledgeBaseId: "kb_1" }],
		["#/runs", { page: "runs", runId: undefined }],
		["#/runs/run_1", { page: "runs", runId: "run_1" }],
		["#/agents", { page: "agents", agentId: undefined, runId: undefined }],
		["#/agents/ag_1", { page: "agents", agentId: "ag_1", runId: undefined }],
		["#/agents/ag_1/run_1", { page: "agents", agentId: "ag_1", runId: "run_1" }],
		["#/agents/ag_1/run_1/more", { page: "unknown" }],
		["#/agents/ag_1/versions", { page: "agents", agentId: "ag_1", runId: undefined, versions: [] }],
		["#/agents/ag_1/versions/2/5", { page: "agents", agentId: "ag_1", runId: undefined, versions: [2, 5] }],
		["#/agents/ag_1/versions/two", { page: "unknown" }],
		["#/agents/ag_1/versions/1/2/3", { page: "unknown" }],
		["#/models", { page: "models" }],
		["#/members", { page: "members" }],
		["#/account", { page: "account" }],
		["#/usage", { page: "usage" }],
		["#/workspaces", { page: "workspaces" }],
		["#/settings", { page: "settings", section: undefined }],
		["#/settings/audit", { page: "settings", section: "audit" }],
		["#/members/more", { page: "unknown" }],
		["#/ask/a/b", { page: "unknown" }],
		["#/elsewhere", { page: "unknown" }],
		["#/ask/%E0%A4%A", { page: "ask", threadId: undefined }],
	])("is parsed from %j", (fragment, route) => {
		expect(parseRoute(fragment)).toEqual(route);
	});

	it("keeps any id", () => {
		expect(parseRoute(toHref("knowledge", "a/b %"))).toEqual({ page: "knowledge", knowledgeBaseId: "a/b %" });
	});
});
