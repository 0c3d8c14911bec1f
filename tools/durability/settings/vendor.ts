import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { startServer } from "@stemma/simulators/start-server";
import { type SettingsLedger, toKey } from "./ledger.ts";

/** The vendors of all workspaces: every settings' address is one of its own. */
export interface SettingsVendor {
	/** Without a slash at its end. */
	toBaseUrl(workspace: number, serial: number): string;
	/** Calls whose address, model and key are not of the same settings, or that are another workspace's. */
	readonly mismatches: readonly string[];
	close(): Promise<void>;
}

interface Body {
	readonly model: string;
	readonly messages: readonly { readonly content: string }[];
}

/** @param findLedger - what is known when a call comes in. */
export async function startSettingsVendor(findLedger: () => SettingsLedger): Promise<SettingsVendor> {
	const mismatches: string[] = [];
	const server = await startServer(0, async (request, response) => {
		const body = JSON.parse(await text(request)) as Body;
		const problem = findMismatch(request, body, findLedger());
		if (problem !== undefined) mismatches.push(`${request.url} ${body.model}: ${problem}`);
		const [status, answer] = problem === undefined ? [200, toCompletion(body)] : [401, REFUSAL];
		response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
	});
	return {
		mismatches,
		toBaseUrl: (workspace, serial) => `${server.origin}/${workspace}/${serial}/v1`,
		close: server.close,
	};
}

function findMismatch({ url = "", headers }: IncomingMessage, body: Body, ledger: SettingsLedger) {
	const [, workspace, serial] = /^\/(\d+)\/(\d+)\/v1\/chat\/completions$/.exec(url) ?? [];
	if (!body.model.startsWith(`model-${workspace}-${serial}-`)) return "The model is of other settings.";
	const key = headers.authorization?.replace("Bearer ", "");
	// A workspace that is not steady also has settings without a key.
	const mayLackKey = ledger.workspaces[Number(workspace)]?.keepsSettings === false;
	if (key === undefined ? !mayLackKey : key !== toKey(ledger.marker, Number(serial)))
		return "The key is of other settings.";
	const question = ledger.questions.get(readQuestion(body));
	if (question !== undefined && question.workspace !== Number(workspace)) return "Another workspace asks.";
	return undefined;
}

export const toQuestion = (serial: number): string => `Question ${serial}?`;

/** Its number; NaN for what was not asked by {@link toQuestion}. */
export function readQuestion(body: object): number {
	const { messages } = body as Pick<Body, "messages">;
	return Number(/^Question (\d+)\?$/.exec(messages.at(-1)?.content ?? "")?.[1]);
}

const REFUSAL = { error: { message: "Incorrect API key provided.", type: "invalid_request_error" } };

const toCompletion = ({ model }: Body) => ({
	id: "chatcmpl-1",
	object: "chat.completion",
	created: 1_700_000_000,
	model,
	choices: [{ index: 0, message: { role: "assistant", content: "OK." }, finish_reason: "stop" }],
	usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
});
