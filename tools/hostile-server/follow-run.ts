import { agents, type Timeouts } from "@stemma/client";
import { expect } from "vitest";
import { INPUT, readAll } from "./calls";
import type { ServerFixture } from "./server-fixture";

const TEXT = "It takes five days.";

/** The numbers of the events that one whole run gives, and how many requests it took. */
export async function followRun(
	{ server, client }: ServerFixture,
	timeouts: Partial<Timeouts> = {},
): Promise<{ readonly seqs: readonly number[]; readonly sent: number }> {
	const stream = agents(client({ timeouts })).stream("desk", INPUT);
	const events = await readAll(stream);
	expect(await stream.text()).toBe(TEXT);
	expect(server.runs).toHaveLength(1);
	return { seqs: events.map(({ seq }) => seq), sent: server.requests.length };
}
