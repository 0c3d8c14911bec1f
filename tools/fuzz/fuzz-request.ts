import fc from "fast-check";
import type { Operation, Parameter } from "../openapi/breaking-changes";
import type { JsonSchema } from "../openapi/json-schema";
import type { KnownValues } from "./known-values";
import { mutate } from "./mutate";
import { arbitraryOf, type SchemaContext, withKnownValues } from "./schema-arbitrary";

/** Operation of a document, with its place in it. */
export interface FuzzOperation {
	readonly method: string;
	readonly template: string;
	readonly operation: Operation;
}

/** Name of an operation as findings and coverage have it: `POST /v1/ask`. */
export const toName = ({ method, template }: FuzzOperation): string => `${method.toUpperCase()} ${template}`;

/** Request to send. */
export interface FuzzRequest {
	readonly path: string;
	/** Name of the credential to send. */
	readonly credential: CredentialName;
	readonly headers: { readonly [name: string]: string };
	readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Schemes of the document that the fuzzer has a credential of, and credentials that do not do. */
export type CredentialName =
	| ("accessToken" | "clientKey" | "session" | "token")
	/** Headers of a page of the service, without a credential. */
	| "page"
	/** Access token with one scope. */
	| "limited"
	| "none"
	| "wrong";

/** Longest wait of a long poll, in milliseconds: a test has no time for more. */
const MAX_WAIT_MS = 20;

/** Creates requests for an operation, valid by the document and not. */
export function arbitraryRequest(
	{ method, template, operation }: FuzzOperation,
	known: KnownValues,
	context: SchemaContext,
): fc.Arbitrary<FuzzRequest> {
	const { parameters = [] } = operation;
	return fc
		.record({
			path: arbitraryPath(template, parameters, known),
			query: arbitraryQuery(parameters, context),
			credential: arbitraryCredential(method, operation, context),
			headers: arbitraryHeaders(parameters),
			content: arbitraryContent(operation, context),
		})
		.map(({ path, query, credential, headers, content: { type, body } }) => ({
			path: query === "" || path.includes("?") ? path : `${path}?${query}`,
			credential,
			headers: { ...headers, ...(type !== undefined && { "content-type": type }) },
			body,
		}));
}

const ODD_SEGMENTS = ["none", "%00", "%ff", "a%2Fb", "..%2f..", "'--", "kb_0", "x".repeat(300), "__proto__"];
/** Newest values that are drawn from. */
const MAX_KNOWN = 8;

function arbitraryPath(
	template: string,
	parameters: readonly Parameter[],
	{ listForParameter, listPaths }: KnownValues,
): fc.Arbitrary<string> {
	const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
	const values = names.map((name) => {
		const known = listForParameter(template, name).slice(0, MAX_KNOWN).map(encodeURIComponent);
		const odd = fc.constantFrom(...ODD_SEGMENTS);
		return known.length === 0
			? odd
			: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: odd });
	});
	const composed = fc
		.tuple(...values)
		.map((chosen) =>
			names.reduce((path, name, index) => path.replace(`{${name}}`, () => chosen[index] ?? ""), template),
		);
	const paths = names.length === 0 ? [] : listPaths(template).slice(0, MAX_KNOWN);
	return paths.length === 0
		? composed
		: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...paths) }, { weight: 2, arbitrary: composed });
}

/** How often a credential is sent where the operation takes it, relative to the others. */
const TAKEN: readonly WeightedCredential[] = [
	["accessToken", 24],
	["token", 24],
	["session", 6],
	["clientKey", 4],
];
/** Credentials that do not do, or not for all. */
const REFUSED: readonly WeightedCredential[] = [
	["none", 2],
	["wrong", 2],
];
/** The same where there are several kinds of credentials. */
const NOT_ENOUGH: readonly WeightedCredential[] = [
	["limited", 1],
	["clientKey", 1],
];

type WeightedCredential = readonly [name: CredentialName, weight: number];

/** How often a session is sent where nothing else does. */
const NEEDED_SESSION_WEIGHT = 80;

function arbitraryCredential(
	method: string,
	{ security = [], responses = {} }: Operation,
	{ describe }: SchemaContext,
): fc.Arbitrary<CredentialName> {
	const schemes = new Set(security.flatMap((requirement) => Object.keys(requirement)));
	if (schemes.size === 0) return fc.constantFrom("page", "page", "page", "none");
	const names = [
		...TAKEN.filter(([name]) => schemes.has(name)),
		...REFUSED,
		...(schemes.has("accessToken") ? NOT_ENOUGH : []),
	];
	// Not where the session would end.
	const needsSession = method !== "delete" && describe(responses[403] ?? {}).includes("`session_required`");
	return fc.oneof(
		...names.map(([name, weight]) => ({
			weight: name === "session" && needsSession ? NEEDED_SESSION_WEIGHT : weight,
			arbitrary: fc.constant(name),
		})),
	);
}

