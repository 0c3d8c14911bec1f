import { connect } from "node:net";

/** What came back over a connection until it ended, or was quiet for long enough. */
export interface RawResponse {
	/** 0 where nothing came. */
	readonly status: number;
	readonly text: string;
}

const QUIET_MS = 300;

/** Sends bytes as they are: what no HTTP client would send. Then leaves, or waits for an answer. */
export function sendRaw(
	port: number,
	bytes: string,
	{ leave: disconnect = false } = {},
): Promise<RawResponse> {
	return new Promise((resolve) => {
		let text = "";
		const socket = connect(port, "127.0.0.1", () => {
			socket.write(bytes, "latin1", () => disconnect && socket.destroy());
		});
		socket.setEncoding("latin1").setTimeout(QUIET_MS);
		socket.on("timeout", async () => {
			const before = text.length;
			// On a busy machine its turn may not have come yet: those that come later are answered after it.
			for (let turn = 0; turn < 2; turn++)
				await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
			if (text.length === before) socket.destroy();
			else socket.setTimeout(QUIET_MS);
		});
		socket.on("data", (chunk) => {
			text += chunk;
		});
		// Whoever sends nonsense is cut off.
		socket.on("error", () => undefined);
		socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }));
	});
}
