import fc from "fast-check";
import type { OpenApi } from "../openapi/breaking-changes";
import { SCHEMA_REFERENCE } from "../openapi/json-schema";
import { type Coverage, createCoverage } from "./coverage";
import type { FuzzCredentials } from "./credentials";
import { arbitraryRequest, type FuzzOperation, type FuzzRequest, toName } from "./fuzz-request";
import { createKnownValues, type FieldValues, type KnownValues } from "./known-values";
import { createResponseCheck, type FuzzResponse } from "./response-check";
import type { SchemaContext } from "./schema-arbitrary";

/** Answer that the document does not describe, or that is a failure of ours. */
export interface Finding {
	readonly operation: string;
	readonly problem: string;
	readonly request: FuzzRequest;
	readonly response: FuzzResponse;
}

export interface FuzzResult {
	readonly sent: number;
	readonly coverage: Coverage;
	readonly findings: readonly Finding[];
}

export interface FuzzOptions {
	readonly url: string;
	readonly credentials: FuzzCredentials;
	readonly document: OpenApi;
	readonly requests: number;
	readonly seed: number;
	/** Operations that would end the test, such as the deletion of its own workspace. */
	readonly excluded?: readonly string[];
	/** What is created first, so that there is something to ask for. */
	readonly first?: readonly FirstRequest[];
	/** Values that are known from the start. */
	readonly values?: FieldValues;
	/** Valid bodies by operation, where the document has neither a schema nor an example. */
	readonly bodies?: { readonly [operationId: string]: unknown };
}

/** Request that creates something, with a body of JSON. */
export interface FirstRequest {
	readonly path: string;
	readonly body: unknown;
}

/** Requests in flight at once. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 30_000;
/** Failures of the server itself; others are those of vendors. */
const OWN_FAILURES = [500, 503];

/** Sends requests that a document allows, and some that it does not, and checks that each answer is described. */
export async function fuzzServer(options: FuzzOptions): Promise<FuzzResult> {
	const { document, requests, seed, excluded = [] } = options;
	const operations = listOperations(document).filter((operation) => !excluded.includes(toName(operation)));
	const known = createKnownValues(options.values ?? {});
	const context = createContext(options, known);
	const findProblem = createProblemFinder(document);
	const coverage = createCoverage(operations);
	const findings: Finding[] = [];

	async function sendOne(index: number): Promise<void> {
		const operation = operations[index % operations.length];
		if (operation === undefined) throw new Error("The document has no operation.");
		const arbitrary = arbitraryRequest(operation, known, context);
		const [request] = fc.sample(arbitrary, { numRuns: 1, seed: seed * 1_000_003 + index });
		if (request === undefined) return;
		const response = await send(options, operation, request);
		if (response.status < 300) known.record(operation.method, request.path, response.text);
		coverage.add(operation, response.status);
		const problem = findProblem(operation, response);
		if (problem !== undefined) findings.push({ operation: toName(operation), problem, request, response });
	}

	await sendFirst(options, known);
	let next = 0;
	async function sendOthers(): Promise<void> {
		while (next < requests) await sendOne(next++);
	}
	await Promise.all(Array.from({ length: CONCURRENCY }, sendOthers));
	return { sent: requests, coverage, findings };
}

function createContext({ document, bodies = {} }: FuzzOptions, known: KnownValues): SchemaContext {
	const { schemas = {}, responses = {} } = document.components ?? {};
	return {
		resolve: (reference) => schemas[reference.slice(SCHEMA_REFERENCE.length)] ?? {},
		listForField: known.listForField,
		findBody: (operationId) => bodies[operationId],
		describe: ({ $ref = "", description }) =>
			description ?? responses[$ref.split("/").at(-1) ?? ""]?.description ?? "",
	};
}

function createProblemFinder(
	document: OpenApi,
): (operation: FuzzOperation, response: FuzzResponse) => string | undefined {
	const check = createResponseCheck(document);
	return (operation, response) => {
		if (response.status === NO_RESPONSE) return `No answer came: ${response.text}`;
		if (OWN_FAILURES.includes(response.status)) return "It is a failure of the server.";
		return check(operation, response);
	};
}

async function sendFirst({ url, credentials, first = [] }: FuzzOptions, known: KnownValues): Promise<void> {
	for (const { path, body } of first) {
		const response = await fetch(`${url}${path}`, {
			method: "POST",
			headers: { ...(await credentials.toHeaders("accessToken")), "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
		known.record("post", path, text);
	}
}

const listOperations = ({ paths = {} }: OpenApi): readonly FuzzOperation[] =>
	Object.entries(paths).flatMap(([template, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ method, template, operation })),
	);

/** Status of a response that did not come. */
const NO_RESPONSE = 0;

async function send(
	{ url, credentials }: FuzzOptions,
	{ method }: FuzzOperation,
	{ path, credential, headers, body }: FuzzRequest,
): Promise<FuzzResponse> {
	try {
		const response = await fetch(`${url}${path}`, {
			method: method.toUpperCase(),
			headers: { ...(await credentials.toHeaders(credential)), ...headers },
			redirect: "manual",
			signal: AbortSignal.timeout(TIMEOUT_MS),
			...(body !== undefined && { body }),
		});
		const [mediaType = ""] = (response.headers.get("content-type") ?? "").split(";");
		const { status } = response;
		if (status === 401) credentials.renew(credential);
		return { status, mediaType, text: await readText(response, mediaType) };
	} catch (error) {
		return { status: NO_RESPONSE, mediaType: "", text: String(error) };
	}
}

/** A stream may stay open, as that of a run that waits for a person. */
const MAX_STREAM_MS = 3_000;

/** Reads a body to its end; of a stream of events, those that come in time. */
async function readText(response: Response, mediaType: string): Promise<string> {
	if (mediaType !== "text/event-stream" || response.body === null) return response.text();
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	const timer = setTimeout(() => void reader.cancel(), MAX_STREAM_MS);
	let text = "";
	for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
	clearTimeout(timer);
	return text.slice(0, text.lastIndexOf("\n\n") + 1);
}
