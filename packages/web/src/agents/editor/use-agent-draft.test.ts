import type { StoredAgent } from "@stemma/client";
import { expect, it } from "vitest";
import { parseDraft, settleDraft, toText } from "./use-agent-draft";

const graph = { nodes: [{ id: "desk", kind: "coordinator" as const, instructions: "Help." }], edges: [] };
const saved: StoredAgent = {
	...{ id: "ag_1", slug: "desk", name: null, description: null, version: 3, graph },
	...{ created_at: "2026-01-31T00:00:00.000Z", updated_at: "2026-01-31T00:00:00.000Z" },
};

it("becomes what was saved, as the service writes it", () => {
	const sent = JSON.stringify(graph);
	expect(settleDraft({ version: 2, text: sent }, sent, saved)).toEqual({ version: 3, text: toText(saved) });
});

it("keeps what was written while it was being saved, on top of the new version", () => {
	const current = { version: 2, text: "{ more" };
	expect(settleDraft(current, toText(saved), saved)).toEqual({ version: 3, text: "{ more" });
});

it.each([undefined, null, "text", {}, { version: "1", text: "" }, { version: 1 }])(
	"is not read from what is no draft: %j",
	(stored) => {
		expect(parseDraft(stored)).toBeUndefined();
	},
);
