import type { KnowledgeBase } from "@stemma/client";
import { describe, expect, it } from "vitest";
import { toBaseDraft, toBaseUpdate, toPlanNodes } from "./base-settings-draft";

const BASE: KnowledgeBase = {
	...{ id: "kb_1", slug: "shop", name: "Shop", description: null, llm_provider: null, llm_model: "m" },
	documents: { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 },
	...{ passage_count: 0, embedding: null, created_at: "", updated_at: "" },
};

describe("the settings of a knowledge base", () => {
	it("send what was changed alone", () => {
		const draft = toBaseDraft(BASE);
		expect(toBaseUpdate(BASE, draft)).toEqual({});
		expect(toBaseUpdate(BASE, { ...draft, name: " Desk " })).toEqual({ name: "Desk" });
		expect(toBaseUpdate(BASE, { ...draft, description: "Texts" })).toEqual({ description: "Texts" });
	});

	it("clear a model with null", () => {
		expect(toBaseUpdate(BASE, { ...toBaseDraft(BASE), llmModel: " ", llmProvider: "bedrock" })).toEqual({
			llm_provider: "bedrock",
			llm_model: null,
		});
	});

	it("ask for the plan with what is written, and with nothing where nothing is", () => {
		const draft = { ...toBaseDraft(BASE), llmProvider: "bedrock", llmModel: " m " };
		expect(toPlanNodes(draft)[0]).toEqual({ node: "answer", provider: "bedrock", model: "m" });
		expect(toPlanNodes({ ...draft, llmProvider: "", llmModel: "" })).toEqual([
			{ node: "answer" },
			{ node: "rewrite", stage: "rewrite" },
		]);
	});
});
