import type { UsageRow } from "@stemma/client";
import { DomainError } from "../errors/domain-error";
import type { ReadUsageInput, UsageRepository } from "./usage-repository";

/** Maximum number of rows of one response. */
const MAX_USAGE_ROWS = 20_000;

/**
 * Reads the usage of a workspace on some days, the oldest first.
 *
 * @throws DomainError `invalid_request` where there are more rows than one response can hold.
 */
export async function readUsage(
	repository: UsageRepository,
	input: ReadUsageInput,
): Promise<readonly UsageRow[]> {
	const rows = await repository.read(input, MAX_USAGE_ROWS + 1);
	if (rows.length <= MAX_USAGE_ROWS) return rows;
	throw new DomainError(
		"invalid_request",
		`These days have more than ${MAX_USAGE_ROWS.toLocaleString("en")} rows.`,
		{
			param: "from",
			hint: "Ask for fewer days at once, or for one payer, one stage or one user.",
		},
	);
}
