import { readContext } from "../../agent-file/read-context";
import { withHints } from "../../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../../connection/with-service";
import { readQuestion } from "../../terminal/input/read-question";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { report } from "../../terminal/print";
import { createRunRenderer } from "../../terminal/render/render-run";
import { RUN_EXIT_CODES, renderRunEnd, toRunResult } from "../../terminal/run-outcome";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { formatJson } from "../../terminal/text/format-json";

/** Options of `stemma agents run`. */
export interface RunStoredAgentOptions extends ServiceCommandOptions {
	readonly context?: string;
}

const HINTS = { agent_not_found: '"stemma agents list" lists them.' };

/** Runs an agent that a service keeps, with one question. Returns the exit code. */
export async function runStoredAgent(
	terminal: Terminal,
	idOrSlug: string,
	question: string | undefined,
	options: RunStoredAgentOptions,
): Promise<number> {
	const context = readContext(options.context);
	const input = await readQuestion(
		terminal,
		question,
		'stemma agents run support-desk "How do refunds work?"',
	);
	return runUntilInterrupted(terminal, "Cancelled.", (signal) =>
		withService(options, ({ agents }) =>
			withHints(HINTS, async () => {
				const events = agents.stream(idOrSlug, { input, context }, { signal });
				const renderer = createRunRenderer(terminal, () => undefined);
				for await (const event of events) {
					if (options.json) terminal.stdout.write(`${formatJson(event)}\n`);
					else renderer.onEvent(event);
				}
				const result = await toRunResult(events.result());
				if (!options.json) renderRunEnd(terminal, renderer, result);
				if (result.status === "paused") reportPause(terminal, result.run_id);
				return RUN_EXIT_CODES[result.status];
			}),
		),
	);
}

function reportPause(terminal: Pick<Terminal, "stderr">, runId: string): void {
	report(terminal, "paused", `The run ${sanitizeLine(runId)} waits for an approval.`);
	report(
		terminal,
		"hint",
		`"stemma runs show ${sanitizeLine(runId)}" shows what for; "stemma runs approve" approves it.`,
	);
}
