import type { RouteName } from "./parts";
import type { RuntimeTypes } from "./runtime-types";

type Name = keyof RuntimeTypes;

/** Description of a route of the runtime. */
export interface RuntimeRoute {
	readonly method: "GET" | "POST";
	readonly summary: string;
	readonly body?: Name;
	readonly query?: readonly string[];
	readonly isIdempotent?: boolean;
	readonly responses: { readonly [status: number]: { readonly [mediaType: string]: Name | "text" } };
	/** Codes of errors by status, besides those of all routes. An empty list stands for any code. */
	readonly errors?: { readonly [status: number]: readonly string[] };
	readonly example?: unknown;
}

const json = (name: Name) => ({ "application/json": name });
const events = { "text/event-stream": "External" } as const;

const RUN_ERRORS = {
	404: ["agent_not_found"],
	409: ["idempotency_conflict"],
	422: ["agent_invalid"],
	429: ["too_many_runs"],
	502: [],
	503: ["upstream_refused", "upstream_unavailable"],
};
const RUN_NOT_FOUND = { 404: ["run_not_found"], 410: ["events_expired"] };
const APPROVAL_ERRORS = {
	404: ["run_not_found", "approval_not_found"],
	409: ["approval_decided", "run_ended"],
	410: ["approval_expired", "events_expired"],
};

/** Routes of the runtime that the document leaves out, with the reason. */
export const EXCLUDED_RUNTIME_ROUTES: { readonly [Name in RouteName]?: string } = {
	"/a2a/:agentId": "A2A describes it",
	other: "it is no route",
};

/** Routes of the runtime, by the names that its router gives them. */
export const RUNTIME_ROUTES: { readonly [Route in RouteName]?: RuntimeRoute } = {
	"/healthz": {
		method: "GET",
		summary: "Check that the process is alive",
		responses: { 200: json("RuntimeHealth") },
	},
	"/readyz": {
		method: "GET",
		summary: "Check that runs can be started",
		responses: { 200: json("RuntimeReadiness") },
		errors: { 503: ["starting", "upstream_refused", "upstream_unavailable"] },
	},
	"/agents": { method: "GET", summary: "List agents", responses: { 200: json("RuntimeAgentList") } },
	"/metrics": {
		method: "GET",
		summary: "Read metrics in the text format of Prometheus",
		responses: { 200: { "text/plain": "text" } },
	},
	"/openapi.json": {
		method: "GET",
		summary: "Get this document",
		responses: { 200: json("External"), 304: {} },
	},
	"/run/:agentId": {
		method: "POST",
		summary: "Run an agent",
		body: "RuntimeRunRequest",
		isIdempotent: true,
		responses: { 200: { ...json("RunResult"), "text/event-stream": "WireRunEvent" } },
		errors: { ...RUN_ERRORS, 410: ["events_expired"] },
		example: { input: "How long does a refund take?" },
	},
	"/run/:agentId/ag-ui": {
		method: "POST",
		summary: "Run an agent as AG-UI asks for it",
		body: "External",
		responses: { 200: events },
		errors: {
			...RUN_ERRORS,
			...APPROVAL_ERRORS,
			404: ["agent_not_found", "approval_not_found", "run_not_found"],
		},
	},
	"/run/:agentId/ui": {
		method: "POST",
		summary: "Run an agent as the AI SDK asks for it",
		body: "External",
		responses: { 200: events },
		errors: {
			...RUN_ERRORS,
			...APPROVAL_ERRORS,
			404: ["agent_not_found", "approval_not_found", "run_not_found"],
		},
	},
	"/run/:agentId/ui/:chat/stream": {
		method: "GET",
		summary: "Rejoin the run of a chat",
		responses: { 200: events, 204: {} },
		errors: { 404: ["agent_not_found", "run_not_found"], 422: ["agent_invalid"] },
	},
	"/runs/:id/events": {
		method: "GET",
		summary: "Read or follow the events of a run",
		query: ["after", "wait_ms"],
		responses: { 200: { ...json("EventPage"), "text/event-stream": "WireRunEvent" } },
		errors: RUN_NOT_FOUND,
	},
	"/runs/:id/cancel": {
		method: "POST",
		summary: "Cancel a run",
		responses: { 200: json("RunRecord") },
		errors: RUN_NOT_FOUND,
	},
	"/runs/:id/approvals/:approval_id": {
		method: "POST",
		summary: "Decide on a call that waits for approval",
		body: "ApprovalDecisionRequest",
		responses: { 200: json("RunRecord") },
		errors: { ...APPROVAL_ERRORS, 429: ["too_many_runs"] },
		example: { decision: "approve" },
	},
};
