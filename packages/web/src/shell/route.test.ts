import { describe, expect, it } from "vitest";
import { parseRoute, toHref } from "./route";

describe("a route", () => {
	it.each([
		["", { page: "ask", threadId: undefined }],
		["#/ask", { page: "ask", threadId: undefined }],
		["#/ask/thr_1", { page: "ask", threadId: "thr_1" }],
		["#/knowledge", { page: "knowledge", knowledgeBaseId: undefined }],
		["#/knowledge/kb_1", { page: "knowledge", knowledgeBaseId: "kb_1" }],
		["#/models", { page: "models" }],
		["#/members", { page: "members" }],
		["#/usage", { page: "usage" }],
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
