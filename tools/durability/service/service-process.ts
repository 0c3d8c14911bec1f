import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The service as a process of its own. */
export interface ServiceProcess {
	/** Where it listens, once it does; fails when it ends before. */
	readonly ready: Promise<ServiceAddress>;
	/** What it has logged as an error, and its standard error. */
	readonly errorOutput: readonly string[];
	/** SIGKILL: nothing of it can react. Resolves once it is gone. */
	kill(): Promise<void>;
	/** SIGSTOP: it does nothing until it is resumed, and connections to it stay open. */
	suspend(): void;
	/** SIGCONT. */
	resume(): void;
}

export interface ServiceAddress {
	readonly url: string;
	/** A file. */
	readonly credentials: string;
}

const dataFolderProgram = fileURLToPath(new URL("serve.mjs", import.meta.url));

/** Options of a process of the service. */
export interface ServiceProcessOptions {
	/** Default: one that serves its data folder alone. */
	readonly program?: string;
	/** Variables besides those of this process. */
	readonly environment?: Readonly<Record<string, string>>;
}

/** @param encryptionKeys - the first seals; default none. */
export function startServiceProcess(
	data: string,
	vendor: string,
	encryptionKeys: readonly string[] = [],
	{ program = dataFolderProgram, environment = {} }: ServiceProcessOptions = {},
): ServiceProcess {
	const child = spawn(process.execPath, [program, data, vendor], {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, ...environment, STEMMA_ENCRYPTION_KEY: encryptionKeys.join(",") },
	});
	const errorOutput: string[] = [];
	const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
	createInterface(child.stderr).on("line", (line) => errorOutput.push(line));
	const ready = new Promise<ServiceAddress>((resolve, reject) => {
		createInterface(child.stdout).on("line", (line) => {
			const message = JSON.parse(line) as Partial<ServiceAddress>;
			if (message.url !== undefined) resolve(message as ServiceAddress);
			else errorOutput.push(line);
		});
		child.once("close", () =>
			reject(new Error(`The service ended before it listened: ${errorOutput.join("\n")}`)),
		);
	});
	// Whoever kills it at once does not wait for it.
	ready.catch(() => undefined);
	return {
		ready,
		errorOutput,
		async kill() {
			child.kill("SIGKILL");
			await exited;
		},
		suspend: () => void child.kill("SIGSTOP"),
		resume: () => void child.kill("SIGCONT"),
	};
}
