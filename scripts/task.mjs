// Runs a task of this repository: `node scripts/task.mjs <task> …`. Looks at the Node before
// anything is installed, in the syntax of Node 12: an old Node has to be able to say what to install.
import { currentHost, explainUnsuitableNode } from "./node-version.mjs";

const problem = explainUnsuitableNode(currentHost());
if (problem === undefined) import("./run-task.mjs");
else {
	console.error(problem);
	process.exitCode = 1;
}
