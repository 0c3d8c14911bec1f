import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";

/** Folders of a project as `stemma dev` serves it; those that are missing are `undefined`. Absolute. */
export interface DevProject {
	readonly folder: string;
	/** Agent files. */
	readonly agents: string;
	/** Tools in code. */
	readonly tools?: string | undefined;
	/** Documents, which become the knowledge base `documents`. */
	readonly documents?: string | undefined;
	/** Pages, at `/web/`. */
	readonly web?: string | undefined;
}

/** Finds the folders of a project. @throws ConfigurationError where it has no agents. */
export function findDevProject(folder: string): DevProject {
	const root = resolve(folder);
	const find = (name: string): string | undefined =>
		isFolder(join(root, name)) ? join(root, name) : undefined;
	const agents = find("agents");
	if (agents === undefined)
		throw new ConfigurationError(`${root} has no folder "agents".`, {
			code: "project_missing",
			hint: "Name the folder of a project: stemma dev <folder>. stemma init <folder> makes one.",
		});
	return { folder: root, agents, tools: find("tools"), documents: find("documents"), web: find("web") };
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
