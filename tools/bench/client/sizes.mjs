import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("../", import.meta.url));
const client = "../../packages/client/dist/index.js";

/** What a page imports for a task, ours first; `keep` stands for its use. */
export const BUNDLES = [
	{
		task: "a client, a run, its stream",
		budget: 6_000,
		programs: {
			Stemma: `import { agents, createClient } from "${client}";
				const { run, stream } = agents(createClient({ clientKey: "" })); keep(run, stream);`,
			"LangGraph SDK": `import { Client } from "@langchain/langgraph-sdk";
				const { runs } = new Client({}); keep(runs.wait, runs.stream);`,
			openai: `import OpenAI from "openai";
				const { responses } = new OpenAI({ apiKey: "" }); keep(responses.create);`,
		},
	},
	{
		task: "all of the package",
		budget: 16_000,
		programs: {
			Stemma: `import * as all from "${client}"; keep(all);`,
			"LangGraph SDK": `import * as all from "@langchain/langgraph-sdk"; keep(all);`,
			openai: `import * as all from "openai"; keep(all);`,
		},
	},
];

/** What a page with React takes more than one without. */
export const REACT = {
	task: "hooks for React, on top",
	budget: 2_000,
	with: `import { useAsk, useRun } from "../../packages/react/dist/index.js"; keep(useAsk, useRun);`,
	without: "keep();",
};

/** @returns a row for each task and client: the bytes of its bundle for a browser, minified and compressed. */
export async function measureSizes() {
	const rows = [];
	for (const { task, budget, programs } of BUNDLES)
		for (const [name, program] of Object.entries(programs))
			rows.push({ task, budget, client: name, bytes: await measureGzip(program) });
	const { task, budget, ...react } = REACT;
	const withClient = (program) => measureGzip(`${program}\n${BUNDLES[0].programs.Stemma}`);
	const bytes = (await withClient(react.with)) - (await withClient(react.without));
	return [...rows, { task, budget, client: "Stemma", bytes }];
}

/** What a page loads for it before anything is asked: parts that are loaded when they are needed count not. */
export async function measureGzip(program) {
	const { outputFiles, metafile } = await build({
		stdin: { contents: `${program}\nfunction keep(...used) { globalThis.kept = used; }`, resolveDir: folder },
		bundle: true,
		minify: true,
		splitting: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		external: ["react"],
		outdir: "out",
		metafile: true,
		write: false,
		legalComments: "none",
		logLevel: "error",
	});
	const loaded = findLoaded(metafile.outputs);
	return outputFiles
		.filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
		.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

/** The program's own file and what it imports at its start, by their names. */
function findLoaded(outputs) {
	const loaded = new Set();
	const waiting = Object.keys(outputs).filter(
		(name) => outputs[name].entryPoint !== undefined && name.endsWith("stdin.js"),
	);
	while (waiting.length > 0) {
		const name = waiting.pop();
		if (loaded.has(name)) continue;
		loaded.add(name);
		for (const { path, kind } of outputs[name].imports)
			if (kind === "import-statement" && path in outputs) waiting.push(path);
	}
	return loaded;
}
