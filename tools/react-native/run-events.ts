/** A run that a service could not be asked for: of a size, or with accidents. */
export interface RunScript {
	readonly words: number;
	/** Of each word. */
	readonly characters: number;
	/** Connections break in the middle of the events with these `seq`, once for each. */
	readonly breaksAt: readonly number[];
}

export const AGENT = "storyteller";
export const RUN_TOKEN = "rt_of_this_run";

export interface WireEvent {
	readonly type: string;
	readonly seq: number;
	readonly [field: string]: unknown;
}

/** Beyond ASCII, so that characters are not bytes, and a piece can end within one. */
export const wordsOf = ({ words, characters }: RunScript): readonly string[] =>
	Array.from({ length: words }, (_, index) => `${index}${"ü".repeat(characters)} `);

export function eventsOf(script: RunScript): readonly WireEvent[] {
	const base = (seq: number) => ({ run_id: "run_1", seq, at: "2026-01-01T00:00:00.000Z" });
	const { words } = script;
	const usage = { input_tokens: 1, output_tokens: words, model_calls: 1, steps: 1 };
	// Short: all of the text in one event could not come in parts.
	const ending = { run_id: "run_1", status: "completed", output: "All is said." };
	return [
		{ type: "run.started", ...base(1), run_token: RUN_TOKEN },
		...wordsOf(script).map((text, index) => {
			const place = { type: "text.delta", ...base(index + 2) };
			return { ...place, node: "desk", invocation: 1, text, final: true };
		}),
		{ type: "run.completed", ...base(words + 2), result: { ...ending, citations: [], usage, receipt: [] } },
	];
}

export const toServerSentEvent = (event: WireEvent): string =>
	`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
