import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Program, type ProgramOptions, startProgram } from "./program.ts";

/** The programs and folders of one test file: `end` leaves none of them behind. */
export interface Harness {
	start(options: ProgramOptions): Program;
	/** A new empty folder. */
	folder(): Promise<string>;
	/** What all programs have written so far, each headed by its command line. */
	outputs(): string;
	end(): Promise<void>;
}

export function createHarness(): Harness {
	const programs: Program[] = [];
	const folders: string[] = [];
	// Also when the test runner gives up on this file.
	const killAll = (): void => {
		for (const program of programs) program.kill("SIGKILL");
	};
	process.once("exit", killAll);
	return {
		start(options) {
			const program = startProgram(options);
			programs.push(program);
			return program;
		},
		async folder() {
			const folder = await mkdtemp(join(tmpdir(), "stemma-end-to-end-"));
			folders.push(folder);
			return folder;
		},
		outputs: () => programs.map(({ name, output }) => `# ${name}\n${output()}`).join("\n"),
		async end() {
			killAll();
			process.off("exit", killAll);
			await Promise.all(programs.map(({ ended }) => ended));
			await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
		},
	};
}
