import type { Environment } from "../connection/resolve-connection";
import { findConnection } from "../connection/with-service";
import { createStopSignal } from "../terminal/stop-signal";
import type { Terminal } from "../terminal/terminal";

/** Serves a folder of agent files, as `stemma-runtime` does. Returns the exit code. */
export async function runtime({ stdout, stderr }: Terminal, args: readonly string[]): Promise<number> {
	const { runRuntimeCommand } = await import("@stemma/runtime");
	const env = await withUsualService(process.env);
	return runRuntimeCommand(args, { stdout, stderr, env, signal: createStopSignal() });
}

/** Where nothing is said of a service, it is that of the usual data folder, if there is one. */
async function withUsualService(environment: Environment): Promise<Environment> {
	if (environment.STEMMA_CLIENT_ID || environment.STEMMA_CLIENT_SECRET) return environment;
	try {
		const { url, clientId, clientSecret } = await findConnection({}, environment);
		return {
			...environment,
			STEMMA_BASE_URL: url,
			STEMMA_CLIENT_ID: clientId,
			STEMMA_CLIENT_SECRET: clientSecret,
		};
	} catch {
		// The runtime says itself what it lacks.
		return environment;
	}
}
