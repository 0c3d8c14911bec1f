import type { RunResult } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { CheckedRunResult, OutputSchema } from "../options/output-schema";
import type { AgentRunStream } from "../streams/run-stream";
import type { RunInput } from "../types/run";

/** Runs an agent to its end; with `output`, checks and types the output. */
export interface RunMethod<Input = RunInput, Options = CallOptions> {
	<Output>(
		agent: string,
		request: Input & { readonly output: OutputSchema<Output> },
		options?: Options,
	): Promise<WithRequestId<CheckedRunResult<Output>>>;
	(agent: string, request: Input, options?: Options): Promise<WithRequestId<RunResult>>;
}

/** `run` over `stream`: to the end, and with a look at the output. */
export function createRunMethod<Input extends object, Options>(
	stream: (agent: string, request: Input, options?: Options) => AgentRunStream,
): RunMethod<Input, Options> {
	return async <Output>(
		agent: string,
		{ output, ...request }: Input & { readonly output?: OutputSchema<Output> },
		options?: Options,
	) => {
		// What is left is the input: `output` is no field of it.
		const events = stream(agent, request as Input & object, options);
		const outcome = events.result();
		// Nobody reads the events: none are kept.
		events.close();
		const result = await outcome;
		if (output === undefined) return result;
		const { checkOutput } = await import("../options/output-schema");
		return checkOutput(result, output, StemmaError);
	};
}
