// Runs benchmarks: `node scripts/bench.mjs <name>`, or `all`; without a name it lists them.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureToolInstalled } from "./install.mjs";
import { developmentNode, root } from "./workspace.mjs";

const folder = "tools/bench";
const benchmarks = readdirSync(join(root, folder))
	.filter((file) => file.endsWith(".mjs"))
	.map((file) => file.slice(0, -".mjs".length))
	.sort();

/** The comment in the first line of a benchmark says what it measures. */
function describe(name) {
	const [firstLine] = readFileSync(join(root, folder, `${name}.mjs`), "utf8").split("\n", 1);
	return firstLine.startsWith("//") ? firstLine.slice(2).trim() : "";
}

function list() {
	const width = Math.max(...benchmarks.map((name) => name.length));
	const lines = benchmarks.map((name) => `  ${name.padEnd(width)}  ${describe(name)}`);
	return ["Benchmarks (`npm run bench -- <name>`, or `all`):", ...lines].join("\n");
}

/** With the collector exposed, a benchmark can begin each sample without the garbage of the one before. */
function run(name, flags) {
	console.log(`# ${name}\n`);
	const args = ["--expose-gc", join(folder, `${name}.mjs`), ...flags];
	const { status, error } = spawnSync(developmentNode(), args, { cwd: root, stdio: "inherit" });
	if (error) console.error(error.message);
	return status === 0;
}

async function main(name, ...flags) {
	if (name === undefined) {
		console.log(list());
		return true;
	}
	if (name !== "all" && !benchmarks.includes(name)) {
		console.error(`There is no benchmark "${name}".\n${list()}`);
		return false;
	}
	await ensureToolInstalled(folder);
	const names = name === "all" ? benchmarks : [name];
	return names.map((each) => run(each, flags)).every((succeeded) => succeeded);
}

try {
	process.exitCode = (await main(...process.argv.slice(2))) ? 0 : 1;
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
