#!/usr/bin/env node
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { createProject } from "./create-project";
import { describeNextSteps } from "./describe-next-steps";
import { ProjectError } from "./project-error";

/** Program `create-stemma`, which `npm create stemma` runs. */
const HELP = `Usage: npm create stemma [folder] [-- options]

Makes a project in a folder that is empty or does not exist yet: an agent, its documents, a tool, a chat page and tests.
It runs without a key and, once installed, without a network.

Options:
  --name <name>  name of the package (default: the name of the folder)
  -v, --version  print the version
  -h, --help     show this help

Examples:
  npm create stemma my-desk
  npm create stemma .
`;

function parseArguments() {
	return parseArgs({
		allowPositionals: true,
		options: {
			name: { type: "string" },
			version: { type: "boolean", short: "v" },
			help: { type: "boolean", short: "h" },
		},
	});
}

async function main(): Promise<number> {
	const { values, positionals } = parseArguments();
	if (values.help) process.stdout.write(HELP);
	else if (values.version) process.stdout.write(`${version}\n`);
	else if (positionals.length > 1) throw new TypeError(`Name one folder, not ${positionals.join(" and ")}.`);
	else {
		const project = await createProject({ folder: positionals[0] ?? "my-desk", name: values.name });
		const next = { workingFolder: process.cwd(), node: process.versions.node };
		process.stdout.write(describeNextSteps(project, next));
	}
	return 0;
}

main().then(
	(exitCode) => {
		process.exitCode = exitCode;
	},
	(error: unknown) => {
		const hint = error instanceof ProjectError ? error.hint : "See npm create stemma -- --help";
		process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\nhint: ${hint}\n`);
		process.exitCode = 1;
	},
);
