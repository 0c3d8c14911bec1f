import { StemmaError } from "@stemma/core/errors";
import type { CallOptions } from "../options/call-options";
import type { OutputSchema } from "../options/output-schema";
import type { AgentRunStream } from "../streams/run-stream";
import type { Agents, RunInput } from "./agents";

/** `run` over `stream`: to the end, and with a look at the output. */
export function createRunMethod(
	stream: (agent: string, request: RunInput, options?: CallOptions) => AgentRunStream,
): Agents["run"] {
	async function run(
		agent: string,
		{ output, ...request }: RunInput & { readonly output?: OutputSchema },
		options?: CallOptions,
	) {
		const events = stream(agent, request, options);
		const outcome = events.result();
		// Nobody reads the events: none are kept.
		events.close();
		const result = await outcome;
		if (output === undefined) return result;
		const { checkOutput } = await import("../options/output-schema");
		return checkOutput(result, output, StemmaError);
	}
	return run as Agents["run"];
}
