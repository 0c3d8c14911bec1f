import type { RunRecord } from "@stemma/client";
import { STRINGS } from "../data/strings";

/** State of a run in words. */
export function RunStatusBadge({ status }: { readonly status: RunRecord["status"] }) {
	return (
		<span className="badge" data-status={status}>
			{STRINGS.runs.statuses[status]}
		</span>
	);
}
