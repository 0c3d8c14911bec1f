import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Scene } from "../end-to-end/scene";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The official parts are installed apart; without them there is nothing to test. */
export const isInstalled = existsSync(here("node_modules"));

export const toProgram = (name: string): string => here(`programs/${name}.mjs`);

/** A request that a peer got, or something that it told of. */
export interface Seen {
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
	seen(path?: string): Promise<readonly Seen[]>;
}

export async function startPeer(scene: Scene, name: string, ...args: readonly string[]): Promise<Peer> {
	const program = scene.start({ args: [toProgram(name), ...args] });
	const [, url = ""] = await program.said(/listens on (http:\/\/\S+)/);
	return {
		url,
		async seen(path = "") {
			const answer = await fetch(`${url}/seen`);
			const all = (await answer.json()) as readonly Seen[];
			return all.filter((entry) => (entry.path ?? "").startsWith(path));
		},
	};
}
