import type { Role } from "@stemma/client";
import { higherRole } from "../roles";
import type { IssuerConfiguration } from "./issuer-configuration";

/** Workspace in which an issuer gives a person access. */
export interface WorkspaceAccess {
	/** Id or name; left out for the oldest workspace. */
	readonly workspace: string | undefined;
	/** Role that the rules give; left out where none of them does. */
	readonly role: Role | undefined;
}

/**
 * Finds the workspaces of a person and the roles there, in the order of the rules; the workspace of the issuer is the last one,
 * with its own role where no rule gives one. Of several rules for a workspace the highest role counts.
 */
export function mapGroups(
	{ groups: rules, role, workspace }: Pick<IssuerConfiguration, "groups" | "role" | "workspace">,
	groups: readonly string[],
): readonly WorkspaceAccess[] {
	const found = new Map<string | undefined, Role | undefined>();
	for (const rule of rules) {
		if (!groups.includes(rule.group)) continue;
		const key = rule.workspace ?? workspace;
		const before = found.get(key);
		found.set(key, before === undefined ? rule.role : higherRole(before, rule.role));
	}
	if (!found.has(workspace)) found.set(workspace, role);
	return [...found].map(([key, mapped]) => ({ workspace: key, role: mapped }));
}
