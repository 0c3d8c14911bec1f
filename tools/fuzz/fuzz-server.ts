import fc from "fast-check";
import type { OpenApi } from "../openapi/breaking-changes";
import { SCHEMA_REFERENCE } from "../openapi/json-schema";
import { arbitraryRequest, type FuzzOperation, type FuzzRequest } from "./fuzz-request";
import { createResponseCheck, type FuzzResponse } from "./response-check";
import type { Resolve } from "./schema-arbitrary";

/** Answer that the document does not describe, or that is a failure of ours. */
export interface Finding {
	readonly operation: string;
	readonly problem: string;
	readonly request: FuzzRequest;
	readonly response: FuzzResponse;
}

export interface FuzzResult {
	readonly sent: number;
	/** Requests by status. */
	readonly statuses: { readonly [status: number]: number };
	readonly findings: readonly Finding[];
}

export interface FuzzOptions {
	readonly url: string;
	/** Value of the header `authorization`. */
	readonly authorization: string;
	readonly document: OpenApi;
	readonly requests: number;
	readonly seed: number;
	/** Operations that would end the test, such as the deletion of its own workspace. */
	readonly excluded?: readonly string[];
	/** What is created first, so that there is something to ask for. */
	readonly first?: readonly { readonly path: string; readonly body: unknown }[];
	/** Ids that are there from the start. */
	readonly ids?: readonly string[];
}

/** Requests in flight at once. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 30_000;
/** Failures of the server itself; others are those of vendors. */
const OWN_FAILURES = [500, 503];

/** Sends requests that a document allows, and some that it does not, and checks that each answer is described. */
export async function fuzzServer(options: FuzzOptions): Promise<FuzzResult> {
	const { document, requests, seed, excluded = [] } = options;
	const operations = listOperations(document).filter(
		({ method, template }) => !excluded.includes(`${method} ${template}`),
	);
	const resolve: Resolve = (reference) =>
		document.components?.schemas?.[reference.slice(SCHEMA_REFERENCE.length)] ?? {};
	const check = createResponseCheck(document);
	const pool = createIdPool(options.ids ?? []);
	const statuses: { [status: number]: number } = {};
	const findings: Finding[] = [];

	async function sendOne(index: number): Promise<void> {
		const operation = operations[index % operations.length];
		if (operation === undefined) throw new Error("The document has no operation.");
		const arbitrary = arbitraryRequest(operation, pool.list, resolve);
		const [request] = fc.sample(arbitrary, { numRuns: 1, seed: seed * 1_000_003 + index });
		if (request === undefined) return;
		const response = await send(options, operation, request);
		statuses[response.status] = (statuses[response.status] ?? 0) + 1;
		pool.add(operation, response);
		const problem = OWN_FAILURES.includes(response.status)
			? "It is a failure of the server."
			: check(operation, response);
		if (problem === undefined) return;
		const name = `${operation.method} ${operation.template}`;
		findings.push({ operation: name, problem, request, response });
	}

	for (const { path, body } of options.first ?? []) {
		const response = await fetch(`${options.url}${path}`, {
			method: "POST",
			headers: { authorization: options.authorization, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
		pool.read(await response.text());
	}
	let next = 0;
	async function sendOthers(): Promise<void> {
		while (next < requests) await sendOne(next++);
	}
	await Promise.all(Array.from({ length: CONCURRENCY }, sendOthers));
	return { sent: requests, statuses, findings };
}

const listOperations = ({ paths = {} }: OpenApi): readonly FuzzOperation[] =>
	Object.entries(paths).flatMap(([template, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ method, template, operation })),
	);

async function send(
	{ url, authorization }: FuzzOptions,
	{ method, operation }: FuzzOperation,
	{ path, headers, body }: FuzzRequest,
): Promise<FuzzResponse> {
	const isOpen = operation.security?.length === 0;
	const response = await fetch(`${url}${path}`, {
		method: method.toUpperCase(),
		headers: { ...(!isOpen && { authorization }), ...headers },
		redirect: "manual",
		signal: AbortSignal.timeout(TIMEOUT_MS),
		...(body !== undefined && { body }),
	});
	const [mediaType = ""] = (response.headers.get("content-type") ?? "").split(";");
	return { status: response.status, mediaType, text: await response.text() };
}

/** Prefix of the ids that follow a part of a path. */
const PREFIXES: { readonly [part: string]: string } = {
	...{ "knowledge-bases": "kb_", documents: "doc_", sources: "src_", agents: "ag_", run: "", runs: "run_" },
	...{ threads: "thr_", clients: "cl_", "client-keys": "ck_", answers: "ans_", responses: "resp_" },
	...{ workspaces: "ws_", members: "usr_", invitations: "inv_", sessions: "ses_", approvals: "apr_" },
};
const MAX_IDS = 1_000;

/** Ids that responses have had, so that requests are about what exists. */
function createIdPool(first: readonly string[]) {
	const known = [...first];
	/** Takes the ids in the text of a response. */
	function read(text: string): void {
		for (const [, id = ""] of text.slice(0, 5_000).matchAll(/"(?:id|run_id|slug)":"([\w-]{1,60})"/g))
			if (!known.includes(id)) known.unshift(id);
		known.length = Math.min(known.length, MAX_IDS);
	}
	return {
		read,
		/** Ids for a parameter, newest first. */
		list(template: string, name: string): readonly string[] {
			const parts = template.split("/");
			const prefix = PREFIXES[parts[parts.indexOf(`{${name}}`) - 1] ?? ""] ?? "";
			return known.filter((id) => id.startsWith(prefix));
		},
		add({ method }: FuzzOperation, { status, text }: FuzzResponse): void {
			if (method !== "get" && status < 300) read(text);
		},
	};
}
