import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Harness } from "@stemma/simulators/processes";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The official parts are installed apart; without them there is nothing to test. */
export const isInstalled = existsSync(here("node_modules"));

export const toProgram = (name: string): string => here(`programs/${name}.mjs`);

/** A request that a peer got, or something that it told of. */
export interface ReceivedMessage {
	readonly http?: string;
	readonly path?: string;
	/** The method that its body names. */
	readonly rpc?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string | undefined>>;
	readonly event?: string;
	readonly text?: string;
	readonly taskId?: string;
	readonly requestId?: string | number;
}

/** A server of official parts, in a process of its own. */
export interface Peer {
	readonly url: string;
	/** What came to a path and below it; without one, everything. */
	received(path?: string): Promise<readonly ReceivedMessage[]>;
}

export async function startPeer(harness: Harness, name: string, ...args: readonly string[]): Promise<Peer> {
	const program = harness.start({ args: [toProgram(name), ...args] });
	const [, url = ""] = await program.waitForOutput(/listens on (http:\/\/\S+)/);
	return {
		url,
		async received(path = "") {
			const answer = await fetch(`${url}/seen`);
			const all = (await answer.json()) as readonly ReceivedMessage[];
			return all.filter((entry) => (entry.path ?? "").startsWith(path));
		},
	};
}
