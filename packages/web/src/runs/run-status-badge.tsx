import type { RunRecord } from "@stemma/client";
import { RUN_STRINGS } from "../strings/run-strings";

/** State of a run in words. */
export function RunStatusBadge({ status }: { readonly status: RunRecord["status"] }) {
	return (
		<span className="badge" data-status={status}>
			{RUN_STRINGS.statuses[status]}
		</span>
	);
}
