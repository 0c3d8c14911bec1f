import { spawn } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { HostileTenant } from "./hostile.ts";
import type { TallyStats } from "./tally.ts";

/** Settings of the process that attacks. */
export interface AttackerSettings {
	readonly kind: "service" | "runtime";
	readonly target: Omit<HostileTenant, "random" | "signal" | "endpoints" | "pacer" | "token"> & {
		readonly token: string;
	};
	readonly seconds: number;
	readonly seed: number;
	/** Requests and connections of all attacks together each second. */
	readonly perSecond: number;
	/** Names of attacks; none for all. */
	readonly attacks: readonly string[];
}

export interface AttackStats extends TallyStats {
	readonly name: string;
	readonly expects: readonly string[];
}

export interface AttackerReport {
	readonly attacks: readonly AttackStats[];
	/** Attacks that ended by a mistake of their own. */
	readonly failures: readonly string[];
}

export interface AttackerProcess {
	readonly pid: number;
	readonly report: Promise<AttackerReport>;
	kill(): void;
}

const program = fileURLToPath(new URL("attacker.ts", import.meta.url));

/** Steps of priority ("nice") that the hostile tenant is below this process and the service. */
const NICE_INCREMENT = 19;

/** Starts the hostile tenant with a low priority: what is measured is the service, not who gets the cores. */
export function startAttacker(settings: AttackerSettings): AttackerProcess {
	const child = spawn(process.execPath, ["--no-warnings", program, JSON.stringify(settings)], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const { pid = 0 } = child;
	if (pid > 0) setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE_INCREMENT));
	const killWithThis = (): void => void child.kill("SIGKILL");
	process.once("exit", killWithThis);
	let text = "";
	child.stdout.on("data", (chunk) => (text += chunk));
	const report = new Promise<AttackerReport>((resolve, reject) => {
		child.once("close", (code, signal) => {
			process.off("exit", killWithThis);
			if (code === 0) resolve(JSON.parse(text) as AttackerReport);
			else reject(new Error(`The attacking process ended with ${code ?? signal}.`));
		});
	});
	report.catch(() => undefined);
	return { pid, report, kill: killWithThis };
}
