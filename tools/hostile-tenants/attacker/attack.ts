import type { Hostile } from "./hostile.ts";

/** One named attack of the hostile tenant. */
export interface Attack {
	readonly name: string;
	/** Outcomes besides success and rate limits, such as `422 agent_invalid`; `*` at the end stands for any rest. */
	readonly expects: readonly string[];
	/** Milliseconds between two steps of one lane. */
	readonly everyMs: number;
	/** Steps at once; default 1. */
	readonly concurrency?: number;
	/** Prepares the attack and returns its step, which is repeated. */
	readonly start: (hostile: Hostile) => Step | Promise<Step>;
}

export type Step = () => Promise<unknown>;

/** Repeats the steps of an attack until it is over. */
export async function repeatAttack(
	{ start, everyMs, concurrency = 1 }: Attack,
	hostile: Hostile,
): Promise<void> {
	const step = await start(hostile);
	await Promise.all(
		Array.from({ length: concurrency }, async () => {
			while (!hostile.signal.aborted) {
				await step();
				await hostile.pause(everyMs * (0.5 + hostile.random.next()));
			}
		}),
	);
}
