import { createSocket } from "node:dgram";
import { type LookupAddress, lookup } from "node:dns";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createDnsLookup } from "./dns-lookup";
import { parseOutboundAllow } from "./outbound-allow";

const ask = (
	allow: readonly string[],
	host: string,
	servers?: readonly string[],
): Promise<readonly LookupAddress[]> =>
	promisify(createDnsLookup(parseOutboundAllow(allow), servers))(host, { all: true });

it("asks the system for local names, and for hosts that the operator has opened", async () => {
	const known = await promisify(lookup)("localhost", { all: true });
	expect(await ask([], "localhost")).toEqual(known);
	expect(await ask([], "LOCALHOST.")).toEqual(known);
});

it("waits for silent name servers beside everything else, and not for ever", async () => {
	const silent = createSocket("udp4");
	const queries: number[] = [];
	silent.on("message", () => queries.push(1));
	await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve));
	const servers = [`127.0.0.1:${silent.address().port}`];
	const lookups = Array.from({ length: 40 }, (_, index) =>
		ask([], `y${index}.attacker.example`, servers).catch(({ code }: NodeJS.ErrnoException) => code),
	);
	// The system's own lookup has few turns, and none of them is taken.
	const first = await Promise.race([...lookups, promisify(lookup)("localhost", { all: true })]);
	expect(first).toContainEqual(expect.objectContaining({ address: expect.any(String) }));
	await expect.poll(() => queries.length).toBeGreaterThanOrEqual(80);
	silent.close();
	expect(new Set(await Promise.all(lookups))).not.toContain(undefined);
});
