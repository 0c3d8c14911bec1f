import { type MachineCheck, toWarning } from "./machine-check";

/** Checks the version of Node, such as `24.3.0`: the command line does not start on one that is too old. */
export function checkNode(version: string): MachineCheck {
	const [major = 0] = version.split(".").map(Number);
	if (major % 2 === 0) return { name: "Node", result: version };
	return toWarning("Node", version, {
		code: "node_not_maintained",
		message: `Node ${version} is an odd version, which is maintained for half a year only and not tested with Stemma.`,
		hint: "Install Node 24 (https://nodejs.org).",
	});
}
