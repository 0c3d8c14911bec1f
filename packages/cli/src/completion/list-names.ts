import { Stemma } from "@stemma/client";
import { type ConnectionOptions, findConnection } from "../connection/with-service";
import type { NameKind } from "./find-completions";

/** Time that a person waits for names while typing. */
const MAX_WAIT_MS = 1_500;
const PAGE = { limit: 100 };

/** Names that a service knows: the first hundred. None where there is no service, or it takes too long. */
export async function listNames(
	kind: NameKind,
	connection: ConnectionOptions,
	knowledgeBase: string | undefined,
): Promise<readonly string[]> {
	try {
		const { url, clientId, clientSecret } = await findConnection(connection, process.env);
		const stemma = new Stemma({ baseUrl: url, clientId, clientSecret, maxRetries: 0 });
		return await readNames(stemma, kind, knowledgeBase);
	} catch {
		// Who is typing is not told what is wrong: the command itself says it.
		return [];
	}
}

async function readNames(
	{ knowledge, agents }: Stemma,
	kind: NameKind,
	knowledgeBase: string | undefined,
): Promise<readonly string[]> {
	const options = { signal: AbortSignal.timeout(MAX_WAIT_MS) };
	if (kind === "knowledge base") return (await knowledge.list(PAGE, options)).data.map(({ slug }) => slug);
	if (kind === "agent") return (await agents.list(PAGE, options)).data.map(({ slug }) => slug);
	if (knowledgeBase === undefined) return [];
	if (kind === "source")
		return (await knowledge.sources.list(knowledgeBase, PAGE, options)).data.map(({ name }) => name);
	const { data } = await knowledge.documents.list(knowledgeBase, PAGE, options);
	return data.map(({ source, id }) => source ?? id);
}
