import type { LoggedEvent } from "@stemma/runs";
import { type RawBuilder, sql } from "kysely";
import { IS_OWN_WORKSPACE } from "./claim-conditions";

/** Event or state of a run, with the fence of the claim under which it was written. */
export type FencedWrite = Pick<LoggedEvent, "runId" | "fence">;

/** Query for the ids of runs of which something was written under another claim than the current one. */
export function selectLostRuns(written: readonly FencedWrite[]): RawBuilder<{ id: string }> {
	const last = [...new Map(written.map((write) => [write.runId, write])).values()];
	return sql`
		SELECT id FROM unnest(${last.map(({ runId }) => runId)}::text[], ${last.map(({ fence = 0 }) => fence)}::bigint[])
			AS written (id, fence)
		WHERE NOT EXISTS (
			SELECT FROM stemma_deployment.claims
			WHERE ${IS_OWN_WORKSPACE} AND claims.kind = 'run' AND claims.id = written.id AND claims.fence = written.fence
		)`;
}

/** Statement that deletes the claims of runs. */
export const deleteRunClaims = (runIds: readonly string[]): RawBuilder<unknown> => sql`
	DELETE FROM stemma_deployment.claims
	WHERE ${IS_OWN_WORKSPACE} AND kind = 'run' AND id = ANY(${runIds}::text[])`;
