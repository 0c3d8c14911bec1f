import { expect, it } from "vitest";
import { findBreakingChanges, type OpenApi, RULES } from "./breaking-changes";
import type { JsonSchema } from "./json-schema";

const object = (properties: object, required: readonly string[] = []): JsonSchema => ({
	type: "object",
	properties,
	required,
	additionalProperties: false,
});
const text = { type: "string" };

/** Parts of the document that the cases change. */
interface Parts {
	readonly request?: JsonSchema;
	readonly response?: JsonSchema;
	readonly statuses?: readonly string[];
	readonly parameters?: readonly object[];
	readonly security?: readonly object[];
	readonly isBodyRequired?: boolean;
	readonly mediaType?: string;
	readonly error?: string;
	readonly method?: string;
}

function toDocument({
	request = object({ name: text }),
	response = object({ id: text, node: { $ref: "#/components/schemas/Node" } }, ["id"]),
	statuses = ["200", "202"],
	parameters = [{ name: "q", in: "query", schema: text }],
	security = [{ accessToken: ["ask"] }, { clientKey: [] }],
	isBodyRequired = false,
	mediaType = "application/json",
	error = "404",
	method = "post",
}: Parts): OpenApi {
	const content = { [mediaType]: { schema: response } };
	return {
		paths: {
			"/v1/ask": {
				[method]: {
					parameters,
					security,
					requestBody: { required: isBodyRequired, content: { "application/json": { schema: request } } },
					responses: {
						...Object.fromEntries(statuses.map((status) => [status, { content }])),
						[error]: { $ref: "#/components/responses/NotFound" },
					},
				},
			},
		},
		components: {
			// It contains itself.
			schemas: {
				Node: object({ children: { type: "array", items: { $ref: "#/components/schemas/Node" } } }),
			},
			responses: { NotFound: { description: "Not Found: `run_not_found`." } },
		},
	} as OpenApi;
}

const limit = (maximum: number) => [{ name: "q", in: "query", schema: { type: "integer", maximum } }];

/** One change for each rule, and the closest change that breaks nobody. */
const CASES: readonly [rule: keyof typeof RULES, before: Parts, breaking: Parts, harmless: Parts][] = [
	["operation_removed", {}, { method: "put" }, {}],
	["parameter_removed", {}, { parameters: [] }, {}],
	[
		"parameter_required",
		{ parameters: [] },
		{ parameters: [{ name: "q", in: "query", required: true }] },
		{ parameters: [{ name: "q", in: "query" }] },
	],
	["body_required", {}, { isBodyRequired: true }, {}],
	["media_type_removed", {}, { mediaType: "text/plain" }, {}],
	["status_removed", {}, { statuses: ["200"] }, { statuses: ["200", "201", "202"] }],
	["code_moved", {}, { error: "410" }, {}],
	[
		"credential_removed",
		{},
		{ security: [{ accessToken: ["ask"] }] },
		{ security: [{ accessToken: ["ask"] }, { clientKey: [] }, { session: [] }] },
	],
	["field_removed", {}, { request: object({}) }, { request: object({ name: text, more: text }) }],
	["field_removed", {}, { response: object({}) }, {}],
	["field_required", {}, { request: object({ name: text }, ["name"]) }, {}],
	[
		"field_optional",
		{ response: object({ id: text }, ["id"]) },
		{ response: object({ id: text }) },
		{ response: object({ id: text, more: text }, ["id", "more"]) },
	],
	[
		"type_narrowed",
		{ request: object({ name: { type: ["string", "null"] } }) },
		{ request: object({ name: text }) },
		{ request: object({ name: { type: ["string", "null", "number"] } }) },
	],
	[
		"type_widened",
		{ response: object({ id: text }) },
		{ response: object({ id: { type: ["string", "null"] } }) },
		{ response: object({ id: text }) },
	],
	[
		"value_removed",
		{ request: object({ name: { enum: ["a", "b"] } }) },
		{ request: object({ name: { enum: ["a"] } }) },
		{ request: object({ name: { enum: ["a", "b", "c"] } }) },
	],
	["limit_tightened", { parameters: limit(100) }, { parameters: limit(50) }, { parameters: limit(200) }],
];

it.each(CASES)(
	"%s is found, and the closest change that breaks nobody is not",
	(rule, before, breaking, harmless) => {
		const rules = (after: Parts) =>
			findBreakingChanges(toDocument(before), toDocument(after)).map((change) => change.rule);
		expect(new Set(rules(breaking))).toEqual(new Set([rule]));
		expect(rules({ ...before, ...harmless })).toEqual([]);
	},
);

it("each rule has a case", () => {
	expect([...new Set(CASES.map(([rule]) => rule))].sort()).toEqual(Object.keys(RULES).sort());
});

it("says where a change is", () => {
	const [change] = findBreakingChanges(toDocument({}), toDocument({ request: object({}) }));
	expect(change).toEqual({ rule: "field_removed", at: "POST /v1/ask request.name" });
});
