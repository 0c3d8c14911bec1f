import { existsSync } from "node:fs";
import type { Configuration, DataFolderReport } from "@stemma/service";
import { checkMachine } from "../doctor/check-machine";
import { formatReport, listProblems, toJson } from "../doctor/format-report";
import { createProgressBar } from "../terminal/progress-bar";
import type { Terminal } from "../terminal/terminal";

/** Options of `stemma doctor`. */
export interface DoctorCommandOptions {
	readonly data?: string;
	readonly config?: string;
	readonly quick: boolean;
	readonly offline: boolean;
	readonly json: boolean;
}

/** Checks this machine, the settings and a data folder, and changes nothing. Returns the exit code: 1 where there are errors. */
export async function doctor(terminal: Terminal, options: DoctorCommandOptions): Promise<number> {
	const { data, config, json } = options;
	const { readConfiguration } = await import("@stemma/service");
	const settings = data === undefined ? [] : [{ source: "--data", path: ["data"], value: data }];
	const configuration = await readConfiguration({ file: config, options: settings });
	const folder = await checkFolder(terminal, configuration, options);
	const checks = await checkMachine(configuration, {
		node: process.versions.node,
		environment: process.env,
		project: process.cwd(),
		isOffline: options.offline,
	});
	const report = { checks, folder };
	terminal.stdout.write(json ? `${toJson(report)}\n` : formatReport(terminal, report));
	return listProblems(report).some(({ severity }) => severity === "error") ? 1 : 0;
}

/** Checks the data folder. Before the first start there is none, but one that is named has to be there. */
async function checkFolder(
	terminal: Terminal,
	configuration: Configuration,
	{ data, quick }: DoctorCommandOptions,
): Promise<DataFolderReport | undefined> {
	if (data === undefined && !existsSync(configuration.data)) return undefined;
	const { checkDataFolder } = await import("@stemma/service");
	const bar = createProgressBar(terminal, "checking");
	try {
		return await checkDataFolder(configuration, { isQuick: quick, onProgress: bar.update });
	} finally {
		bar.clear();
	}
}
