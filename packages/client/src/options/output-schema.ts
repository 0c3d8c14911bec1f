import type { RunResult } from "@stemma/core";
import type { StemmaError } from "@stemma/core/errors";
import type { WithRequestId } from "./call-options";

/** Part of a Standard Schema (standardschema.dev) that is used: zod, Valibot, ArkType and others have it. */
export interface OutputSchema<Output = unknown> {
	readonly "~standard": {
		readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
	};
}

type SchemaResult<Output> =
	| { readonly value: Output; readonly issues?: undefined }
	| { readonly issues: readonly { readonly message: string }[]; readonly value?: undefined };

/** A result whose output was checked. */
export type CheckedRunResult<Output> = Omit<RunResult, "output"> & { readonly output: Output };

/**
 * Checks the output of a run that completed; other endings have none to check.
 *
 * @param ErrorClass - `StemmaError`: this file imports nothing, as that would be split off from what every page loads.
 * @throws StemmaError `output_invalid` when the output does not fit.
 */
export async function checkOutput<Output>(
	result: WithRequestId<RunResult>,
	schema: OutputSchema<Output>,
	ErrorClass: typeof StemmaError,
): Promise<WithRequestId<CheckedRunResult<Output>>> {
	if (result.status === "completed") {
		const { issues, value } = await schema["~standard"].validate(result.output);
		if (issues !== undefined)
			throw new ErrorClass(
				`The output of ${result.run_id} does not fit \`output\`: ${issues.map(({ message }) => message).join("; ")}`,
				{
					code: "output_invalid",
					hint: "Give the graph's coordinator the same schema as its `output`, so that the model is held to it.",
				},
			);
		Object.assign(result, { output: value });
	}
	return result as unknown as WithRequestId<CheckedRunResult<Output>>;
}
