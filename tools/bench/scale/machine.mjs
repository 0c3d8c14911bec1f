import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg } from "node:os";

/** Commit and machine of a measurement; `load` is the number of processes that wanted a processor in the minute before. */
export const describeMachine = () => ({
	commit: execFileSync("git", ["rev-parse", "--short=8", "HEAD"], {
		cwd: import.meta.dirname,
		encoding: "utf8",
	}).trim(),
	cores: availableParallelism(),
	machine: `${availableParallelism()} cores (${cpus()[0].model.trim()})`,
	load: Math.round(loadavg()[0] * 10) / 10,
});
