import { relative } from "node:path";
import type { CreatedProject } from "./create-project";

/**
 * Tells a person what was made and what to do next.
 *
 * @param workingFolder - where the commands are typed.
 * @param node - version of Node, such as `24.3.0`.
 */
export function describeNextSteps(
	{ folder, files }: CreatedProject,
	{ workingFolder, node }: { readonly workingFolder: string; readonly node: string },
): string {
	const path = relative(workingFolder, folder);
	const enter = path === "" ? "" : `  cd ${/[^\w./\\~-]/.test(path) ? `"${path}"` : path}\n`;
	return `Made a project of ${files.length} files in ${folder}

Next:
${enter}  npm install
  npm run dev       the service, your agent and its page on http://localhost:4000
  npm test
${explainNode(node)}`;
}

/** The service needs `node:sqlite` with full-text search. */
function explainNode(version: string): string {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (major > 22 || (major === 22 && minor >= 16)) return "";
	return `\nIt needs Node 22.16 or later, and this is Node ${version}: install Node 24 first (https://nodejs.org).\n`;
}
