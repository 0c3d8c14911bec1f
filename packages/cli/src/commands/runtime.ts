import { isStemmaError } from "@stemma/core/errors";
import { createStopSignal } from "@stemma/protocol";
import type { Environment } from "../connection/resolve-connection";
import { findConnection } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";

/** Serves a folder of agent files, as `stemma-runtime` does. Returns the exit code. */
export async function runtime({ stdout, stderr }: Terminal, args: readonly string[]): Promise<number> {
	const { runRuntimeCommand } = await import("@stemma/runtime");
	const env = await withDefaultService(process.env, (note) => stderr.write(`note: ${note}\n`));
	const exitCode = await runRuntimeCommand(args, { stdout, stderr, env, signal: createStopSignal() });
	// A request that still waits for a service that hangs keeps no process.
	setTimeout(() => process.exit(exitCode), 1_000).unref();
	return exitCode;
}

/** Fills in the service of the default data folder, if there is one and no service is named. */
async function withDefaultService(
	environment: Environment,
	log: (note: string) => void,
): Promise<Environment> {
	if (environment.STEMMA_CLIENT_ID || environment.STEMMA_CLIENT_SECRET) return environment;
	try {
		const { url, clientId, clientSecret } = await findConnection({}, environment);
		return {
			...environment,
			STEMMA_BASE_URL: url,
			STEMMA_CLIENT_ID: clientId,
			STEMMA_CLIENT_SECRET: clientSecret,
		};
	} catch (error) {
		// What it lacks the runtime says itself; not that there is a folder whose service does not run.
		if (isStemmaError(error) && error.code === "connection_failed")
			log(`${error.message} ${error.hint ?? ""}`);
		return environment;
	}
}
