import { createServer } from "node:http";
import { isStemmaError } from "@stemma/core/errors";
import { listen } from "@stemma/protocol";
import type { Configuration } from "@stemma/service";
import { type MachineCheck, toError } from "./machine-check";

const SETTINGS = { host: '--host or "listen.host"', port: '--port or "listen.port"' };

/**
 * Checks that a service could listen where the settings say.
 *
 * @param runningUrl - address of the service that runs on the data folder, which then has the port itself.
 */
export async function checkPort(
	{ host, port }: Configuration["listen"],
	runningUrl?: string,
): Promise<MachineCheck> {
	if (runningUrl !== undefined) return { name: "port", result: `the service listens on ${runningUrl}` };
	const server = createServer();
	try {
		await listen(server, { host, port, settings: SETTINGS });
		return { name: "port", result: port === 0 ? "any" : `${port} is free` };
	} catch (error) {
		if (!isStemmaError(error)) throw error;
		const { code, message, hint = "" } = error;
		return toError("port", `${port} is not free`, { code, message, hint });
	} finally {
		server.close();
	}
}
