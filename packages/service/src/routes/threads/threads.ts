import type { CreatedThread, Thread } from "@stemma/client";
import * as z from "zod";
import { findHiddenItems } from "../../access/hidden-items";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { RequestScope } from "../../request-scope";
import { requireSpace } from "../../storage/require-space";
import { createThread, deleteThread, updateThread } from "../../threads/change-thread";
import { getThread } from "../../threads/get-thread";
import { toThread } from "../../threads/present-thread";
import { MAX_THREAD_TITLE_CHARACTERS } from "../../threads/thread-limits";
import { createThreadToken } from "../../threads/thread-token";
import { metadataField, readThreadToken, titleField } from "./thread-fields";

const createBody = z.strictObject({
	title: titleField.exactOptional(),
	metadata: metadataField.exactOptional(),
	agent_id: z.string().max(100).exactOptional(),
});

const updateBody = z.strictObject({
	title: titleField.exactOptional(),
	metadata: metadataField.exactOptional(),
});

const listQuery = z.strictObject({
	query: z.string().trim().min(1).max(MAX_THREAD_TITLE_CHARACTERS).optional(),
	owner: z.string().max(100).optional(),
});

const PATH = "/v1/threads";

const described = {
	create: describeRoute({
		summary: "Create a thread",
		body: createBody,
		isIdempotent: true,
		responses: { 201: "CreatedThread" },
		errors: ["too_many_threads", "quota_exceeded", "agent_not_found"],
		example: { title: "Refunds" },
	}),
	list: describeRoute({
		summary: "List threads",
		query: listQuery,
		isList: true,
		responses: { 200: "ThreadPage" },
	}),
	get: describeRoute({
		summary: "Get a thread",
		responses: { 200: "Thread" },
		errors: ["thread_not_found"],
	}),
	change: describeRoute({
		summary: "Change a thread",
		body: updateBody,
		responses: { 200: "Thread" },
		errors: ["thread_not_found"],
		example: { title: "Refunds" },
	}),
	delete: describeRoute({
		summary: "Delete a thread with its messages",
		responses: { 200: "Deleted" },
		errors: ["thread_not_found", "missing_scope"],
	}),
};

/** `/v1/threads`: conversations that the service keeps. */
export function addThreadRoutes(app: ServiceApp): void {
	const requireUse = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true });

	app.post(PATH, described.create, requireUse, async (context) => {
		const scope = toScope(context);
		await requireSpace(scope);
		const body = await readJson(context, createBody);
		const work = async () => {
			const thread = await createThread(scope, body);
			return { status: 201, body: thread, reference: thread.id };
		};
		return withIdempotency(context, body, work, (thread) => addToken(scope, thread as Thread));
	});

	app.get(PATH, described.list, requireCaller({ scopes: ["ask", "agents:run"] }), (context) =>
		respondWithPage(context, {
			query: listQuery,
			async list(page, { query, owner }) {
				const caller = context.get("caller");
				// Conversations of a person are nobody else's, and an owner who is not theirs has none for them.
				const own = caller.kind === "user" ? caller.id : owner;
				if (owner !== undefined && owner !== own) return [];
				const { threads } = context.get("workspace").store;
				const { agentIds: withoutAgents } = await findHiddenItems(toScope(context));
				return (await threads.list({ ...page, query, owner: own, withoutAgents })).map(toThread);
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.get(`${PATH}/:id`, described.get, requireUse, async (context) => {
		const thread = await getThread(toScope(context), context.req.param("id"), readThreadToken(context));
		return context.json(toThread(thread));
	});

	app.patch(`${PATH}/:id`, described.change, requireUse, async (context) => {
		const scope = toScope(context);
		const body = await readJson(context, updateBody);
		const { id } = await getThread(scope, context.req.param("id"), readThreadToken(context));
		return context.json(await updateThread(scope, id, body));
	});

	app.delete(`${PATH}/:id`, described.delete, requireUse, async (context) => {
		const scope = toScope(context);
		const { id } = await getThread(scope, context.req.param("id"), readThreadToken(context));
		await deleteThread(scope, id, () => assertScope(scope.caller, "agents:run"));
		return context.json({ id, deleted: true });
	});
}

/** Adds the token that a client key needs for its thread. It is not stored. */
const addToken = ({ caller, kernel }: RequestScope, thread: Thread): CreatedThread =>
	caller.kind !== "client_key"
		? thread
		: { ...thread, token: createThreadToken(thread.id, kernel.fingerprint) };
