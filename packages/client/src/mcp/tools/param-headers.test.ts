import { describe, expect, it } from "vitest";
import { toHeaderValue } from "../protocol/header-value";
import { readParamHeaders, toParamHeaders } from "./param-headers";

const toSchema = (properties: object, more: object = {}) =>
	({ inputSchema: { type: "object", properties, ...more } }) as never;
const region = { type: "string", "x-mcp-header": "Region" };

/** Tools that are none, as the conformance suite has them, and more. */
const INVALID: Readonly<Record<string, never>> = {
	"an empty name": toSchema({ a: { type: "string", "x-mcp-header": "" } }),
	"a name that is no text": toSchema({ a: { type: "string", "x-mcp-header": 1 } }),
	"an object": toSchema({ a: { type: "object", "x-mcp-header": "A" } }),
	"an array": toSchema({ a: { type: "array", "x-mcp-header": "A" } }),
	"a null": toSchema({ a: { type: "null", "x-mcp-header": "A" } }),
	"a number": toSchema({ a: { type: "number", "x-mcp-header": "A" } }),
	"no type": toSchema({ a: { "x-mcp-header": "A" } }),
	"several types": toSchema({ a: { type: ["string", "null"], "x-mcp-header": "A" } }),
	"the same name twice": toSchema({ a: region, b: region }),
	"a name in another case": toSchema({ a: region, b: { ...region, "x-mcp-header": "rEGION" } }),
	"a space": toSchema({ a: { type: "string", "x-mcp-header": "My Region" } }),
	"a colon": toSchema({ a: { type: "string", "x-mcp-header": "Region:Primary" } }),
	"a line break": toSchema({ a: { type: "string", "x-mcp-header": "A\r\nb: c" } }),
	"no ASCII": toSchema({ a: { type: "string", "x-mcp-header": "Région" } }),
	"the root": toSchema({}, { "x-mcp-header": "A", type: "string" }),
	"an item": toSchema({ a: { type: "array", items: region } }),
	"a choice": toSchema({ a: { anyOf: [region] } }),
	"a definition": toSchema({}, { $defs: { a: region } }),
	"a property under an item": toSchema({ a: { items: { properties: { b: region } } } }),
	"other properties": toSchema({}, { additionalProperties: region }),
};

describe("annotations that are not valid", () => {
	it.each(Object.entries(INVALID))("%s", (_, tool) => expect(readParamHeaders(tool)).toBeUndefined());

	it("nested without end", () => {
		let schema: object = region;
		for (let depth = 0; depth < 5000; depth++) schema = { properties: { a: schema } };
		expect(readParamHeaders({ inputSchema: schema as never })).toBeUndefined();
	});
});

const nested = toSchema({
	region,
	deep: { type: "object", properties: { count: { type: "integer", "x-mcp-header": "Count" } } },
	isOn: { type: "boolean", "x-mcp-header": "X-On" },
});

it.each<[object, object]>([
	[{}, {}],
	[{ region: "eu" }, { "mcp-param-Region": "eu" }],
	[{ region: "é" }, { "mcp-param-Region": "=?base64?w6k=?=" }],
	[{ region: "a\r\nb: c" }, { "mcp-param-Region": "=?base64?YQ0KYjogYw==?=" }],
	[{ region: null, deep: { count: 7 } }, { "mcp-param-Count": "7" }],
	[{ deep: { count: 7.5 } }, {}],
	[{ deep: "count" }, {}],
	[{ isOn: false }, { "mcp-param-X-On": "false" }],
	[{ region: { a: 1 } }, {}],
])("arguments %o go out as %o", async (args, expected) => {
	const headers = readParamHeaders(nested);
	expect(await toParamHeaders(headers ?? [], args as never, toHeaderValue)).toEqual(expected);
});

it("data and properties of that name are no annotations", () => {
	const data = { type: "object", default: { "x-mcp-header": "" }, examples: [{ "x-mcp-header": "" }] };
	expect(readParamHeaders(toSchema({ data, "x-mcp-header": { type: "number" } }))).toEqual([]);
});
