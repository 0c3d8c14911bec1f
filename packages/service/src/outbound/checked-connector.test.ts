import { Agent, request } from "undici";
import { expect, it } from "vitest";
import { BlockedAddressError } from "./blocked-address-error";
import { createCheckedConnector } from "./checked-connector";
import { parseOutboundAllow } from "./outbound-allow";
import { createTestLookup } from "./test-support/test-lookup";
import { startTestTarget } from "./test-support/test-target";

it.each([
	["127.0.0.1", []],
	["[::1]", []],
	["[::ffff:127.0.0.1]", []],
	["localhost", []],
	["loopback.example", ["loopback.example"]],
])("connects to %s for nobody, whoever asks", async (host, expected) => {
	const target = await startTestTarget();
	const { lookup, lookups } = createTestLookup({ "loopback.example": [["127.0.0.1"]], localhost: [["::1"]] });
	const policy = { allow: parseOutboundAllow([]), allowLoopback: false };
	const agent = new Agent({ connect: createCheckedConnector({ policy, lookup, connectMs: 30_000 }) });
	const call = request(`http://${host}:${target.port}/`, { dispatcher: agent });
	await expect(call).rejects.toThrow(BlockedAddressError);
	expect([target.connections(), lookups]).toEqual([0, expected]);
	await agent.destroy();
	await target.close();
});
