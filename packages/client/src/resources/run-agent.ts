import type { RunResult } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { CheckedRunResult, OutputSchema } from "../options/output-schema";
import type { AgentRunStream } from "../streams/run-stream";
import type { RunInput } from "../types/run";

/** Runs an agent to its end; with `output`, checks and types the output. */
export interface RunMethod {
	<Output>(
		agent: string,
		request: RunInput & { readonly output: OutputSchema<Output> },
		options?: CallOptions,
	): Promise<WithRequestId<CheckedRunResult<Output>>>;
	(agent: string, request: RunInput, options?: CallOptions): Promise<WithRequestId<RunResult>>;
}

/** `run` over `stream`: to the end, and with a look at the output. */
export function createRunMethod(
	stream: (agent: string, request: RunInput, options?: CallOptions) => AgentRunStream,
): RunMethod {
	return async <Output>(
		agent: string,
		{ output, ...request }: RunInput & { readonly output?: OutputSchema<Output> },
		options?: CallOptions,
	) => {
		const events = stream(agent, request, options);
		const outcome = events.result();
		// Nobody reads the events: none are kept.
		events.close();
		const result = await outcome;
		if (output === undefined) return result;
		const { checkOutput } = await import("../options/output-schema");
		return checkOutput(result, output, StemmaError);
	};
}
