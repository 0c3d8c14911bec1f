import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Harness } from "@stemma/simulators/processes";

/** The service as operators run it: `stemma serve` as a process, which SIGTERM stops. */
export interface ServiceProgram {
	readonly url: string;
	/** Stops it as service managers do. @returns its exit code; `null` where a signal ended it. */
	stop(): Promise<number | null>;
	/** Credentials of its first start. */
	readCredentials(): Promise<{ readonly client_id: string; readonly client_secret: string }>;
}

export interface ServiceProgramOptions {
	/** Folder that it runs in, with its data folder. */
	readonly folder: string;
	readonly port: number;
	/** Address of the model. */
	readonly vendorUrl: string;
	readonly environment?: Readonly<Record<string, string>>;
}

const main = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** Starts the service; resolves once it is ready. */
export async function startServiceProgram(
	harness: Harness,
	{ folder, port, vendorUrl, environment = {} }: ServiceProgramOptions,
): Promise<ServiceProgram> {
	const data = join(folder, "data");
	const program = harness.start({
		args: [main, "serve"],
		cwd: folder,
		env: {
			STEMMA_DATA_FOLDER: data,
			STEMMA_LISTEN_PORT: String(port),
			STEMMA_LISTEN_TRUSTED_PROXIES: "loopback",
			STEMMA_CHAT_BASE_URL: vendorUrl,
			STEMMA_CHAT_MODEL: "simulated-1",
			STEMMA_OUTBOUND_ALLOW: "127.0.0.1",
			STEMMA_LIMITS_REQUESTS_PER_MINUTE: "1000000",
			...environment,
		},
	});
	const [, url = ""] = await program.waitForOutput(/listens on (\S+)\n/);
	return {
		url,
		async stop() {
			program.kill("SIGTERM");
			return (await program.ended).code;
		},
		readCredentials: async () => JSON.parse(await readFile(join(data, "first-credentials.json"), "utf8")),
	};
}
