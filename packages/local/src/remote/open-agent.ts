import { type A2aClient, type A2aConnection, type A2aInput, createA2aClient } from "@stemma/client/a2a";
import type { Json, ReceiptRow } from "@stemma/core";
import { clock, quote } from "@stemma/core/internal";
import type { AgentCallOptions, AgentOutcome } from "@stemma/engine";
import { createSecretRedactor } from "../secrets/secret-redactor";
import { toServerLabel } from "../server-label";
import { type A2aAnswer, applyEvent, createAnswer, toOutput } from "./a2a-answer";
import { assertComplete, needsCancel } from "./a2a-terminal-state";
import { createAnswerText } from "./answer-text";

type Headers = Readonly<Record<string, string>>;

/** One A2A agent, as one secret sees it. */
export interface A2aAgent {
	/** Gives it a task and waits for its end. An abort cancels the task there. */
	run(input: Json, headers: Headers, options: AgentCallOptions): Promise<AgentOutcome>;
}

/** Sends nothing yet. This file and what it imports are loaded with the first call of an agent. */
export function openAgent(connection: A2aConnection): A2aAgent {
	const { url, token } = connection;
	const redactText = createSecretRedactor(token);
	const client = createA2aClient(connection);

	return {
		async run(input, headers, { signal, ...listener }) {
			const startedAt = clock.now();
			const name = redactText((await client.card({ signal, headers })).name);
			const createReceipt = () => [toReceiptRow({ url, name, startedAt })];
			const answer = createAnswer();
			const text = createAnswerText(answer, listener);
			try {
				for await (const event of client.stream(toMessage(input), { signal, headers }))
					text.update(applyEvent(answer, event));
				text.end();
				assertComplete(answer, quote(name || toServerLabel(url)), redactText);
				return { output: toOutput(answer), receipt: createReceipt() };
			} catch (error) {
				throw hasStarted(answer) ? withReceipt(error, createReceipt()) : error;
			} finally {
				// After an abort the stream sees to it.
				if (needsCancel(answer) && !signal.aborted) cancelTask(client, answer, headers);
			}
		},
	};
}

/** Text, or one part with the data. */
const toMessage = (input: Json): A2aInput =>
	typeof input === "string" ? input : { parts: [{ data: input }] };

const hasStarted = ({ taskId, artifacts }: A2aAnswer): boolean => taskId !== undefined || artifacts.size > 0;

/** The agent may have worked for it, whatever came between. */
const withReceipt = (error: unknown, receipt: readonly ReceiptRow[]): unknown =>
	error instanceof Error ? Object.assign(error, { receipt }) : error;

/** Cancels a task without waiting; errors are ignored, as there is no caller to report them to. */
function cancelTask(client: A2aClient, { taskId }: A2aAnswer, headers: Headers): void {
	if (taskId !== undefined) client.cancelTask(taskId, { headers }).catch(() => undefined);
}

/** Call to an A2A agent, which becomes one row of the receipt. */
interface A2aCall {
	readonly url: string;
	/** Name that the agent gives itself, if known. */
	readonly name: string | undefined;
	/** Epoch milliseconds. */
	readonly startedAt: number;
}

/** Builds the receipt row for a call to another party's agent: only that it was made. Its tokens are not known. */
const toReceiptRow = ({ url, name = "", startedAt }: A2aCall): ReceiptRow => ({
	stage: "answer",
	payer: "external",
	provider: "a2a",
	vendor_host: /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "",
	model: name,
	input_tokens: 0,
	output_tokens: 0,
	estimated: true,
	ms: clock.now() - startedAt,
	attempts: 1,
	reason: "Another agent answered, on its own account.",
});
