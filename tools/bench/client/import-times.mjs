import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const dist = "../../packages/client/dist/index";

/** What a fresh process loads. */
const PROGRAMS = {
	nothing: ["--input-type=module", ""],
	"Stemma, ESM": ["--input-type=module", `import "${dist}.js";`],
	"Stemma, CommonJS": ["--input-type=commonjs", `require("${dist}.cjs");`],
	"LangGraph SDK": ["--input-type=module", 'import "@langchain/langgraph-sdk";'],
	openai: ["--input-type=module", 'import "openai";'],
};

/** @returns by client the milliseconds that a fresh process takes longer than one that loads nothing; the median of many. */
export function measureImports(rounds) {
	const times = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
	for (let round = 0; round < rounds; round++)
		for (const [name, [type, program]] of Object.entries(PROGRAMS)) times[name].push(time(type, program));
	const bare = median(times.nothing);
	return Object.entries(times)
		.filter(([name]) => name !== "nothing")
		.map(([client, all]) => ({ client, ms: median(all) - bare, bare }));
}

function time(type, program) {
	const start = performance.now();
	const { status, stderr } = spawnSync(process.execPath, [type, "-e", program], { cwd });
	if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
	return performance.now() - start;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
