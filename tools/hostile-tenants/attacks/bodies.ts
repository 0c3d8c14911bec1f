import { gzipSync } from "node:zlib";
import type { Attack } from "../attacker/attack.ts";

const JSON_TYPE = { "content-type": "application/json" };
const REFUSED = ["400 *", "413 *", "415 *", "422 *", "403 *", "404 *", "broken EPIPE", "broken ECONNRESET"];

const body = (
	routes: readonly string[],
	name: string,
	make: () => string | Uint8Array,
	headers: Readonly<Record<string, string>> = JSON_TYPE,
	everyMs = 500,
): Attack => ({
	name: `json-${name}`,
	expects: REFUSED,
	everyMs,
	start: (hostile) => {
		const bytes = make();
		return () => hostile.send("POST", hostile.random.pick(routes) ?? "/", bytes, { headers });
	},
});

const MAX_BODY_BYTES = 1_900_000;

/** Bodies that no reader likes, each to any of these routes, which read JSON. */
export const createBodyAttacks = (routes: readonly string[]): readonly Attack[] => [
	body(routes, "deep", () => "[".repeat(100_000) + "]".repeat(100_000)),
	body(routes, "deep-objects", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
	body(routes, "deep-below-limit", () => `{"query": ${"[".repeat(400)}${"]".repeat(400)}}`),
	body(routes, "long-string", () => `{"query": "${"x".repeat(MAX_BODY_BYTES)}"}`),
	body(routes, "long-key", () => `{"${"k".repeat(MAX_BODY_BYTES)}": 1}`),
	body(
		routes,
		"many-keys",
		() => `{${Array.from({ length: 120_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
	),
	body(routes, "duplicate-keys", () => `{${Array.from({ length: 100_000 }, () => '"query":"a"').join(",")}}`),
	body(
		routes,
		"many-unknown-fields",
		() => `{"query":"a",${Array.from({ length: 100_000 }, (_, index) => `"u${index}":0`).join(",")}}`,
	),
	body(
		routes,
		"many-issues",
		() => `{"knowledge_base_ids":[${Array.from({ length: 300_000 }, () => "1").join(",")}]}`,
	),
	body(
		routes,
		"prototype",
		() => '{"__proto__": {"scopes": ["deployment:write"]}, "constructor": {"prototype": {}}, "query": "a"}',
	),
	body(routes, "long-numbers", () => `{"query": ${"9".repeat(1_000_000)}, "top_k": 1e400}`),
	body(routes, "escapes", () => `{"query": "${"\\ud800".repeat(200_000)}"}`),
	body(routes, "nul", () => `{"query": "${"\\u0000".repeat(200_000)}"}`),
	body(routes, "broken-utf-8", () => Buffer.alloc(MAX_BODY_BYTES, 0xff)),
	body(routes, "white-space", () => `${" ".repeat(MAX_BODY_BYTES)}{}`),
	body(routes, "broken-at-the-end", () => `[${"1,".repeat(900_000)}`),
	body(routes, "too-large", () => "x".repeat(8_000_000), JSON_TYPE, 1000),
	body(routes, "gzip", () => gzipSync("x".repeat(50_000_000)), { ...JSON_TYPE, "content-encoding": "gzip" }),
	body(routes, "types", () => "<a/>", { "content-type": `text/${"x".repeat(5000)}` }),
	body(routes, "charset", () => "{}", { "content-type": "application/json; charset=utf-7" }),
	body(routes, "of-ranges", () => "{}", { ...JSON_TYPE, range: `bytes=${"0-1,".repeat(3000)}0-1` }),
];
