import type { FakeCall } from "./fake-request";
import type { FakeFailure } from "./fake-response";
import { matchRoute } from "./fake-routes";
import {
	anyObject,
	booleanField,
	type FieldProblem,
	type FieldRule,
	fields,
	list,
	number,
	oneOf,
	optional,
	pattern,
	runInput,
	text,
} from "./field-rules";

/**
 * Returns the failure of a request that a service refuses whatever is scripted: one that a client key may not make, or
 * one with unknown fields or values; `undefined` for a valid request.
 */
export function validateRequest(call: FakeCall, isClientKey: boolean): FakeFailure | undefined {
	const matches = (route: string): boolean => matchRoute(route, call.method, call.path) !== undefined;
	if (isClientKey && call.path.startsWith("/v1/") && !CLIENT_KEY_ROUTES.some(matches))
		return CLIENT_KEY_NOT_ALLOWED;
	const [, rule] = Object.entries(ROUTE_RULES).find(([route]) => matches(route)) ?? [];
	return rule && toFailure(rule(call));
}

const CLIENT_KEY_ROUTES = [
	"POST /v1/agents/:id/run",
	"GET /v1/runs/:id",
	"GET /v1/runs/:id/events",
	"POST /v1/runs/:id/cancel",
	"POST /v1/runs/:id/feedback",
	"DELETE /v1/runs/:id/feedback",
	"POST /v1/answers/:id/feedback",
	"DELETE /v1/answers/:id/feedback",
	"POST /v1/ask",
	"POST /v1/search",
	"GET /v1/models",
	"POST /v1/models/resolve",
	"POST /v1/embeddings",
	"POST /v1/chat/completions",
	"POST /v1/threads",
	"GET /v1/threads/:id",
	"PATCH /v1/threads/:id",
	"DELETE /v1/threads/:id",
	"GET /v1/threads/:id/messages",
	"GET /v1/threads/:id/export",
	"POST /v1/threads/:id/title",
];

const CLIENT_KEY_NOT_ALLOWED: FakeFailure = {
	status: 403,
	code: "not_allowed_for_client_key",
	message: "A client key may not do this.",
	hint: "Client keys are for browsers and phones. Call this from a server, with an access token of a client.",
};

type RouteRule = (call: FakeCall) => readonly FieldProblem[];

const body =
	(rules: Readonly<Record<string, FieldRule>>): RouteRule =>
	(call) =>
		fields(rules)(call.body, "");

/** Fields that name a place in a thread. */
const PLACE = {
	thread_id: optional(text()),
	parent_id: (value: unknown, path: string) => (value === null ? [] : optional(text())(value, path)),
	regenerate_of: optional(text()),
	if_active: optional(oneOf(["queue", "reject", "interrupt"])),
};

/** Body whose message is left out where an answer is written again. */
const messageBody =
	(name: string, message: FieldRule, rules: Readonly<Record<string, FieldRule>>): RouteRule =>
	(call) => {
		const isRepeated = Object(call.body).regenerate_of !== undefined;
		return fields({ [name]: isRepeated ? optional(message) : message, ...rules, ...PLACE })(call.body, "");
	};

/** Text, or text parts. */
const content: FieldRule = (value, path) =>
	Array.isArray(value)
		? value.flatMap((part, index) => textPart(part, `${path}[${index}]`))
		: text({ max: 100_000 })(value, path);

const textPart: FieldRule = (value, path) => {
	const { type, text: rawText } = Object(value) as { readonly type?: unknown; readonly text?: unknown };
	return [...oneOf(["text"])(type, `${path}.type`), ...text({ max: 100_000 })(rawText, `${path}.text`)];
};

const history = list(fields({ role: oneOf(["user", "assistant"]), content }), { max: 100 });

const RUN = { context: optional(anyObject), stream: optional(booleanField) };

const MAX_QUESTION_CHARACTERS = 10_000;
const knowledgeBases = list(text(), { min: 1, max: 100 });
const choice = optional(text({ min: 1, max: 200 }));

const RUN_FILTER = {
	agent_id: optional(text()),
	status: optional(oneOf(["running", "completed", "failed", "cancelled", "paused"])),
};

const PAGE = {
	limit: optional(pattern(/^0*([1-9]\d?|100)$/, "must be a whole number from 1 to 100")),
	after: optional(pattern(/^[\w.-]{1,100}$/, 'must be the "next" of the page before')),
};

const POSITION = {
	after: optional(pattern(/^\d{1,15}$/, "must be a whole number from 0 to 9007199254740991")),
};

const FEEDBACK = body({
	rating: oneOf(["up", "down"]),
	comment: optional(text({ min: 1, max: 4_000 })),
	tags: optional(list(text({ min: 1, max: 50 }), { max: 20 })),
});

const ROUTE_RULES: Readonly<Record<string, RouteRule>> = {
	"POST /v1/agents/:id/run": messageBody("input", runInput, { ...RUN, background: optional(booleanField) }),
	// Of a runtime.
	"POST /run/:id": body({ input: runInput, ...RUN }),
	"POST /v1/ask": messageBody("question", text({ min: 1, max: MAX_QUESTION_CHARACTERS }), {
		knowledge_base_ids: optional(knowledgeBases),
		history: optional(history),
		model: optional(fields({ provider: choice, model: choice })),
		top_k: optional(number({ min: 1, max: 50, isInteger: true })),
		min_score: optional(number({ min: 0, max: 1 })),
		filter: optional(anyObject),
		store: optional(booleanField),
		stream: optional(booleanField),
	}),
	"POST /v1/runs/:id/feedback": FEEDBACK,
	"POST /v1/answers/:id/feedback": FEEDBACK,
	"POST /v1/search": body({
		query: text({ min: 1, max: MAX_QUESTION_CHARACTERS }),
		knowledge_base_ids: optional(knowledgeBases),
		history: optional(history),
		top_k: optional(number({ min: 1, max: 100, isInteger: true })),
		min_score: optional(number({ min: 0, max: 1 })),
		filter: optional(anyObject),
		stemma: optional(anyObject),
	}),
	"GET /v1/runs": ({ query: { limit, after, ...filter } }) => [
		...fields(RUN_FILTER)(filter, ""),
		...fields(PAGE)({ limit, after }, ""),
	],
	"GET /v1/runs/:id/events": ({ query: { after } }) => fields(POSITION)({ after }, ""),
};

/** Unknown fields first: what they were meant to be is missing, often. */
function toFailure(problems: readonly FieldProblem[]): FakeFailure | undefined {
	const first = problems.find(({ isUnknownField }) => isUnknownField) ?? problems[0];
	if (first === undefined) return undefined;
	const { path, message, isUnknownField, isSentence } = first;
	return {
		status: 400,
		code: isUnknownField === true ? "unknown_field" : "invalid_request",
		message: toSentence(`${path === "" ? "The body" : `"${path}"`}${isSentence ? ":" : ""} ${message}`),
		...(path === "" ? {} : { param: path }),
		details: {
			issues: problems.map((problem) => ({ path: problem.path, message: toSentence(problem.message) })),
		},
	};
}

const toSentence = (rawText: string): string => (/[?.]$/.test(rawText) ? rawText : `${rawText}.`);
