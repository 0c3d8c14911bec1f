import type { DataFolderProblem } from "@stemma/service";

/** Problem of a machine or of its settings, as one of a data folder, but of no file. */
export type MachineProblem = Omit<DataFolderProblem, "file" | "workspaceId">;

/** Result of one check of this machine and of the settings. */
export interface MachineCheck {
	readonly name: "Node" | "versions" | "disk" | "port" | "keys" | "model" | "clock";
	/** Finding, in a few words. */
	readonly result: string;
	readonly problem?: MachineProblem;
}

/** Check whose result is a problem that keeps the service from working. */
export const toError = (
	name: MachineCheck["name"],
	result: string,
	problem: Omit<MachineProblem, "severity">,
) => ({ name, result, problem: { severity: "error", ...problem } }) satisfies MachineCheck;

/** Check whose result is a problem that the service works in spite of. */
export const toWarning = (
	name: MachineCheck["name"],
	result: string,
	problem: Omit<MachineProblem, "severity">,
) => ({ name, result, problem: { severity: "warning", ...problem } }) satisfies MachineCheck;
