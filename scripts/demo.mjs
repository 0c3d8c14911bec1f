// `npm start`: the example graph answers a question from the example handbook, then, unless `--once`, asks for more.
import { spawnSync } from "node:child_process";

const agent = "examples/handbook/agent.json";
const documents = "examples/handbook/documents";
const options = process.argv.slice(2).filter((arg) => arg.startsWith("-"));
const words = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
const question = words.join(" ") || "How many weeks of parental leave do I get, and is it paid?";

const unknown = options.filter((option) => option !== "--once");
if (unknown.length > 0) {
	console.error(
		`npm start takes a question and --once, not ${unknown.join(" ")}. All else: npm run stemma -- --help`,
	);
	process.exit(1);
}

function stemma(...extra) {
	const args = ["packages/cli/dist/main.js", "run", agent, "--docs", documents, ...extra];
	return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 130;
}

process.on("SIGINT", () => undefined);
console.log(`Question: ${question}\n`);
const status = stemma(question);
if (status === 0)
	console.log(`
Go on:
  npm start -- "What is the monthly wellness reimbursement?"
  npm run stemma -- run ${agent} --docs <your folder> "<your question>"
  npm run stemma -- graph ${agent}
  npm run stemma -- --help`);
if (status !== 0 || options.includes("--once") || !process.stdin.isTTY) process.exit(status);
process.exit(stemma("--interactive"));