function arbitraryQuery(parameters: readonly Parameter[], context: SchemaContext): fc.Arbitrary<string> {
	const known = parameters.filter((parameter) => parameter.in === "query");
	const fields = Object.fromEntries(
		known.map(({ name, schema = {} }) => [
			name,
			name === "wait_ms"
				? fc.nat(MAX_WAIT_MS)
				: withKnownValues(name, schema, arbitraryOf(schema, context), context),
		]),
	);
	const requiredKeys = known.filter(({ required }) => required).map(({ name }) => name);
	const valid = fc.record(fields, { requiredKeys });
	const odd = valid.chain((query) => mutate(query)).filter((query) => !hasWait(query));
	return fc.oneof({ weight: 5, arbitrary: valid }, { weight: 1, arbitrary: odd }).map(toQuery);
}

const hasWait = (query: unknown): boolean =>
	typeof query === "object" && query !== null && "wait_ms" in query;

function toQuery(query: unknown): string {
	if (typeof query !== "object" || query === null) return "";
	const pairs = Object.entries(query).map(([name, value]): [string, string] => [
		name,
		typeof value === "object" ? JSON.stringify(value) : String(value),
	]);
	return new URLSearchParams(pairs).toString().slice(0, 4_000);
}

function arbitraryHeaders(parameters: readonly Parameter[]): fc.Arbitrary<{ [name: string]: string }> {
	const keys = parameters.some(({ name }) => name === "Idempotency-Key")
		? { "idempotency-key": fc.constantFrom("one", "two", "a b", "", "x".repeat(201)) }
		: {};
	const names = {
		...keys,
		accept: fc.constantFrom("application/json", "text/event-stream", "*/*", "nonsense"),
		"stemma-depth": fc.constantFrom("0", "0", "1", "1", "8", "9", "-1", "x"),
	};
	return fc.oneof(
		{ weight: 4, arbitrary: fc.constant({}) },
		{
			weight: 1,
			arbitrary: fc.record(names, { requiredKeys: [] }) as fc.Arbitrary<{ [name: string]: string }>,
		},
	);
}

interface Content {
	readonly type?: string;
	readonly body?: string | Uint8Array<ArrayBuffer>;
}

function arbitraryContent(
	{ operationId = "", requestBody }: Operation,
	context: SchemaContext,
): fc.Arbitrary<Content> {
	const types = Object.entries(requestBody?.content ?? {});
	if (types.length === 0) return fc.constant({});
	const valid = fc.oneof(
		...types.map(([type, { schema = {}, example }]) =>
			arbitraryBody(type, schema, context.findBody(operationId) ?? example, context),
		),
	);
	const broken = fc.constantFrom<Content>(
		{},
		{ type: "application/json" },
		{ type: "application/json", body: "" },
		{ type: "application/json", body: "{" },
		{ type: "application/json", body: "[".repeat(600) },
		{ type: "application/json", body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) },
		{ type: "text/plain", body: "{}" },
		{ type: "application/json; charset=latin1", body: "{}" },
		{ type: "multipart/form-data", body: "--" },
		{
			type: "multipart/form-data; boundary=b",
			body: '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nx',
		},
	);
	return fc.oneof({ weight: 12, arbitrary: valid }, { weight: 1, arbitrary: broken });
}

function arbitraryBody(
	type: string,
	schema: JsonSchema,
	example: unknown,
	context: SchemaContext,
): fc.Arbitrary<Content> {
	const any = arbitraryOf(schema, context);
	const value = example === undefined ? any : fc.oneof(any, fc.constant(example));
	const either = fc.oneof({ weight: 3, arbitrary: value }, { weight: 2, arbitrary: value.chain(mutate) });
	if (type === "application/json")
		return either.map((json) => ({ type, body: JSON.stringify(json) ?? "null" }));
	if (type === "application/x-www-form-urlencoded")
		return either.map((form) => ({ type, body: toQuery(form) }));
	return fc
		.record({ name: fc.constantFrom("a.md", "b.txt", "c.pdf", "d", "e.exe"), text: fc.string() })
		.map(({ name, text }) => ({ type: `${type}; boundary=fuzz`, body: toForm(name, text) }));
}

const toForm = (name: string, text: string): string =>
	`--fuzz\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${text}\r\n--fuzz--\r\n`;
