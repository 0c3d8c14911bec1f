// `npm start`: the example graph answers a question from the example handbook, then, unless `--once`, asks for more.
import { spawnSync } from "node:child_process";

const agent = "examples/handbook/agent.json";
const documents = "examples/handbook/documents";
const args = process.argv.slice(2);
const once = args.includes("--once");
const question =
	args.find((arg) => !arg.startsWith("--")) ?? "How many weeks of parental leave do I get, and is it paid?";

const stemma = (...extra) =>
	spawnSync(process.execPath, ["packages/cli/dist/main.js", "run", agent, "--docs", documents, ...extra], {
		stdio: "inherit",
	}).status ?? 1;

process.on("SIGINT", () => undefined);
console.log(`Question: ${question}\n`);
const status = stemma(question);
if (status === 0) {
	console.log(`
Go on:
  npm start -- "Who approves a leave of absence?"
  npm run stemma -- run ${agent} --docs <your folder> "<your question>"
  npm run stemma -- graph ${agent}
  npm run stemma -- --help`);
}
if (status !== 0 || once || !process.stdin.isTTY) process.exit(status);
process.exit(stemma("--interactive"));
