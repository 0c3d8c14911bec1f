// What every platform must be able to do with the packed @stemma/client/mcp: see `client-scenario.mjs`.
import { failureOf, HELD_TEXT, holdBack, PIECES } from "./held-text.mjs";

const QUESTION = "How long do refunds take?";

/** Calls the service's own tools: as it is found out that it speaks, and as clients before 2026-07-28 do. */
export async function callTools(context) {
	return { found: await callAs(context), legacy: await callAs(context, "legacy") };
}

async function callAs(context, protocol) {
	const { packages, stemma, knowledgeBaseId, baseUrl, clientKey, fetch } = context;
	const { createMcpClient, mcp } = packages.mcp;
	const service = mcp(stemma.client, { protocol });
	const { tools } = await service.listTools();
	const { passages } = await service.search({ query: QUESTION, knowledge_base_ids: [knowledgeBaseId] });
	const [{ document_id: id, title }] = passages;
	const outcome = {
		tools: tools.map(({ name }) => name),
		isFetched: (await service.fetch({ id })).title === title,
		asked: await askHeld(context, service),
		refused: await refuse(context, service),
		aborted: await abort(context, service),
	};
	await service.close();
	const unauthorized = createMcpClient({ url: `${baseUrl}/mcp`, token: clientKey, protocol, fetch });
	return { era: (await unauthorized.server()).protocol, ...outcome };
}

/** The vendor goes on only after the news of it has come: held back anywhere on the way, the call would never end. */
async function askHeld({ knowledgeBaseId, ...context }, service) {
	const { mark, release } = holdBack(context);
	const messages = [];
	let going;
	const { answer } = await service.ask(
		{ question: `${QUESTION} ${mark}`, knowledge_base_ids: [knowledgeBaseId] },
		{
			onProgress({ message }) {
				messages.push(message);
				if (message.startsWith("Found")) going = release(PIECES);
			},
		},
	);
	await going;
	// Where that takes long, the service says so.
	return { answer, messages: messages.filter((message) => !message.startsWith("Writing")) };
}

async function refuse({ packages, clientKey }, service) {
	const { McpError } = packages.mcp;
	const failed = await failureOf(service.search({ query: QUESTION, knowledge_base_ids: ["kb_nothing"] }));
	const unknown = await failureOf(service.callTool("nothing"));
	const isKeyLeaked = [failed, unknown].some((error) =>
		`${error} ${error.stack} ${JSON.stringify(error)}`.includes(clientKey.slice(-20)),
	);
	return { codes: [failed, unknown].map((error) => McpError.is(error) && error.code), isKeyLeaked };
}

/** The call ends here with the reason, and at the service as well. */
async function abort({ knowledgeBaseId, ...context }, service) {
	const { mark, until } = holdBack(context);
	const controller = new AbortController();
	const request = { question: `${QUESTION} ${mark}`, knowledge_base_ids: [knowledgeBaseId] };
	const asked = failureOf(service.ask(request, { signal: controller.signal }));
	await until("open");
	controller.abort(new Error("enough"));
	const { message } = await asked;
	await until("closed");
	return message;
}

const expectedAs = (era) => ({
	era,
	// To list documents is for servers.
	tools: ["search", "fetch", "ask", "list_knowledge_bases"],
	isFetched: true,
	asked: { answer: HELD_TEXT, messages: ["Looking for passages.", "Found 1 passage; answering."] },
	refused: { codes: ["knowledge_base_not_found", "tool_not_found"], isKeyLeaked: false },
	aborted: "enough",
});

/** What {@link callTools} must give everywhere. */
export const expectedOfTools = { found: expectedAs("modern"), legacy: expectedAs("legacy") };
