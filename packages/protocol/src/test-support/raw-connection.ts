import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that says what it is told to, byte by byte if need be. */
export interface RawConnection {
	readonly socket: Socket;
	/** Everything that came so far. */
	readonly text: string;
	/** Resolves with everything that came, when the connection has ended. */
	readonly closed: Promise<string>;
	write(bytes: string | Buffer): void;
	/** Resolves with everything that came so far, once it has the part in it; or as it is when the connection has ended. */
	until(part: string): Promise<string>;
}

export function openConnection(port: number): RawConnection {
	const socket = connect(port, "127.0.0.1");
	let text = "";
	let isOpen = true;
	socket.on("data", (chunk) => {
		text += chunk;
	});
	socket.on("error", () => undefined);
	socket.on("close", () => {
		isOpen = false;
	});
	return {
		socket,
		get text() {
			return text;
		},
		closed: once(socket, "close").then(() => text),
		write: (bytes) => void socket.write(bytes),
		async until(part) {
			while (!text.includes(part) && isOpen)
				await Promise.race([once(socket, "data"), once(socket, "close")]);
			return text;
		},
	};
}
