import { defineConfig, type Options } from "tsup";

// What is loaded when it is first needed stands in files of its own.
const shared = { splitting: true };
/** The builds run at once: parts that two of them have, such as JSON, are files of each. */
const toChunksOf = (name: string): Pick<Options, "esbuildOptions"> => ({
	esbuildOptions(options) {
		options.chunkNames = `${name}-[name]-[hash]`;
	},
});
const onNode = { ...shared, target: "node18", platform: "node" } as const;

export default defineConfig([
	// `import.meta.url`, where threads are, is none of CJS.
	{ ...onNode, entry: { index: "src/index.ts" }, format: ["esm", "cjs"], shims: true, dts: true },
	// Programs are whole: loading a file takes longer, and more memory, than what is in it.
	{
		...onNode,
		...toChunksOf("main"),
		noExternal: [/^@stemma\//, "@cfworker/json-schema"],
		entry: { main: "src/main.ts", "schema-check-thread": "src/schema-check/schema-check-thread.ts" },
		format: ["esm"],
	},
	// For Workers: nothing of Node is in it.
	{
		...shared,
		...toChunksOf("portable"),
		entry: { portable: "src/portable.ts" },
		format: ["esm", "cjs"],
		target: "es2022",
		platform: "neutral",
		dts: true,
	},
]);
