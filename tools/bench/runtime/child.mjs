import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * Starts a program of this folder in a process of its own, which tells something when it is ready.
 *
 * @param flags - of Node itself.
 */
export async function startChild(name, args = [], { flags = [], env = {} } = {}) {
	const child = fork(new URL(`${name}.mjs`, import.meta.url), args.map(String), {
		execArgv: flags,
		env: { ...process.env, ...env },
	});
	const failed = once(child, "exit").then(([code]) => {
		throw new Error(`${name} ended with ${code}.`);
	});
	failed.catch(() => undefined);
	const receive = async () => (await Promise.race([once(child, "message"), failed]))[0];
	return {
		ready: await receive(),
		/** Sends a message and gives the answer. */
		ask(message) {
			child.send(message);
			return receive();
		},
		async stop() {
			child.removeAllListeners("exit");
			const ended = once(child, "exit");
			child.kill("SIGKILL");
			await ended;
		},
	};
}
