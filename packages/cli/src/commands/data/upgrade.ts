import { formatBytes } from "@stemma/core/internal";
import type { TriedFile, UpgradeCheck } from "@stemma/service";
import { confirm } from "../../terminal/input/confirm";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { type JsonOption, print, report } from "../../terminal/print";
import { createProgressBar } from "../../terminal/progress-bar";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";
import { formatTable } from "../../terminal/text/table";
import { type DataFolderOptions, readDataConfiguration } from "./data-configuration";

/** Options of `stemma upgrade`. */
export interface UpgradeCommandOptions extends JsonOption, DataFolderOptions {
	readonly check: boolean;
	readonly undo: boolean;
	readonly yes: boolean;
}

const STOPPED = "Stopped. The data folder is as it was.";

/** Upgrades a data folder, tries that on copies, or undoes it. Returns the exit code. */
export function upgrade(terminal: Terminal, options: UpgradeCommandOptions): Promise<number> {
	return runUntilInterrupted(terminal, STOPPED, (signal) => {
		if (options.undo) return undo(terminal, options, signal);
		return options.check ? check(terminal, options, signal) : run(terminal, options, signal);
	});
}

/** Returns 1 where a file cannot be upgraded. */
async function check(
	terminal: Terminal,
	options: UpgradeCommandOptions,
	signal: AbortSignal,
): Promise<number> {
	const { checkUpgrade } = await import("@stemma/service");
	const configuration = await readDataConfiguration(options);
	const bar = createProgressBar(terminal, "trying");
	try {
		const checked = await checkUpgrade(configuration, { onProgress: bar.update, signal });
		bar.clear();
		print(terminal, options, toCheckWire(checked), () => formatCheck(checked));
		for (const { file, problem } of checked.files)
			if (problem !== undefined) report(terminal, "failed", sanitizeLine(`${file}: ${problem.message}`));
		return checked.files.some(({ problem }) => problem !== undefined) ? 1 : 0;
	} finally {
		bar.clear();
	}
}

async function run(terminal: Terminal, options: UpgradeCommandOptions, signal: AbortSignal): Promise<number> {
	const { upgradeDataFolder } = await import("@stemma/service");
	const configuration = await readDataConfiguration(options);
	const bar = createProgressBar(terminal, "upgrading");
	try {
		const { folder, files, snapshot } = await upgradeDataFolder(configuration, {
			onProgress: bar.update,
			signal,
		});
		bar.clear();
		print(terminal, options, { folder, files: files.map(toFileWire), snapshot: snapshot ?? null }, () =>
			snapshot === undefined
				? UP_TO_DATE
				: `${formatFiles(files)}Upgraded. To go back: stemma upgrade --undo --data ${sanitizeLine(folder)}\nThe snapshot is ${sanitizeLine(snapshot)}. Delete it when you need it no more.\n`,
		);
		return 0;
	} finally {
		bar.clear();
	}
}

async function undo(
	terminal: Terminal,
	options: UpgradeCommandOptions,
	signal: AbortSignal,
): Promise<number> {
	const { findSnapshot, undoUpgrade } = await import("@stemma/service");
	const configuration = await readDataConfiguration(options);
	const snapshot = findSnapshot(configuration);
	await confirm(terminal, {
		question: `The data folder gets back what is in ${sanitizeLine(snapshot)}. Everything that was stored since is lost.`,
		word: "undo",
		isConfirmed: options.yes,
	});
	const { folder, manifest } = await undoUpgrade(configuration, { signal });
	print(
		terminal,
		options,
		{ folder, snapshot, created_at: manifest.created_at },
		() =>
			`${sanitizeLine(folder)} is as it was at ${manifest.created_at}. Start it with the version of Stemma that it had then.\n`,
	);
	return 0;
}

const UP_TO_DATE = "All files are of this version. There is nothing to do.\n";

function formatCheck({ isServed, files, snapshotBytes }: UpgradeCheck): string {
	const outdated = files.filter(({ from, to }) => from !== to);
	if (outdated.length === 0) return UP_TO_DATE;
	const milliseconds = outdated.reduce((sum, file) => sum + file.milliseconds, 0);
	return [
		formatFiles(files),
		`${count(outdated.length, "file")} would be upgraded, in ${(milliseconds / 1000).toFixed(1)} s here. Nothing was changed.\n`,
		`The upgrade takes a snapshot of ${formatBytes(snapshotBytes)} first, so you can go back with: stemma upgrade --undo\n`,
		isServed ? "A service runs on this folder. Stop it before you upgrade.\n" : "",
	].join("");
}

const formatFiles = (files: readonly TriedFile[]): string =>
	formatTable([
		["FILE", "WORKSPACE", "SIZE", "VERSION", "TIME"],
		...files.map(({ file, name = "", bytes, from, to, milliseconds, problem }) => [
			file,
			sanitizeLine(name),
			formatBytes(bytes),
			from === to ? String(to) : `${from} → ${to}`,
			problem === undefined ? `${milliseconds} ms` : "NOT POSSIBLE",
		]),
	]);

const toFileWire = ({
	file,
	name = null,
	bytes,
	from,
	to,
	milliseconds,
	problem = null,
}: Omit<TriedFile, "name" | "problem"> & {
	readonly name?: string | null;
	readonly problem?: TriedFile["problem"] | null;
}): object => ({ file, name, bytes, from, to, milliseconds, problem });

const toCheckWire = ({ folder, isServed, files, snapshotBytes }: UpgradeCheck): object => ({
	folder,
	is_served: isServed,
	snapshot_bytes: snapshotBytes,
	can_go_back: true,
	files: files.map(toFileWire),
});
