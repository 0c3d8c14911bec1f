import type { Thread, ThreadMessage, ThreadMessageList } from "@stemma/client";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { readPageRequest } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { respondWithTextStream } from "../../http/text-stream";
import { toScope } from "../../http/to-scope";
import { paginate } from "../../pagination";
import type { RequestScope } from "../../request-scope";
import { updateThread } from "../../threads/change-thread";
import { generateTitle } from "../../threads/generate-title";
import { getThread } from "../../threads/get-thread";
import { toThread, toThreadMessage } from "../../threads/present-thread";
import type { StoredMessage, StoredThread } from "../../threads/stored-thread";
import { messageNotFound } from "../../threads/thread-errors";
import type { MessagePage } from "../../threads/thread-repository";
import { readThreadToken } from "./thread-fields";

const messagesQuery = z.strictObject({ branch: z.string().max(100).optional() });

/** Messages of an export that are read and sent together. */
const EXPORT_BATCH = 100;

const PATH = "/v1/threads/:id";

const described = {
	list: describeRoute({
		summary: "List the messages of a thread",
		query: messagesQuery,
		isList: true,
		responses: { 200: "ThreadMessageList" },
		errors: ["thread_not_found", "message_not_found"],
	}),
	make: describeRoute({
		summary: "Make a title of what was said",
		responses: { 200: "Thread" },
		errors: ["thread_not_found"],
		callsModels: true,
	}),
	export: describeRoute({
		summary: "Export a thread",
		responses: { 200: "ThreadExport" },
		errors: ["thread_not_found"],
	}),
};

/** Messages of threads: as a list, as an export, and as what a title is made of. */
export function addThreadMessageRoutes(app: ServiceApp): void {
	const requireUse = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true });

	app.get(`${PATH}/messages`, described.list, requireUse, async (context) => {
		const { branch } = readQuery(context, messagesQuery);
		const page = readMessagePage(context);
		const { id } = await findThread(context);
		const messages = await listMessages(toScope(context), id, branch, page);
		const { data, ...rest } = paginate(messages, page.limit ?? messages.length, (message) => message.id);
		return context.json({ messages: data, ...rest } satisfies ThreadMessageList);
	});

	app.post(`${PATH}/title`, described.make, requireUse, async (context) => {
		const scope = toScope(context);
		const { id } = await findThread(context);
		const title = await generateTitle(scope, id);
		return context.json(await updateThread(scope, id, title === null ? {} : { title }));
	});

	app.get(`${PATH}/export`, described.export, requireUse, async (context) => {
		const thread = await findThread(context);
		return respondWithTextStream(context, writeExport(toScope(context), toThread(thread)), {
			"content-type": "application/json",
			"content-disposition": `attachment; filename="${thread.id}.json"`,
		});
	});
}

/** Page that a request asks for; all messages, where it asks for none. */
const readMessagePage = (context: ServiceContext): MessagePage =>
	["limit", "after"].some((name) => context.req.query(name) !== undefined) ? readPageRequest(context) : {};

const findThread = (context: ServiceContext): Promise<StoredThread> =>
	getThread(toScope(context), context.req.param("id") ?? "", readThreadToken(context));

async function listMessages(
	scope: RequestScope,
	id: string,
	branch: string | undefined,
	page: MessagePage,
): Promise<readonly ThreadMessage[]> {
	const { threads } = scope.workspace.store;
	const messages: readonly StoredMessage[] =
		branch === undefined
			? await threads.listMessages(id, page)
			: await threads.listBranch(id, branch, undefined, page);
	if (branch !== undefined && messages.length === 0 && page.after === undefined)
		throw messageNotFound(branch, id, "branch");
	return messages.map((message) => toThreadMessage(message, scope));
}

/** JSON of a `ThreadExport`, in pieces. */
async function* writeExport(scope: RequestScope, thread: Thread): AsyncGenerator<string> {
	yield `{"thread":${JSON.stringify(thread)},"messages":[`;
	let after: string | undefined;
	for (;;) {
		const listed = await listMessages(scope, thread.id, undefined, { limit: EXPORT_BATCH, after });
		const batch = listed.slice(0, EXPORT_BATCH);
		yield `${after !== undefined && batch.length > 0 ? "," : ""}${batch.map((message) => JSON.stringify(message)).join(",")}`;
		if (listed.length <= EXPORT_BATCH) break;
		after = batch.at(-1)?.id;
	}
	yield "]}";
}
