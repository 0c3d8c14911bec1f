import type { CheckedRunResult, OutputSchema } from "@stemma/client";
import { type RunResult, StemmaError } from "@stemma/core";

/**
 * Checks the output of a run that completed, as `agents.run` of the client does; other endings have none to check.
 *
 * @throws StemmaError `output_invalid` when the output does not fit.
 */
export async function checkOutput<Output>(
	result: RunResult,
	schema: OutputSchema<Output>,
): Promise<CheckedRunResult<Output>> {
	// Other endings have what there was, which is checked by nobody.
	if (result.status !== "completed") return result as CheckedRunResult<Output>;
	const outcome = await schema["~standard"].validate(result.output);
	if (outcome.issues === undefined) return { ...result, output: outcome.value };
	const messages = outcome.issues.map(({ message }) => message).join("; ");
	throw new StemmaError(`The output of ${result.run_id} does not fit \`output\`: ${messages}`, {
		code: "output_invalid",
		hint: "Give the graph's coordinator the same schema as its `output`, so that the model is held to it.",
	});
}
