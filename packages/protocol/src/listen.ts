import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "@stemma/core/errors";
import { MAX_BACKLOG } from "./create-http-server";

/** Address to listen on, and what the operator sets it by. */
export interface ListenOptions {
	readonly host: string;
	readonly port: number;
	/** Settings to change, as a hint names them: ``--port (option `port`)``. */
	readonly settings: { readonly host: string; readonly port: string };
}

/** Starts to listen. @throws ConfigurationError `port_in_use`, `cannot_listen`. */
export function listen(server: Server, options: ListenOptions): Promise<AddressInfo> {
	const { host, port } = options;
	return new Promise((resolve, reject) => {
		server.once("error", (error) => reject(toListenError(error, options)));
		try {
			server.listen({ port, host, exclusive: true, backlog: MAX_BACKLOG }, () => {
				const address = server.address();
				// A server on a port has an address of that kind.
				if (typeof address === "object" && address !== null) resolve(address);
			});
		} catch (error) {
			reject(toListenError(error, options));
		}
	});
}

function toListenError(error: unknown, { host, port, settings }: ListenOptions): ConfigurationError {
	const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
	const otherPort = `Choose another port: ${settings.port}; 0 takes any that is free.`;
	const otherHost = `Choose another address: ${settings.host}; 127.0.0.1 is only this machine, 0.0.0.0 all its addresses.`;
	const noAddress = ["this name has no address", otherHost] as const;
	const known: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
		EADDRINUSE: ["another program uses this port", `Stop that program. ${otherPort}`],
		EACCES: ["this user may not use this port", `Ports below 1024 need special rights. ${otherPort}`],
		EADDRNOTAVAIL: ["this machine does not have this address", otherHost],
		ENOTFOUND: noAddress,
		EAI_AGAIN: noAddress,
		ERR_SOCKET_BAD_PORT: ["this is not a port", `${otherPort} Ports are 0 to 65535.`],
	};
	const [problem, hint] = known[code] ?? [
		`the system says ${code}`,
		`Check ${settings.host} and ${settings.port}.`,
	];
	return new ConfigurationError(`Listening on ${host}, port ${port}, failed: ${problem}.`, {
		code: code === "EADDRINUSE" ? "port_in_use" : "cannot_listen",
		hint,
		cause: error,
	});
}
