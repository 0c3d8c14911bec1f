import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Stemma } from "@stemma/client";
import type { Harness, Program } from "@stemma/simulators/processes";

const built = (path: string): string => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** What the first start of a service writes down. */
export interface Credentials {
	readonly client_id: string;
	readonly client_secret: string;
	readonly client_key: string;
}

export interface ServiceProcess {
	readonly program: Program;
	readonly url: string;
	/** Its data folder. */
	readonly data: string;
	readonly credentials: Credentials;
	/** Everything that its first client may do. */
	readonly stemma: Stemma;
}

export interface ServiceOptions {
	/** Default: a new folder. */
	readonly data?: string;
	/** Default: any that is free. */
	readonly port?: string;
	readonly env?: Readonly<Record<string, string>>;
}

/** Starts `stemma serve` and waits until it listens. */
export async function startService(harness: Harness, options: ServiceOptions = {}): Promise<ServiceProcess> {
	const { data = await harness.folder(), port = "0", env = {} } = options;
	const args = [built("cli/dist/main.js"), "serve", "--data", data, "--port", port];
	const program = harness.start({ args, env, cwd: data });
	const [, url = ""] = await program.waitForOutput(/listens on (http:\/\/\S+)/);
	const file = join(data, "first-credentials.json");
	const credentials: Credentials = JSON.parse(await readFile(file, "utf8"));
	const stemma = new Stemma({
		baseUrl: url,
		clientId: credentials.client_id,
		clientSecret: credentials.client_secret,
	});
	return { program, url, data, credentials, stemma };
}

/** The variables that make a service ask a vendor. */
export const vendorEnvironment = (baseUrl: string, apiKey: string): Readonly<Record<string, string>> => ({
	STEMMA_CHAT_BASE_URL: baseUrl,
	STEMMA_CHAT_MODEL: "simulated-1",
	STEMMA_CHAT_API_KEY: apiKey,
});

export interface RuntimeProcess {
	readonly program: Program;
	readonly url: string;
}

export interface RuntimeOptions {
	/** The folder of agent files. */
	readonly agents: string;
	readonly service: ServiceProcess;
	readonly token?: string;
}

/** Starts `stemma-runtime` and waits until it listens. */
export async function startRuntime(
	harness: Harness,
	{ agents, service, token }: RuntimeOptions,
): Promise<RuntimeProcess> {
	const program = harness.start({
		args: [built("runtime/dist/main.js"), agents, "--port", "0"],
		cwd: agents,
		env: {
			STEMMA_BASE_URL: service.url,
			STEMMA_CLIENT_ID: service.credentials.client_id,
			STEMMA_CLIENT_SECRET: service.credentials.client_secret,
			...(token === undefined ? {} : { STEMMA_RUNTIME_TOKEN: token }),
		},
	});
	const [, url = ""] = await program.waitForOutput(/listens on (http:\/\/[^\s.]+(?:\.\d+)*:\d+)/);
	return { program, url };
}
