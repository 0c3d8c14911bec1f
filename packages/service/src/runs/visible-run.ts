import { type AccessScope, findHiddenItems } from "../access/hidden-items";
import type { StoredRun } from "./stored-run";
import { seesAllRuns } from "./visibility";

/**
 * Finds a run that a caller may see: one that they started, or any for those who see all; none of agents that they may not
 * use.
 *
 * @param isOwn - checks whether the run is the caller's. Default: they started it.
 */
export async function findVisibleRun(
	scope: AccessScope,
	id: string,
	isOwn: (run: StoredRun) => boolean = ({ started_by }) => started_by === scope.caller.id,
): Promise<StoredRun | undefined> {
	const run = await scope.workspace.store.runs.find(id);
	if (run === undefined || !(seesAllRuns(scope.caller) || isOwn(run))) return undefined;
	const { agentNames, visibleTo } = await findHiddenItems(scope);
	const isVisible = visibleTo === undefined || (await scope.workspace.store.runs.isVisible(id, visibleTo));
	return isVisible && !agentNames.has(run.agent_id) ? run : undefined;
}
