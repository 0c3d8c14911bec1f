import type { WorkspaceAccess } from "./map-groups";
import type { ResolvedAccess } from "./sign-in-with-issuer";

/** Workspace as it is found by a configuration. */
interface NamedWorkspace {
	readonly id: string;
	readonly name: string;
}

/**
 * Finds the workspaces of a person. What names no workspace is left out, so that a workspace that was deleted keeps nobody out
 * of the others.
 *
 * @param workspaces - oldest first.
 */
export const resolveAccess = (
	access: readonly WorkspaceAccess[],
	workspaces: readonly NamedWorkspace[],
): readonly ResolvedAccess[] =>
	access.flatMap(({ workspace, role }) => {
		const [oldest] = workspaces;
		const found =
			workspace === undefined
				? oldest
				: workspaces.find(({ id, name }) => id === workspace || name === workspace);
		return found === undefined ? [] : [{ workspace, role, workspaceId: found.id }];
	});
