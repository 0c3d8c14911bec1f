import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Attack } from "./attacker/attack.ts";
import { type Bounds, findMachineNoise, listIdle, listViolations } from "./measure/bounds.ts";
import { printAttacks, printReport } from "./measure/print-report.ts";
import type { TrialOptions, TrialReport } from "./measure/trial.ts";

/** Requests and connections each second: half as many again as a workspace's limit lets through. */
export const DEFAULT_RATE = 150;

/** Runs a trial from the command line; the exit code is 1 where a bound was broken. */
export async function runCommand(
	attacks: readonly Attack[],
	bounds: Bounds,
	perform: (options: TrialOptions) => Promise<{ readonly report: TrialReport; readonly limit: string }>,
): Promise<void> {
	const { values } = parseArgs({
		options: {
			seconds: { type: "string", default: "600" },
			"idle-seconds": { type: "string", default: "60" },
			seed: { type: "string", default: "1" },
			rate: { type: "string", default: String(DEFAULT_RATE) },
			attack: { type: "string", multiple: true, default: [] },
			report: { type: "string" },
			list: { type: "boolean", default: false },
		},
	});
	if (values.list) {
		for (const { name, expects } of attacks) console.log(`${name.padEnd(32)} ${expects.join(", ")}`);
		return;
	}
	for (const name of values.attack)
		if (!attacks.some((attack) => attack.name === name))
			throw new Error(`There is no attack "${name}". --list shows them.`);
	// Also when it is interrupted, no process is left behind.
	for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
	const { report, limit } = await perform({
		seconds: Number(values.seconds),
		idleSeconds: Number(values["idle-seconds"]),
		seed: Number(values.seed),
		perSecond: Number(values.rate),
		attacks: values.attack,
	});
	const idle = listIdle(report).map((name) => `${name}: no request was answered.`);
	const violations = [...listViolations(report, bounds), ...idle];
	console.log(`${printAttacks(report)}\n\n${printReport(report, limit)}`);
	const noise = findMachineNoise(report);
	if (noise !== undefined) console.log(`note: times say little here: ${noise}.`);
	console.log(violations.length === 0 ? "\nAll bounds were kept." : `\n${violations.join("\n")}`);
	if (values.report !== undefined)
		writeFileSync(values.report, JSON.stringify({ ...report, limit, violations }, undefined, "\t"));
	process.exitCode = violations.length === 0 ? 0 : 1;
}
