import { clock } from "@stemma/core/internal";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { renameParam } from "../../replies/rename-param";
import type { Responder, ResponderReply } from "../../replies/reply";
import type { StoredResponse } from "../../responses/repositories/response-repository";
import { toResponseHead } from "../../responses/response-head";
import { type ResponseRequest, responseRequest } from "../../responses/response-request";
import { createResponseEncoder } from "../../responses/response-stream";
import { requireSpace } from "../../storage/require-space";
import { joinInFlightCounters } from "../../workspaces/in-flight-counter";
import { toStreamedError } from "../streamed-error";
import { openResponder } from "./open-responder";
import { respondWithReply, setReceiptHeader } from "./respond-with-reply";
import { RESPONSE_PARAMS, type ResolvedResponseRequest, resolveResponseRequest } from "./response-requests";
import { streamStoredResponse } from "./stored-responses";
import { canSeeReceipt, toWireResponse } from "./wire-response";

const MAX_BYTES = 20 * 1024 * 1024;

const description = describeRoute({
	summary: "Create a response, as OpenAI does",
	body: responseRequest,
	responses: { 200: { "application/json": "External", "text/event-stream": "External" } },
	errors: [
		"agent_not_found",
		"knowledge_base_not_found",
		"model_not_found",
		"run_failed",
		"run_cancelled",
		"model_not_allowed",
		"model_choice_not_allowed",
		"unsupported_parameter",
		"too_many_runs",
		"no_knowledge_bases",
		"response_not_found",
		"quota_exceeded",
	],
	callsModels: true,
	example: { model: "default", input: "Hello" },
});

/** `POST /v1/responses`: OpenAI's, of models, agents and knowledge bases. */
export function addResponsesRoute(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true, sessions: false });

	app.post("/v1/responses", description, requireAsk, async (context) => {
		const body = await readJson(context, responseRequest, { maxBytes: MAX_BYTES });
		return createResponse(context, body).catch((error: unknown) => {
			throw renameParam(error, RESPONSE_PARAMS);
		});
	});
}

/** Response that a request has begun. */
interface OpenedResponse {
	readonly stored: StoredResponse;
	readonly isStored: boolean;
	readonly responder: Responder;
}

async function createResponse(context: ServiceContext, body: ResponseRequest): Promise<Response> {
	const resolved = await resolveResponseRequest(context, body);
	if (resolved.isStored) await requireSpace(toScope(context));
	if (body.background === true) return startInBackground(context, body, resolved);
	const opened = await openResponse(context, body, resolved);
	if (body.stream === true) return streamResponse(context, opened);
	const { responder } = opened;
	setReceiptHeader(context, responder);
	const ended = await storeReply(context, opened, await responder.generate());
	return context.json(toWireResponse(context, ended));
}

/** @param signal - cancels the reply. Default: that of the request. */
async function openResponse(
	context: ServiceContext,
	body: ResponseRequest,
	{ owner, isStored, input, request, names }: ResolvedResponseRequest,
	signal = context.req.raw.signal,
): Promise<OpenedResponse> {
	const responder = await openResponder(
		{ ...toScope(context), signal },
		{
			model: body.model,
			request,
			names,
			context: body.stemma?.context,
		},
	);
	const id = createId("resp");
	const createdAt = clock.now();
	const head = toResponseHead({ id, createdAt, model: responder.model, isStored, request: body });
	const stored: StoredResponse = {
		id,
		owner,
		parent_id: body.previous_response_id ?? null,
		background: body.background ?? false,
		created_at: createdAt,
		head,
		input,
		outcome: { status: "in_progress" },
	};
	return { stored, isStored, responder };
}

/** Ends a response with its reply, and stores it where it is to be stored. */
async function storeReply(
	context: ServiceContext,
	{ stored, isStored }: OpenedResponse,
	reply: ResponderReply,
): Promise<StoredResponse> {
	const ended: StoredResponse = { ...stored, outcome: { status: "completed", reply } };
	if (isStored) await context.get("workspace").responses.insert(ended);
	return ended;
}

function streamResponse(context: ServiceContext, opened: OpenedResponse): Promise<Response> {
	const { id, head } = opened.stored;
	const encoder = createResponseEncoder({ id, head, canSeeReceipt: canSeeReceipt(context) });
	return respondWithReply(context, opened.responder, {
		encode: (event) => encoder.encode(event).map((data) => ({ event: data.type, data })),
		end: [],
		toErrorEvents: (error) =>
			encoder
				.fail(toStreamedError(context, renameParam(error, RESPONSE_PARAMS)))
				.map((data) => ({ event: data.type, data })),
		onFinish: async (reply) => void (await storeReply(context, opened, reply)),
	});
}

/** Generates a reply in the background, whoever reads it. It counts as a request in flight until it has ended. */
async function startInBackground(
	context: ServiceContext,
	body: ResponseRequest,
	resolved: ResolvedResponseRequest,
): Promise<Response> {
	const { kernel, workspace, caller } = toScope(context);
	const controller = new AbortController();
	const { stored, responder } = await openResponse(context, body, resolved, controller.signal);
	const leave = joinInFlightCounters(kernel.inFlight, workspace.inFlight).enter();
	const leaveSlot = workspace.requests.enter(caller);
	await workspace.responses.start(stored, {
		controller,
		generate: responder.generate,
		toError: (error) => toStreamedError(context, renameParam(error, RESPONSE_PARAMS)),
		onEnd() {
			leave();
			leaveSlot();
		},
	});
	return body.stream === true
		? streamStoredResponse(context, stored)
		: context.json(toWireResponse(context, stored));
}
