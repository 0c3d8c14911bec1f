import type { ReceiptRow } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { Secret } from "../../encryption/secret";
import { createModels } from "../../models/models";
import { assertPlanned, planQuestion, planSearch } from "./question-plan";

const failOnCall = (): never => {
	throw new Error("Nothing is called here.");
};
const options = { outbound: failOnCall, fetch: failOnCall };
const main = {
	provider: "openai-compatible",
	baseUrl: "https://models.example/v1",
	credential: new Secret("sk-secret"),
	defaultModel: "small",
	allowedModels: [],
} as const;
const builtIn = createModels({ providers: {} }, options);
const paid = createModels({ providers: { main }, chat: "main" }, options);
const row = (stage: ReceiptRow["stage"], payer: ReceiptRow["payer"]): ReceiptRow => ({
	stage,
	payer,
	provider: "openai-compatible",
	vendor_host: "models.example",
	model: "small",
	input_tokens: 1,
	output_tokens: 1,
	ms: 1,
	attempts: 1,
	reason: "It pays.",
});

describe("the plan of a question", () => {
	it("has the calls of all stages, by one decision", () => {
		const stages: unknown[] = [];
		const counted: typeof paid = {
			...paid,
			plan(wanted, request) {
				stages.push(wanted);
				return paid.plan(wanted, request);
			},
		};
		expect(planQuestion(counted, {})).toMatchObject({
			rewrite: { payer: "deployment" },
			embed: undefined,
			score: { payer: "deployment" },
			answer: { payer: "deployment", model: "small" },
		});
		expect(stages).toHaveLength(1);
	});

	it("has no calls where the built-in model answers", () => {
		const { request: _, ...stages } = planQuestion(builtIn, {});
		expect(Object.values(stages)).toEqual([undefined, undefined, undefined, undefined]);
	});

	it("refuses a choice of the model that is not allowed, before anything is called", () => {
		expect(() => planQuestion(paid, { choice: { model: "huge" } })).toThrow(
			expect.objectContaining({ code: "model_not_allowed" }),
		);
	});

	it("scores the passages of a search where they must have a score, and else asks nobody about the choice", () => {
		expect(planSearch(paid, {}, { min_score: 0.5 }).score).toMatchObject({ payer: "deployment" });
		expect(planSearch(paid, { choice: { model: "huge" } }, {}).score).toBeUndefined();
	});

	it("rewrites the question of a search that has a history, where the model may be had", () => {
		const history = [{ role: "user", content: "?" }] as const;
		expect(planSearch(paid, {}, { history }).rewrite).toMatchObject({ payer: "deployment" });
		expect(planSearch(paid, {}, { history: [] }).rewrite).toBeUndefined();
		expect(planSearch(paid, { choice: { model: "huge" } }, { history }).rewrite).toBeUndefined();
		expect(planSearch(builtIn, {}, { history }).rewrite).toBeUndefined();
	});

	it("is held against the receipt: each call was planned, with the payer that was planned", () => {
		const plan = planQuestion(paid, {});
		assertPlanned(plan, [row("rewrite", "deployment"), row("answer", "deployment")]);
		expect(() => assertPlanned(plan, [row("answer", "workspace")])).toThrow("not planned");
		expect(() => assertPlanned(plan, [row("embed", "deployment")])).toThrow("not planned");
		assertPlanned(planQuestion(builtIn, {}), [row("answer", "none")]);
	});
});
