import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import {
	type AgentCallOptions,
	type AgentOutcome,
	type AgentPort,
	type AgentRequest,
	MAX_OUTPUT_CHARACTERS,
	readAgentOutput,
} from "@stemma/engine";
import type { CallLog } from "../calls/call-log";
import { toJson, toStoredError, toThrownError } from "../calls/stored-error";
import { outcomeUnknown } from "./outcome-unknown";

/** Remote agents whose outcomes are stored, with the text that came before them. An interrupted call is not repeated. */
export const createRecordedAgents = (agents: AgentPort, log: CallLog): AgentPort => ({
	run: (request, options) =>
		new Promise((resolve, reject) => {
			const text = new RemoteText(options);
			log.request({
				name: `agent ${request.node}`,
				storesStart: true,
				async perform(isRepeated) {
					try {
						if (isRepeated) throw outcomeUnknown(request.node);
						options.signal.throwIfAborted();
						const outcome = await runAgent(agents, request, options, text);
						return { text: text.pieces, outcome };
					} catch (error) {
						return { text: text.pieces, error: toStoredError(error, "remote_failed") };
					}
				},
				deliver({ text: pieces = null, outcome = null, error }) {
					text.complete(Array.isArray(pieces) ? pieces : []);
					if (isJsonObject(error)) reject(toThrownError(error));
					// What it is, the engine checks.
					else resolve(outcome as unknown as AgentOutcome);
				},
			});
		}),
});

/** Runs the agent until its outcome, or until its text is too long: the engine fails the node for that, in its place in the run. */
async function runAgent(
	agents: AgentPort,
	request: AgentRequest,
	{ signal, traceContext }: AgentCallOptions,
	text: RemoteText,
): Promise<Json> {
	const controller = new AbortController();
	const abort = (): void => controller.abort(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	const tooLong = new Promise<Json>((resolve) => {
		text.onTooLong = () => {
			controller.abort();
			resolve(null);
		};
	});
	const outcome = agents.run(request, {
		signal: controller.signal,
		traceContext,
		onText: (piece) => text.add(piece),
		onReset: () => text.reset(),
	});
	try {
		return await Promise.race([outcome.then((value) => toStoredOutcome(value, request.node)), tooLong]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

/** Copies an outcome as JSON. What is none becomes `null`, for which the engine has its error. */
function toStoredOutcome(outcome: AgentOutcome | undefined, node: string): Json {
	if (!isJsonObject(outcome) || outcome.output === undefined) return null;
	const { output, citations, receipt } = outcome;
	return {
		output: readAgentOutput(output, node),
		citations: toJson(citations) ?? [],
		receipt: toJson(receipt) ?? [],
	};
}

/** Text of a remote agent: passed on as it comes, and collected to be stored. A reset is `null`. */
class RemoteText {
	readonly #options: AgentCallOptions;
	readonly pieces: (string | null)[] = [];
	/** Number of characters since the last reset. */
	#length = 0;
	/** Text that is passed on with the outcome alone, as it makes the node fail. */
	#held = "";
	#isStreamed = false;
	onTooLong: (() => void) | undefined;

	constructor(options: AgentCallOptions) {
		this.#options = options;
	}

	add(piece: string): void {
		if (typeof piece !== "string" || piece === "" || this.#held !== "") return;
		this.#isStreamed = true;
		this.#length += piece.length;
		const last = this.pieces.at(-1);
		if (typeof last === "string") this.pieces[this.pieces.length - 1] = last + piece;
		else this.pieces.push(piece);
		if (this.#length <= MAX_OUTPUT_CHARACTERS) return this.#options.onText(piece);
		this.#held = piece;
		this.onTooLong?.();
	}

	reset(): void {
		if (this.#held !== "") return;
		this.#isStreamed = true;
		this.#length = 0;
		this.pieces.push(null);
		this.#options.onReset();
	}

	/** Passes on what was not: all that was stored, where another execution made the call. */
	complete(stored: readonly Json[]): void {
		if (this.#isStreamed) {
			if (this.#held !== "") this.#options.onText(this.#held);
			return;
		}
		for (const piece of stored)
			if (typeof piece === "string") this.#options.onText(piece);
			else this.#options.onReset();
	}
}
