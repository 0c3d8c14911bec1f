import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { type BuildOptions, build } from "esbuild";
import { describe, expect, it } from "vitest";
import { ISOMORPHIC } from "../packed/packed-consumer";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** How bundlers look for files on platforms that are not Node. */
const PLATFORMS: Readonly<Record<string, BuildOptions>> = {
	"a browser": { platform: "browser", conditions: ["import"] },
	"React Native": {
		platform: "neutral",
		conditions: ["react-native", "require"],
		mainFields: ["react-native", "browser", "main"],
	},
};

/** For Node alone; there is none for other platforms. */
const NODE_ENTRY = "@stemma/client/node";

/** What code can be imported from a package: `@stemma/core`, `@stemma/core/errors`. */
function listEntries(folder: string): string[] {
	const { name, exports } = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));
	return Object.keys(exports)
		.filter((path) => !path.endsWith(".json"))
		.map((path) => path.replace(".", name))
		.filter((entry) => entry !== NODE_ENTRY);
}

interface Bundle {
	readonly code: string;
	/** All that the files of an entry and its dependencies import by name or by path. */
	readonly imports: readonly string[];
}

async function bundle(entry: string, folder: string, platform: BuildOptions): Promise<Bundle> {
	const { metafile, outputFiles } = await build({
		...platform,
		stdin: { contents: `export * from "${entry}";`, resolveDir: join(packages, folder) },
		bundle: true,
		format: "iife",
		globalName: "entry",
		define: { "process.env.NODE_ENV": '"production"' },
		write: false,
		metafile: true,
		logLevel: "silent",
		// Not the sources, which is where the paths of the workspace lead.
		tsconfigRaw: {},
		// Else a builtin could not be resolved; it is named below instead.
		plugins: [
			{
				name: "builtins",
				setup: ({ onResolve }) =>
					onResolve({ filter: /.*/ }, ({ path }) => (isBuiltin(path) ? { path, external: true } : undefined)),
			},
		],
	});
	const { inputs } = metafile ?? { inputs: {} };
	return {
		code: outputFiles?.[0]?.text ?? "",
		imports: Object.values(inputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
	};
}

/** What differs from platform to platform, and may be missing until it is needed: to be looked at in calls alone. */
const PLATFORM_GLOBALS = [
	...["fetch", "Request", "Response", "Headers", "FormData", "Blob", "File", "XMLHttpRequest", "WebSocket"],
	...["ReadableStream", "TransformStream", "WritableStream", "TextDecoder", "TextDecoderStream"],
	...["AbortController", "AbortSignal", "DOMException", "Event", "EventTarget", "URLSearchParams"],
	...["crypto", "structuredClone", "performance", "setTimeout", "queueMicrotask", "atob", "btoa", "console"],
	...["process", "Buffer", "require", "window", "document", "navigator", "location", "localStorage"],
];

/** Runs the bundle where there is ECMAScript alone, and a look at anything else fails. */
function load(code: string): readonly string[] {
	const context = createContext({});
	for (const name of PLATFORM_GLOBALS)
		runInContext(
			`Object.defineProperty(globalThis, "${name}", { get() { throw new Error("${name} is looked at."); } });`,
			context,
		);
	// Every platform has these, and two dependencies make one of each as they are loaded.
	Object.assign(context, { TextEncoder, URL });
	runInContext(code, context);
	return runInContext("Object.keys(entry)", context);
}

const entries = [...ISOMORPHIC, "a2a-server", "react"].flatMap((folder) =>
	listEntries(folder)
		.filter((entry) => !entry.endsWith(".css"))
		.map((entry) => ({ folder, entry })),
);

describe.each(Object.entries(PLATFORMS))("bundled for %s", (_, platform) => {
	it.each(entries)("$entry has nothing of Node, and looks at nothing as it is loaded", async (listed) => {
		const { code, imports } = await bundle(listed.entry, listed.folder, platform);
		expect(imports.length).toBeGreaterThan(0);
		expect(imports.filter((path) => isBuiltin(path) || path.includes(".node."))).toEqual([]);
		expect(code).not.toMatch(/["'`]node:/);
		expect(load(code).length).toBeGreaterThan(0);
	});
});
