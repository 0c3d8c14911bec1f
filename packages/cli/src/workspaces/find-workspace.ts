import type { Workspace } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { sanitizeLine } from "../terminal/terminal";

/**
 * Finds a workspace by its id or name.
 *
 * @throws ConfigurationError that names those that there are.
 */
export function findWorkspace(idOrName: string, all: readonly Workspace[]): Workspace {
	const byId = all.find(({ id }) => id === idOrName);
	const named = all.filter(({ name }) => name === idOrName);
	const found = byId ?? named[0];
	if (found === undefined)
		throw new ConfigurationError(`There is no workspace "${sanitizeLine(idOrName)}".`, {
			code: "workspace_not_found",
			hint: `There are: ${all.map(({ name }) => sanitizeLine(name)).join(", ")}.`,
		});
	if (byId === undefined && named.length > 1)
		throw new ConfigurationError(`${named.length} workspaces have this name.`, {
			hint: `Give the id of the one that you mean: ${named.map(({ id }) => id).join(", ")}.`,
		});
	return found;
}
