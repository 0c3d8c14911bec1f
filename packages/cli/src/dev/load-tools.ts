import { readdir } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import type { LocalTools } from "@stemma/local";

const IS_MODULE = /\.m?[jt]s$/;
const IS_NO_TOOL = /\.(?:test|spec)\.m?[jt]s$|\.d\.m?ts$/;

/** Loads the tools of a folder. */
export interface ToolLoader {
	/**
	 * Loads all files of the folder as they are now, with what they import from it.
	 *
	 * @throws ConfigurationError for a file that cannot be loaded or exports no `tools`, and for a name that two have.
	 */
	load(): Promise<LocalTools>;
}

/**
 * Creates a loader of the tools in a folder: each module directly in it exports `tools`, by the names that graphs call them by.
 * Modules of folders below are theirs to import. Node keeps modules by their address, so each load has addresses of its own.
 */
export function createToolLoader(folder: string): ToolLoader {
	const base = `${pathToFileURL(folder).href}/`;
	let loads = 0;
	registerHooks({
		// What a tool imports of the folder is loaded again with it.
		resolve(specifier, context, nextResolve) {
			const resolved = nextResolve(specifier, context);
			const isOwn = resolved.url.startsWith(base) && !/[?#]|\/node_modules\//.test(resolved.url);
			return isOwn ? { ...resolved, url: `${resolved.url}?load=${loads}` } : resolved;
		},
	});
	return {
		async load() {
			loads++;
			const names = (await readdir(folder))
				.filter((name) => IS_MODULE.test(name) && !IS_NO_TOOL.test(name))
				.sort();
			const tools: Record<string, LocalTools[string]> = {};
			for (const name of names)
				for (const [tool, definition] of Object.entries(await loadFile(join(folder, name), name, loads))) {
					if (Object.hasOwn(tools, tool)) throw duplicate(tool, name);
					tools[tool] = definition;
				}
			return tools;
		},
	};
}

async function loadFile(path: string, name: string, load: number): Promise<LocalTools> {
	let module: { readonly tools?: unknown };
	try {
		module = await import(`${pathToFileURL(path).href}?load=${load}`);
	} catch (cause) {
		throw new ConfigurationError(`tools/${name} cannot be loaded: ${describe(cause)}`, {
			code: "tool_not_loaded",
			hint: "The tools stay as they were until it can be.",
			cause,
		});
	}
	if (isJsonObject(module.tools)) return module.tools as unknown as LocalTools;
	throw new ConfigurationError(`tools/${name} exports no object \`tools\`.`, {
		code: "tool_not_loaded",
		hint: "Write export const tools = { name: { description, parameters, run } }, or move it to a folder below.",
	});
}

const describe = (error: unknown): string =>
	error instanceof Error ? `${error.name}: ${error.message}` : String(error);

const duplicate = (tool: string, name: string): ConfigurationError =>
	new ConfigurationError(`tools/${name} has the tool "${tool}", which another file has, too.`, {
		code: "tool_not_loaded",
		hint: "Rename one of them.",
	});
