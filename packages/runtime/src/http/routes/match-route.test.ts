import { expect, it } from "vitest";
import { matchRoute } from "./match-route";

it.each([
	["/healthz", "/healthz"],
	["/run/desk", "/run/:agentId"],
	["/run/a/b", "other"],
	["/runs/r/approvals/x", "/runs/:id/approvals/:approval_id"],
	["/a2a/desk/.well-known/agent-card.json", "/a2a/:agentId"],
	["/__proto__", "other"],
])("calls %s %s", (path, route) => expect(matchRoute(path).name).toBe(route));
