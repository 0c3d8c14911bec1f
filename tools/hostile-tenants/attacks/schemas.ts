import type { Attack } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";
import type { ModelScript } from "../attacker/model-scripts.ts";
import { desk, oneNode, runAgain } from "./graphs.ts";

/** Refused when the agent is stored, or the run fails in order (200 with `status: failed`). */
const REFUSED = ["422 agent_invalid", "413 body_too_large", "400 invalid_json", "400 invalid_request"];

const bomb = (name: string, output: object, script: ModelScript = "letters", everyMs = 500): Attack => ({
	name,
	expects: REFUSED,
	everyMs,
	start: runAgain(() => oneNode(desk(script, { output }))),
});

const EVIL = "^(a+)+$";

/** Each definition names the next twice: 2^28 ways. */
export function doubleReferences(depth: number): object {
	const definitions = Array.from({ length: depth }, (_, index) => [
		`d${index}`,
		{ allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
	]);
	return {
		$ref: "#/$defs/d0",
		$defs: { ...Object.fromEntries(definitions), [`d${depth}`]: { type: "string" } },
	};
}

/** A schema of `depth` levels, each with `width` alternatives of the level below. */
function nest(keyword: string, width: number, depth: number): object {
	let schema: object = { pattern: EVIL };
	for (let level = 0; level < depth; level++)
		schema = { [keyword]: Array.from({ length: width }, () => schema) };
	return schema;
}

export const SCHEMA_ATTACKS: readonly Attack[] = [
	bomb("schema-pattern", { type: "string", pattern: EVIL }),
	bomb("schema-pattern-properties", { patternProperties: { [EVIL]: { type: "string" } } }, "letters-as-key"),
	bomb("schema-property-names", { propertyNames: { pattern: "^(.*a){25}$" } }, "letters-as-key"),
	bomb("schema-nested-quantifiers", { pattern: "^((a|aa)+)+b$" }),
	bomb("schema-lookahead", { pattern: "^(?=(a+))*\\1*(a+)+$" }),
	bomb("schema-huge-repeat", { pattern: "^((a{1,1000}){1,1000}){1,100}b$" }),
	bomb("schema-ref-doubling", doubleReferences(28)),
	bomb("schema-ref-circle", { $ref: "#" }),
	bomb("schema-one-of", nest("oneOf", 24, 2)),
	bomb("schema-any-of-deep", nest("anyOf", 2, 14)),
	bomb("schema-unique-items", { uniqueItems: true }, "unique-list", 1000),
	bomb("schema-contains", { contains: { contains: { uniqueItems: true } } }, "unique-list", 1000),
	bomb("schema-deep", nest("allOf", 1, 1000)),
	bomb("schema-huge-enum", { enum: Array.from({ length: 100_000 }, (_, index) => index) }, "letters", 1500),
	bomb("schema-deep-reply", { type: "array" }, "deep-json", 1000),
	bomb("schema-many-properties", {
		properties: Object.fromEntries(
			Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { pattern: EVIL }]),
		),
	}),
	{
		name: "guards-of-a-tenant",
		expects: REFUSED,
		everyMs: 500,
		start: runAgain(() => ({
			nodes: [
				desk("unique-list", { output: { type: "array" } }),
				...Array.from({ length: 200 }, (_, index) => ({
					id: `n${index}`,
					kind: "agent",
					model: { model: "hello" },
				})),
			],
			edges: Array.from({ length: 200 }, (_, index) => ({
				from: "desk",
				to: `n${index}`,
				mode: "then",
				when: { path: `/${index}`, equals: Array.from({ length: 500 }, (_, at) => ({ a: [at] })) },
			})),
		})),
	},
	{
		name: "chat-strict-schemas",
		expects: ["400 invalid_request", "502 output_invalid", "413 body_too_large"],
		everyMs: 300,
		concurrency: 2,
		start: (hostile) => () => completeStrictly(hostile, hostile.random.pick(STRICT) ?? {}),
	},
	{
		name: "chat-strict-tools",
		expects: ["400 invalid_request", "502 *"],
		everyMs: 500,
		start: (hostile) => () =>
			hostile.send("POST", "/v1/chat/completions", {
				model: "call-many-tools",
				messages: [{ role: "user", content: "Go." }],
				tools: Array.from({ length: 100 }, (_, index) => ({
					type: "function",
					function: {
						name: `t${index}`,
						strict: true,
						parameters: { properties: { input: { pattern: EVIL } } },
					},
				})),
			}),
	},
];

const STRICT: readonly object[] = [
	{ pattern: EVIL },
	doubleReferences(28),
	nest("oneOf", 24, 2),
	{ patternProperties: { [EVIL]: {} } },
	{ pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" },
];

const completeStrictly = (hostile: Hostile, schema: object) =>
	hostile.send("POST", "/v1/chat/completions", {
		model: "letters",
		messages: [{ role: "user", content: "Go." }],
		response_format: { type: "json_schema", json_schema: { name: "s", strict: true, schema } },
	});
