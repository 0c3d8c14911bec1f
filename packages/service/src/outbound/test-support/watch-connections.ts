import net, { type Socket } from "node:net";
import tls from "node:tls";
import { vi } from "vitest";

/** Every address that this process tries to connect to from now on; nothing is replaced. */
export function watchConnections(): { readonly attempts: string[]; end(): void } {
	const attempts: string[] = [];
	const watch = <Connected extends Socket>(socket: Connected): Connected => {
		socket.on("connectionAttempt", (address, port) => attempts.push(`${address} ${port}`));
		return socket;
	};
	const connectPlain = net.connect.bind(net) as (...args: unknown[]) => Socket;
	const connectTls = tls.connect.bind(tls) as (...args: unknown[]) => tls.TLSSocket;
	const spies = [
		vi.spyOn(net, "connect").mockImplementation((...args: unknown[]) => watch(connectPlain(...args))),
		vi.spyOn(tls, "connect").mockImplementation((...args: unknown[]) => watch(connectTls(...args))),
	];
	return { attempts, end: () => spies.forEach((spy) => void spy.mockRestore()) };
}
