import type { ThreadExport, ThreadMessageList } from "@stemma/client";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { updateThread } from "../../threads/change-thread";
import { generateTitle } from "../../threads/generate-title";
import { getThread } from "../../threads/get-thread";
import { toThread, toThreadMessage } from "../../threads/present-thread";
import type { StoredMessage, StoredThread } from "../../threads/stored-thread";
import { messageNotFound } from "../../threads/thread-errors";
import { readThreadToken } from "./thread-fields";

const messagesQuery = z.strictObject({ branch: z.string().max(100).optional() });

const PATH = "/v1/threads/:id";

/** Messages of threads: as a list, as an export, and as what a title is made of. */
export function addThreadMessageRoutes(app: ServiceApp): void {
	const requireUse = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true });

	app.get(`${PATH}/messages`, requireUse, async (context) => {
		const { branch } = readQuery(context, messagesQuery);
		const thread = await findThread(context);
		return context.json({
			messages: await listMessages(context, thread, branch),
		} satisfies ThreadMessageList);
	});

	app.post(`${PATH}/title`, requireUse, async (context) => {
		const scope = toScope(context);
		const { id } = await findThread(context);
		const title = await generateTitle(scope, id);
		return context.json(await updateThread(scope, id, title === null ? {} : { title }));
	});

	app.get(`${PATH}/export`, requireUse, async (context) => {
		const thread = await findThread(context);
		const messages = await listMessages(context, thread, undefined);
		context.header("content-disposition", `attachment; filename="${thread.id}.json"`);
		return context.json({ thread: toThread(thread), messages } satisfies ThreadExport);
	});
}

const findThread = (context: ServiceContext): Promise<StoredThread> =>
	getThread(toScope(context), context.req.param("id") ?? "", readThreadToken(context));

async function listMessages(context: ServiceContext, { id }: StoredThread, branch: string | undefined) {
	const scope = toScope(context);
	const { threads } = scope.workspace.store;
	const messages: readonly StoredMessage[] =
		branch === undefined ? await threads.listMessages(id) : await threads.listBranch(id, branch);
	if (branch !== undefined && messages.length === 0) throw messageNotFound(branch, id, "branch");
	return messages.map((message) => toThreadMessage(message, scope));
}
