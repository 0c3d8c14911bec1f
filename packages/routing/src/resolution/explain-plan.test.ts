import { expect, test } from "vitest";
import { explainPlan } from "./explain-plan";
import { planStages } from "./plan-stages";

test("a plan in words: stage, payer, model and place, and why", () => {
	const plan = planStages({
		workspace: {
			provider: "openai-compatible",
			base_url: "https://openrouter.ai/api/v1",
			model: "qwen/qwen3-32b",
			has_api_key: true,
		},
		deployment: { providers: {} },
		stages: ["embed", "answer"],
	});
	expect(explainPlan(plan)).toBe(`embed    no call
         No embedding model is configured: words only.
answer   the workspace pays: qwen/qwen3-32b (openai-compatible, https://openrouter.ai/api/v1)
         The workspace has set the model, and the workspace's key pays.`);
});

test("the built-in model is paid by nobody", () => {
	const plan = planStages({ deployment: { providers: {} }, stages: ["answer"] });
	expect(explainPlan(plan)).toBe(`answer   nobody pays: extractive (built in)
         No model is configured: the built-in one quotes the documents and calls no vendor.`);
});

test("a refusal in words: code, reason and what to do", () => {
	const plan = planStages({ deployment: { providers: {} }, choice: { provider: "bedrock" } });
	expect(explainPlan(plan)).toBe(`refused  credential_required
         The provider "bedrock" is called only with the workspace's own credential, and the workspace has set none.
         Set the workspace's provider to bedrock, with an \`api_key\`, or choose another provider.`);
});

test("a plan of nothing says nothing", () => {
	expect(explainPlan({ rows: [] })).toBe("");
});
