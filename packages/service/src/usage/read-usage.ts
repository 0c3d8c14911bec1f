import type { UsageRow } from "@stemma/client";
import { DomainError } from "../errors/domain-error";
import type { Database } from "../store/database";
import { MAX_USAGE_ROWS, type ReadUsageInput } from "./usage-job";

/**
 * Reads the usage of a workspace on some days, the oldest first.
 *
 * @throws DomainError `invalid_request` where there are more rows than one response can hold.
 */
export async function readUsage(
	database: Pick<Database<unknown>, "readJob">,
	input: ReadUsageInput,
): Promise<readonly UsageRow[]> {
	const rows = await database.readJob("selectUsage", input);
	if (rows.length <= MAX_USAGE_ROWS) return rows;
	throw new DomainError(
		"invalid_request",
		`These days have more than ${MAX_USAGE_ROWS.toLocaleString("en")} rows.`,
		{
			param: "from",
			hint: "Ask for fewer days at once, or for one payer or one stage.",
		},
	);
}
