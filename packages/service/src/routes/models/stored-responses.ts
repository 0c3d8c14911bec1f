import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { eventStream } from "../../http/event-stream";
import { readPageRequest } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { replyInterrupted } from "../../replies/read-reply";
import { listInputItems } from "../../responses/input-items";
import { toFirstEvents, toOutcomeEvents } from "../../responses/outcome-events";
import type { StoredResponse } from "../../responses/repositories/response-repository";
import type { ResponseEvent } from "../../responses/response-stream";
import { readResponseOwner } from "./response-requests";
import { canSeeReceipt, presentOutcome, toWireResponse } from "./wire-response";

const responseQuery = z.strictObject({
	stream: z.enum(["true", "false"]).exactOptional(),
	starting_after: z
		.string()
		.regex(/^\d{1,9}$/, "must be the sequence_number of an event")
		.transform(Number)
		.exactOptional(),
});

const itemsQuery = z.strictObject({ order: z.enum(["asc", "desc"]).exactOptional() });

const PATH = "/v1/responses/:id";

const described = {
	get: describeRoute({
		summary: "Get a stored response",
		query: responseQuery,
		responses: { 200: { "application/json": "External", "text/event-stream": "External" } },
		errors: ["response_not_found"],
	}),
	list: describeRoute({
		summary: "List the input of a stored response",
		query: itemsQuery,
		isList: true,
		responses: { 200: "External" },
		errors: ["response_not_found"],
	}),
	delete: describeRoute({
		summary: "Delete a stored response",
		responses: { 200: "External" },
		errors: ["response_not_found"],
	}),
	cancel: describeRoute({
		summary: "Cancel a response in the background",
		responses: { 200: "External" },
		errors: ["response_not_found"],
	}),
};

/** `/v1/responses/:id`: responses that are stored. */
export function addStoredResponseRoutes(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true, sessions: false });

	app.get(PATH, described.get, requireAsk, async (context) => {
		const { stream, starting_after } = readQuery(context, responseQuery);
		const stored = await getResponse(context);
		return stream === "true"
			? streamStoredResponse(context, stored, starting_after)
			: context.json(toWireResponse(context, stored));
	});

	app.get(`${PATH}/input_items`, described.list, requireAsk, async (context) => {
		const { order = "desc" } = readQuery(context, itemsQuery);
		const { limit, after } = readPageRequest(context);
		const { id, input } = await getResponse(context);
		return context.json(listInputItems(id, input, { order, limit, after }));
	});

	app.delete(PATH, described.delete, requireAsk, async (context) => {
		const id = context.req.param("id");
		await context.get("workspace").responses.delete(readResponseOwner(context).caller_id, id);
		return context.json({ id, object: "response", deleted: true });
	});

	app.post(`${PATH}/cancel`, described.cancel, requireAsk, async (context) => {
		const { caller_id } = readResponseOwner(context);
		const stored = await context.get("workspace").responses.cancel(caller_id, context.req.param("id"));
		return context.json(toWireResponse(context, stored));
	});
}

/** @throws DomainError `response_not_found`, also for a response of another owner. */
const getResponse = (context: ServiceContext): Promise<StoredResponse> =>
	context.get("workspace").responses.get(readResponseOwner(context).caller_id, context.req.param("id") ?? "");

/**
 * Streams a response that is stored. One in the background has no output before its end, which the stream waits for; what was
 * read of it before is left out. Of another one the events were numbered otherwise when they were sent, as its text came in
 * pieces: who has read some of these gets the last event alone, which has the whole response.
 *
 * @param after - sequence number of the last event that was read. Default: none was.
 */
export function streamStoredResponse(context: ServiceContext, stored: StoredResponse, after = -1): Response {
	const { responses } = context.get("workspace");
	const { id, owner, head } = stored;
	const options = { id, head, canSeeReceipt: canSeeReceipt(context) };
	return eventStream(context, async (send, signal) => {
		let last = after;
		async function sendAll(events: readonly ResponseEvent[]): Promise<void> {
			for (const data of events) {
				if (data.sequence_number <= last) continue;
				await send({ event: data.type, data });
				last = data.sequence_number;
			}
		}
		const isOpen = stored.outcome.status === "in_progress";
		if (isOpen) await sendAll(toFirstEvents(options));
		const { outcome } = isOpen ? await responses.waitUntilEnded(owner, id, signal) : stored;
		if (outcome.status === "in_progress") throw replyInterrupted();
		const events = toOutcomeEvents(presentOutcome(context, outcome), options);
		await sendAll(stored.background || after < 0 ? events : toLastEvent(events, after));
	});
}

/** The last event of a response, with a number behind those that were read. */
const toLastEvent = (events: readonly ResponseEvent[], after: number): readonly ResponseEvent[] =>
	events
		.slice(-1)
		.map((event) => ({ ...event, sequence_number: Math.max(event.sequence_number, after + 1) }));
