import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** `stemma keys rotate`, as a process of its own. */
export interface RotationProcess {
	readonly ended: Promise<RotationEnd>;
	/** SIGKILL. */
	kill(): void;
}

export interface RotationEnd {
	/** Null where it was killed. */
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

const program = fileURLToPath(new URL("../../../packages/cli/dist/main.js", import.meta.url));

/** @param encryptionKeys - the first seals. */
export function startRotation(data: string, encryptionKeys: readonly string[]): RotationProcess {
	const child = spawn(process.execPath, [program, "keys", "rotate", "--json", "--data", data], {
		cwd: data,
		stdio: ["ignore", "pipe", "pipe"],
		env: { PATH: process.env.PATH, STEMMA_ENCRYPTION_KEY: encryptionKeys.join(",") },
	});
	const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
	const output = Promise.all([text(child.stdout), text(child.stderr)]);
	return {
		ended: exited.then(async (code) => {
			const [stdout, stderr] = await output;
			return { code, stdout, stderr };
		}),
		kill: () => void child.kill("SIGKILL"),
	};
}
