import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainPlan } from "./explain-plan";
import { planStages } from "./plan-stages";
import { toRefusalHint } from "./refusal-hint";
import { resolveModel } from "./resolve-model";
import { malformedInput, validInput } from "./test-support/arbitraries";
import { MODEL_INVARIANTS, toModelCase } from "./test-support/model-invariants";
import { isAsExpected } from "./test-support/stage-invariants";

/** A frozen object throws where it is written to. */
function freeze<T>(value: T): T {
	if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
	return value;
}

/** The same with a secret in each object, as a careless caller may pass it on. */
const withSecrets = <T>(value: T): T =>
	JSON.parse(JSON.stringify(value), (_, inner) =>
		typeof inner === "object" && inner !== null && !Array.isArray(inner)
			? { ...inner, api_key: SECRET, apiKey: SECRET, headers: { authorization: SECRET } }
			: inner,
	);

const SECRET = "sk-never-to-be-seen";

describe("of any input that the types allow", () => {
	test("nothing is thrown, and nothing written to", () => {
		fc.assert(
			fc.property(malformedInput, (input) => {
				freeze(input);
				resolveModel(input);
				explainPlan(planStages(input));
			}),
			{ numRuns: 1_000 },
		);
	});

	test("the same input comes to the same", () => {
		fc.assert(
			fc.property(malformedInput, (input) => {
				expect(resolveModel(input)).toEqual(resolveModel(structuredClone(input)));
				expect(planStages(input)).toEqual(planStages(structuredClone(input)));
			}),
			{ numRuns: 500 },
		);
	});

	test("a secret that is passed by mistake comes out nowhere", () => {
		fc.assert(
			fc.property(malformedInput, (input) => {
				const withSecretFields = withSecrets(input);
				const plan = planStages(withSecretFields);
				const explanation = JSON.stringify([resolveModel(withSecretFields), plan]) + explainPlan(plan);
				expect(explanation).not.toContain(SECRET);
			}),
			{ numRuns: 500 },
		);
	});

	test("a refusal says what to do", () => {
		fc.assert(
			fc.property(malformedInput, (input) => {
				const resolution = resolveModel(input);
				if ("refusal" in resolution) expect(toRefusalHint(resolution.refusal)).toMatch(/^[A-Z].*\.$/s);
			}),
			{ numRuns: 500 },
		);
	});
});

describe("of any input that can be configured", () => {
	test.each(
		Object.entries(MODEL_INVARIANTS).filter(
			([invariant]) => !invariant.startsWith("a model of the wrong region"),
		),
	)("%s", (_, holds) => {
		fc.assert(fc.property(validInput, (input) => holds(toModelCase(input))));
	});

	test("the plan is what the table of rules says", () => {
		fc.assert(
			fc.property(validInput, (input) => isAsExpected(input)),
			{ numRuns: 2_000 },
		);
	});
});

test.each(["__proto__", "constructor", "toString"])("a provider may be called %s", (name) => {
	const provider = {
		provider: name,
		base_url: "https://a.example",
		credential: "explicit",
		default_model: name,
	};
	const deployment = JSON.parse(JSON.stringify({ chat: name, providers: {} }));
	Object.defineProperty(deployment.providers, name, { value: provider, enumerable: true });
	expect(resolveModel({ deployment })).toMatchObject({
		resolved: { payer: "deployment", provider: name, model: name, credential: { kind: "deployment", name } },
	});
	expect(resolveModel({ deployment: { providers: {} }, choice: { provider: name } })).toMatchObject({
		refusal: { code: "provider_not_configured" },
	});
});
